import type { Random } from "../core/random.ts";
import { bidRange, decimalsOf, usualBid } from "../core/marketplaces.ts";

/** Plausible amounts in the currency of a country. */
export class Money {
  readonly #countryCode: string;
  readonly #usualBid: number;
  readonly #decimals: number;
  readonly #random: Random;

  /** Amounts for a country, with the variety of `random`. */
  constructor(countryCode: string, random: Random) {
    this.#countryCode = countryCode;
    this.#usualBid = usualBid(countryCode);
    this.#decimals = decimalsOf(countryCode);
    this.#random = random;
  }

  /** A bid between a third of and three times the usual one. */
  bid(): number {
    return this.#rounded(this.#usualBid * 3 ** (2 * this.#random.next() - 1));
  }

  /** A bid of Sponsored Display, within its limits. */
  displayBid(): number {
    const [low, high] = bidRange(this.#countryCode, "sdCpc");
    return Math.min(high, Math.max(low, this.bid()));
  }

  /** A daily budget worth some dozen clicks, a round number. */
  budget(): number {
    const clicks = this.#random.pick([15, 20, 30, 40, 60, 80, 120]);
    const step = this.#usualBid >= 20 ? 500 : 5;
    return Math.max(step, Math.round((this.#usualBid * clicks) / step) * step);
  }

  #rounded(amount: number): number {
    return Number(amount.toFixed(this.#decimals));
  }
}
