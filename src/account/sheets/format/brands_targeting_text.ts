import type { SheetValue } from "./sheet_values.ts";
import { targetingText, type TargetingWords } from "./targeting_text.ts";

/** The words of the targeting expressions of Sponsored Brands; Sponsored Display has them all too. */
export const BRANDS_WORDS: TargetingWords = {
  alone: {},
  named: {
    asinSameAs: "asin",
    asinCategorySameAs: "category",
    asinBrandSameAs: "brand",
  },
  compared: {
    asinPriceLessThan: ["price", "<"],
    asinPriceGreaterThan: ["price", ">"],
    asinPriceBetween: ["price", "="],
    asinReviewRatingLessThan: ["rating", "<"],
    asinReviewRatingGreaterThan: ["rating", ">"],
    asinReviewRatingBetween: ["rating", "="],
  },
  open: /^[a-z]+[A-Z]\w*$/,
  expected: 'parts such as asin="B000000000", brand="1", category="1" price<49.99',
};

/** A targeting expression of Sponsored Brands: `asin="B000000000"`, `category="5524098011" price<49.99 rating>3`. */
export const BRANDS_EXPRESSION: SheetValue = targetingText(BRANDS_WORDS);
