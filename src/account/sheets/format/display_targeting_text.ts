import type { SheetValue } from "./sheet_values.ts";
import { targetingText } from "./targeting_text.ts";

/**
 * A targeting expression of Sponsored Display: `asin="B000000000"`, `category="1" price<49.99`, `similar-product`,
 * `views=(exact-product lookback=30)`, `purchases=(category="1" lookback=90)`, `audience=(audience="2")`.
 */
export const DISPLAY_EXPRESSION: SheetValue = targetingText({
  alone: {
    similarProduct: "similar-product",
    exactProduct: "exact-product",
    relatedProduct: "related-product",
  },
  named: {
    asinSameAs: "asin",
    asinCategorySameAs: "category",
    asinBrandSameAs: "brand",
    asinAgeRangeSameAs: "age-range",
    asinGenreSameAs: "genre",
    asinIsPrimeShippingEligible: "prime-shipping-eligible",
    contentCategorySameAs: "content-category",
    audienceSameAs: "audience",
    negative: "negative",
  },
  compared: {
    lookback: ["lookback", "="],
    asinPriceLessThan: ["price", "<"],
    asinPriceGreaterThan: ["price", ">"],
    asinPriceBetween: ["price", "="],
    asinReviewRatingLessThan: ["rating", "<"],
    asinReviewRatingGreaterThan: ["rating", ">"],
    asinReviewRatingBetween: ["rating", "="],
  },
  nested: { views: "views", purchases: "purchases", audience: "audience" },
  open: /^[a-z]+[A-Z]\w*$/,
  expected: 'parts such as asin="B000000000", category="1" price<49.99, views=(exact-product lookback=30)',
});

/** True for an expression that targets audiences, not products or content. */
export function isAudience(expression: unknown): boolean {
  return Array.isArray(expression) && expression.some(({ value }) => Array.isArray(value));
}
