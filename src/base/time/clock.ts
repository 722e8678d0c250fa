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

/** Monotonic clock: never goes back when the system time does, and advances by at least the length of each wait. */
export class SteadyClock {
  readonly #read: () => number;
  readonly #sleep: Sleep;
  #last = -Infinity;
  #offset = 0;

  constructor(world: { now?: (() => number) | undefined; sleep?: Sleep | undefined } = {}) {
    this.#read = world.now ?? (() => performance.now());
    this.#sleep = world.sleep ?? realSleep;
  }

  /** Milliseconds since an arbitrary moment. */
  readonly now = (): number => {
    const read = this.#read();
    this.#offset += Math.max(0, this.#last - read);
    this.#last = read;
    return read + this.#offset;
  };

  readonly sleep: Sleep = async (seconds, signal) => {
    const until = this.now() + seconds * 1000;
    await this.#sleep(seconds, signal);
    // Looking at the time may move the offset itself.
    const early = until - this.now();
    this.#offset += Math.max(0, early);
  };
}

/**
 * One caller's view of shared work. An abort rejects for this caller with the signal's reason; the work and other
 * callers are not affected.
 */
export function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/**
 * Waits between two rounds of a loop. An abort ends the pause early, without an error.
 *
 * @param seconds `undefined` to wait for the abort alone.
 */
export async function pause(
  seconds: number | undefined,
  { signal, sleep = realSleep }: {
    readonly signal?: AbortSignal | undefined;
    readonly sleep?: Sleep | undefined;
  } = {},
): Promise<void> {
  if (signal?.aborted) return;
  const slept = seconds === undefined ? new Promise<void>(() => {}) : sleep(seconds, signal);
  await unlessAborted(slept, signal);
}

/** Waits for work to end, but at most for some seconds. */
export async function atMost(seconds: number, work: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  try {
    await Promise.race([work, pause(seconds, { signal: over.signal })]);
  } finally {
    over.abort();
  }
}

/** Waits for work, or for the abort: `undefined` then. */
export async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  try {
    return await abortable(work, signal);
  } catch (error) {
    if (signal?.aborted) return undefined;
    throw error;
  }
}
