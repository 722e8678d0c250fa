import type { OpenEnum } from "../../fields/open_enum.ts";

/** One part of a targeting expression of Sponsored Display. */
export interface SdPredicate {
  /**
   * What is compared: products (`asinSameAs`, `asinCategorySameAs`, `asinPriceBetween`, `similarProduct` ...), content
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
  /** What it is compared with; of an audience the parts that describe it, such as `{ type: "lookback", value: "30" }`. */
  readonly value?:
    | string
    | readonly {
      /** What is compared: as above, or `exactProduct`, `relatedProduct`, `audienceSameAs`, `lookback`, `negative`. */
      readonly type: string;
      /** What it is compared with, where the type wants a value. */
      readonly value?: string;
    }[];
}
