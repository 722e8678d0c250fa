import { realSleep, type Sleep } from "./sleep.ts";

/**
 * A clock for measuring waits: it does not go back when the time of the machine is set back, and after a wait it has
 * moved on by at least the length of the wait.
 */
export class SteadyClock {
  readonly #read: () => number;
  readonly #sleep: Sleep;
  #last = -Infinity;
  #offset = 0;

  /**
   * Starts to count.
   *
   * @param world `now` gives milliseconds, by default those of the runtime's monotonic clock; `sleep` waits.
   */
  constructor(world: { now?: (() => number) | undefined; sleep?: Sleep | undefined } = {}) {
    this.#read = world.now ?? (() => performance.now());
    this.#sleep = world.sleep ?? realSleep;
  }

  /** Milliseconds since some moment in the past. */
  readonly now = (): number => {
    const read = this.#read();
    this.#offset += Math.max(0, this.#last - read);
    this.#last = read;
    return read + this.#offset;
  };

  /** Waits; an abort ends the wait with the signal's reason. */
  readonly sleep: Sleep = async (seconds, signal) => {
    const until = this.now() + seconds * 1000;
    await this.#sleep(seconds, signal);
    // Looking at the time may move the offset itself.
    const early = until - this.now();
    this.#offset += Math.max(0, early);
  };
}
