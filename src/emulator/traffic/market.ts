import { hash } from "../core/random.ts";
import { decimalsOf, usualBid } from "../core/marketplaces.ts";
import type { ProfileState } from "../state/profile_state.ts";
import type { TrafficLevels } from "../state/traffic_levels.ts";

/** Properties of a profile's traffic. Amounts are integers in the currency's smallest unit. */
export class Market {
  readonly seed: string;
  /** Present moment of the simulation, epoch milliseconds. */
  readonly asOf: number;
  readonly timeZone: string;
  readonly currencyCode: string;
  /** Smallest units per unit of the currency: 100 cents, one yen. */
  readonly unit: number;
  readonly usualBid: number;
  /** True for an author's profile, with page reads. */
  readonly isAuthor: boolean;
  /** Base levels of traffic; `undefined` for made-up ones. */
  readonly levels: TrafficLevels | undefined;

  /** Market of a profile at the moment `asOf`. */
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

/** Number from 0 to 1 derived from a text. */
export function share(text: string): number {
  return (hash(text) >>> 0) / 2 ** 32;
}
