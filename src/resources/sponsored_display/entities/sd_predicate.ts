import type { OpenEnum } from "../../fields/open_enum.ts";

/** One part of a targeting expression of Sponsored Display. */
export interface SdPredicate {
  /**
   * Compared property: products (`asinSameAs`, `asinCategorySameAs`, `asinPriceBetween`, `similarProduct` ...), content
   * (`contentCategorySameAs`), or audiences (`views`, `purchases`, `audience`), whose value is a list.
   */
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
    | "asinAgeRangeSameAs"
    | "asinGenreSameAs"
    | "asinIsPrimeShippingEligible"
    | "similarProduct"
    | "contentCategorySameAs"
    | "views"
    | "purchases"
    | "audience"
  >;
  /** Value to compare with; of an audience the parts that describe it, such as `{ type: "lookback", value: "30" }`. */
  readonly value?:
    | string
    | readonly {
      /** Compared property: as above, or `exactProduct`, `relatedProduct`, `audienceSameAs`, `lookback`, `negative`. */
      readonly type: string;
      /** Value to compare with, where the type wants one. */
      readonly value?: string;
    }[];
}
