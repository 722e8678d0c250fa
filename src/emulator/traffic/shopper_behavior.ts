import { isObject, type JsonObject } from "../core/json.ts";
import { type Market, share } from "./market.ts";

export interface ShopperBehavior {
  readonly pace: number;
  readonly paceBid: number;
  readonly clickRate: number;
  readonly orderRate: number;
  /** Cost of a click as a share of the bid; random if absent. */
  readonly costShare?: number;
  /** In the currency; defaults to the product's price. */
  readonly orderValue?: number;
}

const USUAL: Readonly<Record<string, Pick<ShopperBehavior, "pace" | "clickRate" | "orderRate">>> = {
  EXACT: { pace: 30, clickRate: 0.0095, orderRate: 0.13 },
  PHRASE: { pace: 45, clickRate: 0.007, orderRate: 0.1 },
  BROAD: { pace: 60, clickRate: 0.005, orderRate: 0.08 },
  TARGETING_EXPRESSION: { pace: 50, clickRate: 0.0045, orderRate: 0.07 },
  TARGETING_EXPRESSION_PREDEFINED: { pace: 320, clickRate: 0.0045, orderRate: 0.08 },
};

const AUTO_WORDS: Readonly<Record<string, string>> = {
  QUERY_HIGH_REL_MATCHES: "close-match",
  QUERY_BROAD_REL_MATCHES: "loose-match",
  ASIN_SUBSTITUTE_RELATED: "substitutes",
  ASIN_ACCESSORY_RELATED: "complements",
};

const WORDS: Readonly<Record<string, string>> = {
  ASIN_SAME_AS: "asin",
  ASIN_EXPANDED_FROM: "asin-expanded",
  ASIN_CATEGORY_SAME_AS: "category",
  ASIN_BRAND_SAME_AS: "brand",
  ASIN_PRICE_BETWEEN: "price",
  ASIN_REVIEW_RATING_BETWEEN: "rating",
  KEYWORD_GROUP_SAME_AS: "keyword-group",
};

/** Without given levels, a few targets get many impressions and most get few. */
export function shopperBehavior(
  { id, type }: { readonly id: string; readonly type: string },
  { seed, usualBid, levels }: Pick<Market, "seed" | "usualBid" | "levels">,
): ShopperBehavior {
  const level = levels?.clauses[id] ?? levels?.usual[type];
  if (level !== undefined) {
    const { impressions: pace, bid: paceBid, ...rates } = level;
    return { pace, paceBid, ...rates };
  }
  const usual = USUAL[type] ?? USUAL.BROAD!;
  const spread = share(`${seed} pace ${id}`) + share(`${seed} pace again ${id}`) +
    share(`${seed} third ${id}`);
  return {
    paceBid: usualBid,
    pace: usual.pace * Math.exp(2.2 * (spread - 1.5)),
    clickRate: usual.clickRate * (0.6 + 0.8 * share(`${seed} clicks ${id}`)),
    orderRate: usual.orderRate * (0.4 + 1.2 * share(`${seed} orders ${id}`)),
  };
}

/** Describes a target as text, for example `close-match` or `asin="B0..."`. */
export function describeTarget(expression: readonly JsonObject[]): string {
  return expression.map(({ type, value }) => {
    const automatic = AUTO_WORDS[String(type)];
    if (automatic !== undefined) return automatic;
    const word = WORDS[String(type)] ?? String(type).toLowerCase().replaceAll("_", "-");
    if (Array.isArray(value)) return `${word}=(${describeTarget(value.filter(isObject))})`;
    return value === undefined ? word : `${word}="${value}"`;
  }).join(" ");
}
