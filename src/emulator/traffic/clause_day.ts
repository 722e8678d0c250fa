import type { ServedAd, ServedClause } from "./served_campaign.ts";

/** What followed a click: a purchase. Amounts are in the currency's smallest unit. */
export interface Order {
  /** Whole days between click and purchase, 0 to 14. */
  readonly lag: number;
  /** When reports begin to count it, milliseconds since the epoch. */
  readonly knownAt: number;
  /** Pieces. */
  readonly units: number;
  /** What was paid. */
  readonly sales: number;
  /** The product. */
  readonly asin: string;
  /** Whether it is the product that the ad showed. */
  readonly promoted: boolean;
  /** Whether the shopper had not bought of the brand for a year. */
  readonly newToBrand: boolean;
}

/** One click on an ad. */
export interface Click {
  /** When, milliseconds since the epoch. */
  readonly moment: number;
  /** What it cost, in the currency's smallest unit. */
  readonly cost: number;
  /** Place in {@linkcode PLACEMENTS}. */
  readonly placement: number;
  readonly ad: ServedAd;
  /** What the shopper had typed. */
  readonly term: string;
  /** Whether the shopper went on to a product's page. */
  readonly viewed: boolean;
  /** The purchase it led to. */
  readonly order: Order | undefined;
  /** Pages of an author's books that were read after it. */
  readonly pages: number;
}

/** What a keyword or target came to in one day. */
export interface ClauseDay {
  /** The keyword or target. */
  readonly clause: ServedClause;
  /** How often an ad was shown. */
  readonly impressions: number;
  /** The clicks, in order of time. */
  readonly clicks: readonly Click[];
  /** Per cent of the impressions at the top of the first page that could have been had. */
  readonly topShare: number;
}

/** Where ads are shown, as reports name the places. */
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
