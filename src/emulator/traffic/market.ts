import { hash } from "../core/random.ts";
import { decimalsOf, usualBid } from "../core/marketplaces.ts";
import type { ProfileState } from "../state/profile_state.ts";
import type { TrafficLevels } from "../state/traffic_levels.ts";

/** Properties of a profile's traffic. Amounts are integers in the currency's smallest unit. */
export class Market {
  readonly seed: string;
  readonly asOf: number;
  readonly timeZone: string;
  readonly currencyCode: string;
  /** Smallest units per unit of the currency: 100 cents, one yen. */
  readonly unit: number;
  readonly usualBid: number;
  readonly isAuthor: boolean;
  readonly levels: TrafficLevels | undefined;

  constructor(profile: ProfileState, { seed, asOf }: { seed: string; asOf: number }) {
    const { countryCode, currencyCode, timezone, accountInfo } = profile.record;
    this.seed = seed;
    this.asOf = asOf;
    this.timeZone = timezone;
    this.currencyCode = currencyCode;
    this.unit = 10 ** decimalsOf(countryCode);
    this.usualBid = usualBid(countryCode);
    this.levels = profile.levels;
    this.isAuthor = accountInfo.subType === "KDP_AUTHOR";
  }

  /** Price of a product in the smallest unit, constant per product. */
  priceOf(asin: string): number {
    const dearness = share(`price ${asin}`);
    const price = this.usualBid * (14 + 50 * dearness * dearness);
    return this.unit === 1 ? Math.round(price / 10) * 10 : Math.ceil(price) * this.unit - 1;
  }
}

export function share(text: string): number {
  return (hash(text) >>> 0) / 2 ** 32;
}
