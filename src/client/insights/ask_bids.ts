import { type BidExpression, bidFamily } from "./bid_expression.ts";
import type { Fields } from "../entities/model/resource_wire.ts";
import { chunks } from "../../base/json/chunks.ts";
import type { ProfileScope } from "../../platform/transport/profile_scope.ts";

const PATH = "/sp/targets/bid/recommendations";
const MEDIA_TYPE = "application/vnd.spthemebasedbidrecommendation.v4+json";
const EXPRESSIONS_A_REQUEST = 100;

export type BidsByTheme = Map<string, SuggestedBid[]>;

export async function askBids(
  scope: ProfileScope,
  body: Fields,
  options: { expressions: readonly BidExpression[]; signal: AbortSignal | undefined },
): Promise<BidsByTheme> {
  const distinct = new Map(options.expressions.map((expression) => [keyOf(expression), expression]));
  const families = Map.groupBy(distinct.values(), ({ type }) => bidFamily(type));
  const prices = new Map<string, Map<string, Prices>>();
  for (const family of families.values()) {
    for (const targetingExpressions of chunks(family, EXPRESSIONS_A_REQUEST)) {
      const response = await scope.request("POST", PATH, {
        json: { ...body, targetingExpressions },
        contentType: MEDIA_TYPE,
        accept: MEDIA_TYPE,
        idempotent: true,
        signal: options.signal,
      });
      collect(response, prices);
    }
  }
  const byTheme: BidsByTheme = new Map();
  for (const [theme, found] of prices) byTheme.set(theme, inOrder(options.expressions, theme, found));
  return byTheme;
}

export function withoutPrices(expressions: readonly BidExpression[], theme: string): SuggestedBid[] {
  return inOrder(expressions, theme, new Map());
}

interface Prices {
  low: number | undefined;
  suggested: number | undefined;
  high: number | undefined;
}

const NO_PRICES: Prices = { low: undefined, suggested: undefined, high: undefined };

function inOrder(
  expressions: readonly BidExpression[],
  theme: string,
  found: ReadonlyMap<string, Prices>,
): SuggestedBid[] {
  return expressions.map((expression) => ({
    expression,
    theme,
    ...found.get(keyOf(expression)) ?? NO_PRICES,
  }));
}

function collect(response: unknown, prices: Map<string, Map<string, Prices>>): void {
  for (
    const { theme, bidRecommendationsForTargetingExpressions: list } of records(
      response,
      "bidRecommendations",
    )
  ) {
    const name = String(theme);
    const ofTheme = prices.get(name) ?? new Map<string, Prices>();
    prices.set(name, ofTheme);
    for (const entry of Array.isArray(list) ? list as Fields[] : []) {
      const expression = entry["targetingExpression"] as BidExpression | undefined;
      if (expression !== undefined) ofTheme.set(keyOf(expression), pricesOf(entry["bidValues"]));
    }
  }
}

/**
 * Reads the prices of a suggestion. Three values are low, suggested and high; of two values, the lower is used as the
 * cautious choice.
 */
function pricesOf(bidValues: unknown): Prices {
  const values = (Array.isArray(bidValues) ? bidValues as Fields[] : [])
    .map((value) => value["suggestedBid"])
    .filter((bid) => typeof bid === "number");
  if (values.length === 3) return { low: values[0], suggested: values[1], high: values[2] };
  return { ...NO_PRICES, suggested: values[0] };
}

/** Returns a key for an expression, in lower case because the platform may echo texts in another case. */
function keyOf({ type, value }: BidExpression): string {
  return bidFamily(type) === "auto" ? type : `${type} ${value?.toLowerCase() ?? ""}`;
}

function records(response: unknown, field: string): Fields[] {
  const list = (response as Fields | undefined)?.[field];
  return Array.isArray(list) ? list : [];
}

/** A suggested bid. Prices are in the marketplace's currency; `undefined` if the platform gives none. */
export interface SuggestedBid {
  /** Target of the bid, in the terms of the suggestion service. */
  readonly expression: BidExpression;
  /** Occasion of the suggestion, for example `CONVERSION_OPPORTUNITIES`. */
  readonly theme: string;
  /** Lower end of the range of recently winning bids. */
  readonly low: number | undefined;
  /** The suggested bid. */
  readonly suggested: number | undefined;
  /** Upper end of the range of recently winning bids. */
  readonly high: number | undefined;
}

/** A suggestion for a targeting clause. */
export interface TargetSuggestion extends SuggestedBid {
  /** Id of the clause. */
  readonly targetId: string;
}
