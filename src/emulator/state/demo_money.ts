import type { Random } from "../core/random.ts";
import { bidRange, decimalsOf, usualBid } from "../core/marketplaces.ts";

export class Money {
  readonly #countryCode: string;
  readonly #usualBid: number;
  readonly #decimals: number;
  readonly #random: Random;

  constructor(countryCode: string, random: Random) {
    this.#countryCode = countryCode;
    this.#usualBid = usualBid(countryCode);
    this.#decimals = decimalsOf(countryCode);
    this.#random = random;
  }

  /** Draws a bid between a third of the usual bid and three times the usual bid. */
  bid(): number {
    return this.#rounded(this.#usualBid * 3 ** (2 * this.#random.next() - 1));
  }

  displayBid(): number {
    const [low, high] = bidRange(this.#countryCode, "sdCpc");
    return Math.min(high, Math.max(low, this.bid()));
  }

  budget(): number {
    const clicks = this.#random.pick([15, 20, 30, 40, 60, 80, 120]);
    const step = this.#usualBid >= 20 ? 500 : 5;
    return Math.max(step, Math.round((this.#usualBid * clicks) / step) * step);
  }

  #rounded(amount: number): number {
    return Number(amount.toFixed(this.#decimals));
  }
}
