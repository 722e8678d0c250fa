import type { ServedAd, ServedClause } from "./served_campaign.ts";

/** A purchase after a click. Amounts are in the currency's smallest unit. */
export interface Order {
  /** Whole days between click and purchase, 0 to 14. */
  readonly lag: number;
  /** When reports begin to count it, milliseconds since the epoch. */
  readonly knownAt: number;
  /** Pieces. */
  readonly units: number;
  /** Sales of the purchase. */
  readonly sales: number;
  /** The product. */
  readonly asin: string;
  /** True if it is the product in the ad. */
  readonly promoted: boolean;
  /** True if the shopper had not bought of the brand for a year. */
  readonly newToBrand: boolean;
}

/** One click on an ad. */
export interface Click {
  /** When, milliseconds since the epoch. */
  readonly moment: number;
  /** Cost in the currency's smallest unit. */
  readonly cost: number;
  /** Place in {@linkcode PLACEMENTS}. */
  readonly placement: number;
  readonly ad: ServedAd;
  /** Search term of the shopper. */
  readonly term: string;
  /** True if the shopper went on to a product's page. */
  readonly viewed: boolean;
  /** The purchase it led to. */
  readonly order: Order | undefined;
  /** Pages of an author's books that were read after it. */
  readonly pages: number;
}

export interface ClauseDay {
  /** The keyword or target. */
  readonly clause: ServedClause;
  /** Number of times the ad was shown. */
  readonly impressions: number;
  /** The clicks, in order of time. */
  readonly clicks: readonly Click[];
  /** Per cent of the impressions at the top of the first page that could have been had. */
  readonly topShare: number;
}

/** Placements of ads, as reports name them. */
export const PLACEMENTS = [
  "Top of Search on-Platform",
  "Detail Page on-Platform",
  "Other on-Platform",
  "Off Platform",
] as const;

/** How impressions spread over {@linkcode PLACEMENTS}; clicks spread by their own weights. */
export const PLACEMENT_WEIGHTS: readonly number[] = [12, 42, 43, 3];

/** How clicks spread over {@linkcode PLACEMENTS}. */
export const CLICK_WEIGHTS: readonly number[] = [38, 27, 32, 3];
