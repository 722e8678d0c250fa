import type { ServedAd, ServedClause } from "./served_campaign.ts";

/** A purchase after a click. Amounts are in the currency's smallest unit. */
export interface Order {
  /** Days from click to purchase, 0 to 14. */
  readonly lag: number;
  /** Time from which reports count it, epoch milliseconds. */
  readonly knownAt: number;
  readonly units: number;
  readonly sales: number;
  readonly asin: string;
  /** True for the advertised product. */
  readonly promoted: boolean;
  /** True if the shopper had not bought the brand for a year. */
  readonly newToBrand: boolean;
}

/** One click on an ad. */
export interface Click {
  /** Time, epoch milliseconds. */
  readonly moment: number;
  /** Cost in the currency's smallest unit. */
  readonly cost: number;
  /** Index into {@linkcode PLACEMENTS}. */
  readonly placement: number;
  readonly ad: ServedAd;
  /** Search term of the shopper. */
  readonly term: string;
  /** True if the shopper viewed a product page. */
  readonly viewed: boolean;
  /** Resulting purchase. */
  readonly order: Order | undefined;
  /** Pages read of an author's books. */
  readonly pages: number;
}

export interface ClauseDay {
  readonly clause: ServedClause;
  readonly impressions: number;
  readonly clicks: readonly Click[];
  /** Share of possible top-of-search impressions, in percent. */
  readonly topShare: number;
}

/** Placements by report name. */
export const PLACEMENTS = [
  "Top of Search on-Platform",
  "Detail Page on-Platform",
  "Other on-Platform",
  "Off Platform",
] as const;

/** Distribution of impressions over {@linkcode PLACEMENTS}. */
export const PLACEMENT_WEIGHTS: readonly number[] = [12, 42, 43, 3];

/** Distribution of clicks over {@linkcode PLACEMENTS}. */
export const CLICK_WEIGHTS: readonly number[] = [38, 27, 32, 3];
