import type { OpenEnum } from "../../fields/open_enum.ts";

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
  /** An ASIN, the id of a category or brand, an amount, or two with a hyphen between them. */
  readonly value: string;
}
