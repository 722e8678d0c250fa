import type { OpenEnum } from "../entities/model/entity_fields.ts";

/** Target of a suggested bid, in the terms of the suggestion service. */
export interface BidExpression {
  /** Kind of expression. */
  readonly type: OpenEnum<
    | "KEYWORD_EXACT_MATCH"
    | "KEYWORD_PHRASE_MATCH"
    | "KEYWORD_BROAD_MATCH"
    | "PAT_ASIN"
    | "PAT_CATEGORY"
    | "PAT_CATEGORY_REFINEMENT"
    | "CLOSE_MATCH"
    | "LOOSE_MATCH"
    | "SUBSTITUTES"
    | "COMPLEMENTS"
    | "KEYWORD_GROUP"
  >;
  /** Keyword text, product or category; automatic matches have none. */
  readonly value?: string | undefined;
}

/** Family of an expression; expressions of different families must not share a request. */
type BidFamily = "keyword" | "product" | "auto" | "group";

const FAMILIES: ReadonlyMap<string, BidFamily> = new Map(Object.entries({
  KEYWORD_EXACT_MATCH: "keyword",
  KEYWORD_PHRASE_MATCH: "keyword",
  KEYWORD_BROAD_MATCH: "keyword",
  PAT_ASIN: "product",
  PAT_CATEGORY: "product",
  PAT_CATEGORY_REFINEMENT: "product",
  CLOSE_MATCH: "auto",
  LOOSE_MATCH: "auto",
  SUBSTITUTES: "auto",
  COMPLEMENTS: "auto",
  KEYWORD_GROUP: "group",
}));

const FROM_CAMPAIGN: ReadonlyMap<string, string> = new Map(Object.entries({
  EXACT: "KEYWORD_EXACT_MATCH",
  PHRASE: "KEYWORD_PHRASE_MATCH",
  BROAD: "KEYWORD_BROAD_MATCH",
  ASIN_SAME_AS: "PAT_ASIN",
  ASIN_CATEGORY_SAME_AS: "PAT_CATEGORY",
  QUERY_HIGH_REL_MATCHES: "CLOSE_MATCH",
  QUERY_BROAD_REL_MATCHES: "LOOSE_MATCH",
  ASIN_SUBSTITUTE_RELATED: "SUBSTITUTES",
  ASIN_ACCESSORY_RELATED: "COMPLEMENTS",
  KEYWORD_GROUP_SAME_AS: "KEYWORD_GROUP",
}));

/**
 * Returns the expression for a match type or predicate as written in campaigns; `undefined` if no bids are suggested
 * for it.
 *
 * @example
 * ```ts
 * import { bidExpression } from "@platform/ads";
 *
 * console.log(bidExpression("EXACT", "iron pan")); // { type: "KEYWORD_EXACT_MATCH", value: "iron pan" }
 * ```
 */
export function bidExpression(type: string, value?: string): BidExpression | undefined {
  const known = FAMILIES.has(type) ? type : FROM_CAMPAIGN.get(type);
  if (known === undefined) return undefined;
  return value === undefined ? { type: known } : { type: known, value };
}

export function bidFamily(type: string): BidFamily | undefined {
  return FAMILIES.get(type);
}
