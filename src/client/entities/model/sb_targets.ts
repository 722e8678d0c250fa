import type { ItemInput } from "./item_input.ts";
import type { InAdGroup, OpenEnum, OpenFields } from "./entity_fields.ts";

/** A Sponsored Brands product target: a product, category or brand. States and predicates are in lower case. */
export interface SbTarget extends InAdGroup, OpenFields {
  /** Id that the platform gives the target: digits, exact past 2^53. */
  readonly targetId: string;
  /** Predicates that describe the targeted products; a product must match all of them. Cannot be changed. */
  readonly expressions: readonly SbPredicate[];
  /** The expression with names in place of ids; read only. */
  readonly resolvedExpressions?: readonly SbPredicate[];
  /** State; omit it on create, because the platform enables every new target. */
  readonly state: OpenEnum<"enabled" | "paused" | "archived" | "draft">;
  /** Bid in the marketplace's currency. */
  readonly bid?: number;
}

/** A Sponsored Brands product target to create. */
export type NewSbTarget = ItemInput<SbTarget, "campaignId" | "adGroupId" | "expressions">;

/** Update of a Sponsored Brands product target: its id and the fields to change. */
export type SbTargetUpdate = ItemInput<SbTarget, "targetId">;

/**
 * A Sponsored Brands negative product target: a product or brand to exclude. It is enabled or archived, never paused.
 */
export interface SbNegativeTarget extends InAdGroup, OpenFields {
  /** Id that the platform gives the negative target: digits, exact past 2^53. */
  readonly targetId: string;
  /** Excluded product (`asinSameAs`) or brand (`asinBrandSameAs`); cannot be changed. */
  readonly expressions: readonly SbPredicate[];
  /** The excluded product or brand by name; read only. */
  readonly resolvedExpressions?: readonly SbPredicate[];
  /** State; omit it on create, because the platform enables every new negative target. */
  readonly state: OpenEnum<"enabled" | "archived" | "draft">;
}

/** A Sponsored Brands negative product target to create. */
export type NewSbNegativeTarget = ItemInput<SbNegativeTarget, "campaignId" | "adGroupId" | "expressions">;

/** Update of a Sponsored Brands negative product target: its id and the fields to change. */
export type SbNegativeTargetUpdate = ItemInput<SbNegativeTarget, "targetId">;

/** One part of a targeting expression of Sponsored Brands. */
export interface SbPredicate {
  /** Compared property: a product, a category or a brand; prices and ratings narrow the last two. */
  readonly type: OpenEnum<
    | "asinSameAs"
    | "asinCategorySameAs"
    | "asinBrandSameAs"
    | "asinPriceBetween"
    | "asinPriceGreaterThan"
    | "asinPriceLessThan"
    | "asinReviewRatingBetween"
    | "asinReviewRatingGreaterThan"
    | "asinReviewRatingLessThan"
  >;
  /** An ASIN, the id of a category or brand, an amount, or two amounts separated by a hyphen. */
  readonly value: string;
}
