/** Waits; injected so that no test waits for real time. */
export type Sleep = (seconds: number, signal?: AbortSignal) => Promise<void>;

/** The longest time that a timer of the runtimes can take, in milliseconds; a longer one would end at once. */
export const MAX_TIMER = 2 ** 31 - 1;

/** Waits in real time; an abort ends the wait with the signal's reason. */
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
