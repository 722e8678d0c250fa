import type { Clearable, ItemInput } from "./item_input.ts";
import type { Entity, InAdGroup, InCampaign, OpenEnum } from "./entity_fields.ts";

/** A Sponsored Products targeting clause: products, categories or automatic matches. */
export interface Target extends InAdGroup, Entity {
  /** Id that the platform gives the target: digits, exact past 2^53. */
  readonly targetId: string;
  /** Targeted products. */
  readonly expression: readonly TargetingPredicate[];
  /** Origin of the expression. */
  readonly expressionType: OpenEnum<"AUTO" | "MANUAL">;
  /** The expression with names in place of ids; read only. */
  readonly resolvedExpression?: readonly TargetingPredicate[];
  /** Bid in the marketplace's currency; if absent, the ad group's default bid applies. */
  readonly bid?: number;
}

/** A targeting clause to create. */
export type NewTarget = ItemInput<
  Target,
  "campaignId" | "adGroupId" | "expression" | "expressionType" | "state"
>;

/** Update of a targeting clause: its id and the fields to change. */
export type TargetUpdate = ItemInput<Clearable<Target, "bid" | "tags">, "targetId">;

/** A Sponsored Products negative targeting clause of an ad group. */
export interface NegativeTarget extends InAdGroup, Entity {
  /** Id that the platform gives the negative target: digits, exact past 2^53. */
  readonly targetId: string;
  /** Products or brands to exclude. */
  readonly expression: readonly TargetingPredicate[];
  /** The excluded products or brands by name; read only. */
  readonly resolvedExpression?: readonly TargetingPredicate[];
}

/** A negative targeting clause to create. */
export type NewNegativeTarget = ItemInput<
  NegativeTarget,
  "campaignId" | "adGroupId" | "expression" | "state"
>;

/** Update of a negative targeting clause: its id and the fields to change. */
export type NegativeTargetUpdate = ItemInput<Clearable<NegativeTarget, "tags">, "targetId">;

/** A Sponsored Products negative targeting clause of a whole campaign. */
export interface CampaignNegativeTarget extends InCampaign, Entity {
  /** Id that the platform gives the campaign-level negative target: digits, exact past 2^53. */
  readonly targetId: string;
  /** Products or brands to exclude. */
  readonly expression: readonly TargetingPredicate[];
  /** The excluded products or brands by name; read only. */
  readonly resolvedExpression?: readonly TargetingPredicate[];
}

/** A negative targeting clause of a campaign to create. */
export type NewCampaignNegativeTarget = ItemInput<
  CampaignNegativeTarget,
  "campaignId" | "expression" | "state"
>;

/** Update of a negative targeting clause of a campaign: its id and the fields to change. */
export type CampaignNegativeTargetUpdate = ItemInput<Clearable<CampaignNegativeTarget, "tags">, "targetId">;

/** One part of a targeting expression. */
export interface TargetingPredicate {
  /** Compared property. */
  readonly type: OpenEnum<
    | "ASIN_SAME_AS"
    | "ASIN_EXPANDED_FROM"
    | "ASIN_CATEGORY_SAME_AS"
    | "ASIN_BRAND_SAME_AS"
    | "ASIN_PRICE_BETWEEN"
    | "ASIN_PRICE_GREATER_THAN"
    | "ASIN_PRICE_LESS_THAN"
    | "ASIN_REVIEW_RATING_BETWEEN"
    | "ASIN_REVIEW_RATING_GREATER_THAN"
    | "ASIN_REVIEW_RATING_LESS_THAN"
    | "ASIN_AGE_RANGE_SAME_AS"
    | "ASIN_GENRE_SAME_AS"
    | "ASIN_IS_PRIME_SHIPPING_ELIGIBLE"
    | "QUERY_HIGH_REL_MATCHES"
    | "QUERY_BROAD_REL_MATCHES"
    | "ASIN_SUBSTITUTE_RELATED"
    | "ASIN_ACCESSORY_RELATED"
    | "KEYWORD_GROUP_SAME_AS"
  >;
  /** Value to compare with, if the type requires one. */
  readonly value?: string;
}

/**
 * Returns the ASIN of a clause that targets exactly one product; `undefined` for every other clause.
 *
 * @example
 * ```ts
 * import { asin } from "@platform/ads";
 *
 * console.log(asin({ expression: [{ type: "ASIN_SAME_AS", value: "B0DVQWC048" }] })); // B0DVQWC048
 * console.log(asin({ expression: [{ type: "ASIN_CATEGORY_SAME_AS", value: "7" }] })); // undefined
 * ```
 */
export function asin(target: Pick<Target, "expression">): string | undefined {
  const [only, ...more] = target.expression;
  if (more.length > 0 || only === undefined) return undefined;
  return only.type === "ASIN_SAME_AS" || only.type === "ASIN_EXPANDED_FROM" ? only.value : undefined;
}
