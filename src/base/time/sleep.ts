/** Waits for some seconds; injectable, so that tests do not wait in real time. */
export type Sleep = (seconds: number, signal?: AbortSignal) => Promise<void>;

/** Longest timeout of the runtimes in milliseconds; longer timeouts fire at once. */
export const MAX_TIMER = 2 ** 31 - 1;

export const realSleep: Sleep = (seconds, signal) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, Math.min(seconds * 1000, MAX_TIMER));
    function abort(): void {
      clearTimeout(timer);
      reject(signal?.reason);
    }
    signal?.addEventListener("abort", abort, { once: true });
  });
