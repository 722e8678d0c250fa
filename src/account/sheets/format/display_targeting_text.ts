import { BRANDS_WORDS } from "./brands_targeting_text.ts";
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
    ...BRANDS_WORDS.named,
    asinAgeRangeSameAs: "age-range",
    asinGenreSameAs: "genre",
    asinIsPrimeShippingEligible: "prime-shipping-eligible",
    contentCategorySameAs: "content-category",
    audienceSameAs: "audience",
    negative: "negative",
  },
  compared: {
    lookback: ["lookback", "="],
    ...BRANDS_WORDS.compared,
  },
  nested: { views: "views", purchases: "purchases", audience: "audience" },
  open: BRANDS_WORDS.open,
  expected: 'parts such as asin="B000000000", category="1" price<49.99, views=(exact-product lookback=30)',
});

/** True for an expression that targets audiences, not products or content. */
export function isAudience(expression: unknown): boolean {
  return Array.isArray(expression) && expression.some(({ value }) => Array.isArray(value));
}
