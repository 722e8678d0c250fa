import type { OpenEnum } from "../../fields/open_enum.ts";

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
  /** Value to compare with, where the type wants one. */
  readonly value?: string;
}
