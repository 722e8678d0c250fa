import { hash } from "../core/random.ts";
import { decimalsOf, usualBid } from "../core/marketplaces.ts";
import type { ProfileState } from "../state/profile_state.ts";
import type { TrafficLevels } from "../state/traffic_levels.ts";

/** Common properties of all traffic of a profile. Amounts are integers in the currency's smallest unit. */
export class Market {
  readonly seed: string;
  /** Up to when things have happened, milliseconds since the epoch. */
  readonly asOf: number;
  /** Time zone of the profile's days. */
  readonly timeZone: string;
  /** Currency of every amount. */
  readonly currencyCode: string;
  /** Smallest units in one of the currency: 100 cents, one yen. */
  readonly unit: number;
  /** A usual bid in the currency. */
  readonly usualBid: number;
  /** True if the profile is an author's, with counted pages of readers. */
  readonly isAuthor: boolean;
  /** Levels that the traffic goes on from; `undefined` where it is made up. */
  readonly levels: TrafficLevels | undefined;

  /** The market of a profile as it is known at the moment `asOf`. */
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

  /** Price of a product in the smallest unit: constant for one product. */
  priceOf(asin: string): number {
    const dearness = share(`price ${asin}`);
    const price = this.usualBid * (14 + 50 * dearness * dearness);
    return this.unit === 1 ? Math.round(price / 10) * 10 : Math.ceil(price) * this.unit - 1;
  }
}

/** A number from 0 up to 1 that belongs to a text. */
export function share(text: string): number {
  return (hash(text) >>> 0) / 2 ** 32;
}
