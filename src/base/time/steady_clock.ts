import { realSleep, type Sleep } from "./sleep.ts";

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
