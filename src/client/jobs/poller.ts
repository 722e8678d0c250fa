import type { Transport } from "../../platform/transport/transport.ts";

/** Duration and interval of polling, in seconds. */
export interface PollOptions {
  /** Total seconds to wait. @default 10800 */
  readonly timeout?: number | undefined;
  /** Seconds before the second poll. @default 5 */
  readonly poll?: number | undefined;
  /** Maximum seconds between two polls. @default 60 */
  readonly maxPoll?: number | undefined;
  /** Aborts the wait. */
  readonly signal?: AbortSignal | undefined;
}

type PollWorld = Pick<Transport, "now" | "sleep"> & Partial<Pick<Transport, "maxPoll">>;

export const MAX_WAIT = 10_800;
const GROWTH = 1.5;

export class Poller {
  readonly #world: PollWorld;
  readonly #timeout: number;
  readonly #longest: number;
  readonly #signal: AbortSignal | undefined;
  readonly #growth: number;
  readonly #began: number;
  #pause: number;
  #slept = 0;

  constructor(
    world: PollWorld,
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
    this.#longest = Math.min(maxPoll, world.maxPoll ?? Infinity);
    this.#pause = Math.min(poll, this.#longest);
    this.#signal = options.signal;
    this.#growth = growth;
    this.#began = world.now();
  }

  get seconds(): number {
    return Math.max(this.#slept, (this.#world.now() - this.#began) / 1000);
  }

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
