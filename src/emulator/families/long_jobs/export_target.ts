import { type JsonObject, objectsIn } from "../../core/json.ts";
import { expressionOf } from "../../traffic/vocabulary.ts";
import { defined } from "../unified/common.ts";

export interface ExportedTarget {
  /** For example KEYWORD or PRODUCT_CATEGORY. */
  readonly targetType: string;
  readonly targetDetails: JsonObject;
}

const AUTOMATIC: Readonly<Record<string, string>> = {
  QUERY_HIGH_REL_MATCHES: "SEARCH_CLOSE_MATCH",
  QUERY_BROAD_REL_MATCHES: "SEARCH_LOOSE_MATCH",
  ASIN_SUBSTITUTE_RELATED: "PRODUCT_SUBSTITUTES",
  ASIN_ACCESSORY_RELATED: "PRODUCT_COMPLEMENTS",
};
const PRODUCTS: Readonly<Record<string, string>> = {
  ASIN_SAME_AS: "PRODUCT_EXACT",
  ASIN_EXPANDED_FROM: "PRODUCT_SIMILAR",
  SIMILAR_PRODUCT: "PRODUCT_SIMILAR",
};
const REFINEMENTS: Readonly<Record<string, string>> = {
  ASIN_CATEGORY_SAME_AS: "productCategoryId",
  ASIN_BRAND_SAME_AS: "productBrand",
  ASIN_AGE_RANGE_SAME_AS: "productAgeRange",
  ASIN_GENRE_SAME_AS: "productGenre",
  ASIN_IS_PRIME_SHIPPING_ELIGIBLE: "productPrimeShippingEligible",
  ASIN_PRICE_GREATER_THAN: "productPriceGreaterThan",
  ASIN_PRICE_LESS_THAN: "productPriceLessThan",
  ASIN_REVIEW_RATING_GREATER_THAN: "productRatingGreaterThan",
  ASIN_REVIEW_RATING_LESS_THAN: "productRatingLessThan",
};
const RANGES: Readonly<Record<string, readonly [from: string, to: string]>> = {
  ASIN_PRICE_BETWEEN: ["productPriceGreaterThan", "productPriceLessThan"],
  ASIN_REVIEW_RATING_BETWEEN: ["productRatingGreaterThan", "productRatingLessThan"],
};
const EVENTS: Readonly<Record<string, string>> = { VIEWS: "VIEW", PURCHASES: "PURCHASE" };

export function exportedKeyword(keyword: JsonObject): ExportedTarget {
  return {
    targetType: "KEYWORD",
    targetDetails: defined({
      matchType: String(keyword.matchType).toUpperCase().replace(/^NEGATIVE_?/, ""),
      keyword: keyword.keywordText,
      nativeLanguageKeyword: keyword.nativeLanguageKeyword,
      nativeLanguageLocale: keyword.nativeLanguageLocale,
    }),
  };
}

export function exportedTheme({ themeType }: JsonObject): ExportedTarget {
  const matchType = String(themeType).replace(/^KEYWORDS_/, "SEARCH_");
  return { targetType: "AUTO", targetDetails: { matchType } };
}

export function exportedExpression(target: JsonObject): ExportedTarget {
  const expression = expressionOf(target);
  const { type, value } = expression[0] ?? {};
  const word = String(type);
  if (AUTOMATIC[word] !== undefined) {
    return { targetType: "AUTO", targetDetails: { matchType: AUTOMATIC[word] } };
  }
  if (word === "AUDIENCE") {
    const audience = partsOf(value).find((part) => part.type === "audienceSameAs");
    return { targetType: "AUDIENCE", targetDetails: defined({ audienceId: audience?.value }) };
  }
  const event = EVENTS[word];
  if (event !== undefined) return exportedEvent(event, partsOf(value));
  if (word === "CONTENT_CATEGORY_SAME_AS") {
    return { targetType: "CONTENT_CATEGORY", targetDetails: { productCategoryId: String(value) } };
  }
  if (PRODUCTS[word] !== undefined) {
    return { targetType: "PRODUCT", targetDetails: defined({ matchType: PRODUCTS[word], asin: value }) };
  }
  return {
    targetType: "PRODUCT_CATEGORY",
    targetDetails: Object.assign({}, ...expression.map(refinementOf)),
  };
}

function exportedEvent(event: string, parts: readonly JsonObject[]): ExportedTarget {
  const lookback = parts.find(({ type }) => type === "lookback")?.value;
  const refinements: JsonObject = Object.assign(
    {},
    ...expressionOf({ expression: [...parts] }).map(refinementOf),
  );
  return {
    targetType: refinements.productCategoryId === undefined
      ? "PRODUCT_AUDIENCE"
      : "PRODUCT_CATEGORY_AUDIENCE",
    targetDetails: defined({
      ...refinements,
      event,
      lookback: lookback === undefined ? undefined : Number(lookback),
    }),
  };
}

function refinementOf({ type, value }: JsonObject): JsonObject {
  const range = RANGES[String(type)];
  if (range !== undefined) {
    const [from, to] = String(value).split("-").map(Number);
    return { [range[0]]: from!, [range[1]]: to! };
  }
  const name = REFINEMENTS[String(type)];
  if (name === undefined) return {};
  if (name === "productPrimeShippingEligible") return { [name]: String(value) === "true" };
  return { [name]: /Than$/.test(name) ? Number(value) : String(value) };
}

function partsOf(value: JsonObject[string] | undefined): JsonObject[] {
  return objectsIn(value) ?? [];
}
