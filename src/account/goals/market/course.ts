import type { Market } from "./market.ts";
import { playWeek, type Week } from "./play_week.ts";
import type { Settings } from "./settings.ts";

/** Weeks of a simulated month. */
export const MONTH_WEEKS = 4;

/** One run through the weeks. Rivals react only to the bids of this run. */
export class Course {
  week = 0;
  readonly #react: Float64Array;
  readonly #credit: Float64Array;

  constructor(readonly market: Market) {
    this.#react = new Float64Array(market.size.targets);
    this.#credit = new Float64Array(market.campaigns);
  }

  /** Shift of a target's rivals in the coming week. */
  rivals(at: number): number {
    return this.market.shift(at, this.week) + this.#react[at]!;
  }

  /** Simulates the coming week. */
  step(settings: Settings): Week {
    const week = this.#play(settings, this.#credit);
    const { market } = this;
    for (let at = 0; at < market.size.targets; at++) {
      const goal = market.reaction(at) * Math.log(settings.bids[at]! / market.first.bids[at]!);
      this.#react[at]! += 0.5 * (goal - this.#react[at]!);
    }
    this.week++;
    if (this.week % MONTH_WEEKS === 0) this.#credit.fill(0);
    return week;
  }

  /** Returns the expected profit and figures of the coming week under the given settings, without applying them. */
  expect(settings: Settings): Week {
    return this.#play(settings, this.#credit.slice());
  }

  #play(settings: Settings, credit: Float64Array): Week {
    return playWeek(this.market, { week: this.week, settings, rivals: (at) => this.rivals(at), credit });
  }
}
