import type { Transport } from "../../platform/transport/transport.ts";

/** Duration and interval of polling, in seconds. */
export interface PollOptions {
  /** Seconds in all. @default 10800 */
  readonly timeout?: number | undefined;
  /** Seconds before the second look. @default 5 */
  readonly poll?: number | undefined;
  /** Seconds between two looks at most. @default 60 */
  readonly maxPoll?: number | undefined;
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
}

/** Three hours in seconds, which a report may take. */
export const MAX_WAIT = 10_800;
const GROWTH = 1.5;

/** Waits between two looks, longer each time, until the time is up. */
export class Poller {
  readonly #world: Pick<Transport, "now" | "sleep">;
  readonly #timeout: number;
  readonly #longest: number;
  readonly #signal: AbortSignal | undefined;
  readonly #growth: number;
  readonly #began: number;
  #pause: number;
  #slept = 0;

  /**
   * Begins to count.
   *
   * @param world Clock and sleep.
   * @throws {RangeError} when a time is not above 0.
   */
  constructor(
    world: Pick<Transport, "now" | "sleep">,
    options: PollOptions & { readonly growth?: number | undefined } = {},
  ) {
    const { timeout = MAX_WAIT, poll = 5, maxPoll = 60, growth = GROWTH } = options;
    for (const [name, value] of Object.entries({ timeout, poll, maxPoll })) {
      if (!(value > 0)) {
        throw new RangeError(`Cannot wait with "${name}" ${value}: it is not above 0`);
      }
    }
    this.#world = world;
    this.#timeout = timeout;
    this.#pause = Math.min(poll, maxPoll);
    this.#longest = maxPoll;
    this.#signal = options.signal;
    this.#growth = growth;
    this.#began = world.now();
  }

  /** Seconds since it began. */
  get seconds(): number {
    return Math.max(this.#slept, (this.#world.now() - this.#began) / 1000);
  }

  /** Waits for the next look; false, at once, when the time is up. */
  async wait(): Promise<boolean> {
    const left = this.#timeout - this.seconds;
    if (left <= 0) return false;
    const pause = Math.min(this.#pause, left);
    await this.#world.sleep(pause, this.#signal);
    this.#slept += pause;
    this.#pause = Math.min(this.#pause * this.#growth, this.#longest);
    return true;
  }
}
