import type { ServedAd, ServedClause } from "./served_campaign.ts";

/** Amounts are in the currency's smallest unit. */
export interface Order {
  /** Days from click to purchase, 0 to 14. */
  readonly lag: number;
  /** Time from which reports include it, in epoch milliseconds. */
  readonly knownAt: number;
  readonly units: number;
  readonly sales: number;
  readonly asin: string;
  readonly promoted: boolean;
  readonly newToBrand: boolean;
}

export interface Click {
  readonly moment: number;
  /** In the currency's smallest unit. */
  readonly cost: number;
  readonly placement: number;
  readonly ad: ServedAd;
  readonly term: string;
  readonly viewed: boolean;
  readonly order: Order | undefined;
  readonly pages: number;
}

export interface ClauseDay {
  readonly clause: ServedClause;
  readonly impressions: number;
  readonly clicks: readonly Click[];
  readonly topShare: number;
}

export const PLACEMENTS = [
  "Top of Search on-Platform",
  "Detail Page on-Platform",
  "Other on-Platform",
  "Off Platform",
] as const;

export const PLACEMENT_WEIGHTS: readonly number[] = [12, 42, 43, 3];

export const CLICK_WEIGHTS: readonly number[] = [38, 27, 32, 3];
