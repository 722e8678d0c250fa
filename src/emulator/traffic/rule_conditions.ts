import type { Json } from "../core/json.ts";

/** Campaign sums over some days, as known on the following day. Amounts are in the currency. */
export interface PastFigures {
  readonly impressions: number;
  readonly clicks: number;
  readonly cost: number;
  readonly orders: number;
  readonly sales: number;
  readonly newToBrand: number;
  readonly topShare: number;
}

export interface Condition {
  /** ACOS, CLICKS, CPC, CTR, CVR, IMPRESSIONS, IS, NTB, ORDERS, ROAS, SALES or SPEND. */
  readonly metric: string;
  readonly comparison: string;
  readonly value: Json;
  readonly least: Json;
  readonly most: Json;
}

const METRICS: Readonly<Record<string, (figures: PastFigures) => number>> = {
  ACOS: ({ cost, sales }) => 100 * cost / sales,
  CLICKS: ({ clicks }) => clicks,
  CPC: ({ cost, clicks }) => cost / clicks,
  CTR: ({ clicks, impressions }) => 100 * clicks / impressions,
  CVR: ({ orders, clicks }) => 100 * orders / clicks,
  IMPRESSIONS: ({ impressions }) => impressions,
  IS: ({ topShare }) => topShare,
  NTB: ({ newToBrand, orders }) => 100 * newToBrand / orders,
  ORDERS: ({ orders }) => orders,
  ROAS: ({ sales, cost }) => sales / cost,
  SALES: ({ sales }) => sales,
  SPEND: ({ cost }) => cost,
};

/** Undefined rates never match. Rates other than ROAS and CPC are percentages. */
export function holdsFor(
  { metric, comparison, value, least, most }: Condition,
  figures: PastFigures,
): boolean {
  const is = METRICS[metric]?.(figures);
  if (is === undefined || !Number.isFinite(is)) return false;
  if (typeof least === "number" && is < least) return false;
  if (typeof most === "number" && is > most) return false;
  if (typeof value !== "number") return typeof least === "number" || typeof most === "number";
  switch (comparison) {
    case "EQUAL_TO":
      return is === value;
    case "GREATER_THAN":
      return is > value;
    case "GREATER_THAN_OR_EQUAL_TO":
      return is >= value;
    case "LESS_THAN":
      return is < value;
    case "LESS_THAN_OR_EQUAL_TO":
      return is <= value;
    default:
      return false;
  }
}
