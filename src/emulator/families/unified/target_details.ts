import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import {
  choice,
  type Field,
  FLAG,
  number,
  object,
  optional,
  required,
  type Shape,
  text,
} from "../../entities/shape.ts";
import { expressionOf } from "../../traffic/vocabulary.ts";
import { defined, part } from "./common.ts";

interface TargetShape {
  readonly targetType: string;
  readonly targetDetails: JsonObject;
}

const THEMES: Readonly<Record<string, string>> = {
  KEYWORDS_CLOSE_MATCH: "QUERY_HIGH_REL_MATCHES",
  KEYWORDS_LOOSE_MATCH: "QUERY_BROAD_REL_MATCHES",
  PRODUCT_SUBSTITUTES: "ASIN_SUBSTITUTE_RELATED",
  PRODUCT_COMPLEMENTS: "ASIN_ACCESSORY_RELATED",
};
const PRODUCTS: Readonly<Record<string, string>> = {
  PRODUCT_EXACT: "ASIN_SAME_AS",
  PRODUCT_SIMILAR: "ASIN_EXPANDED_FROM",
};
const REFINEMENTS: Readonly<Record<string, string>> = {
  ASIN_CATEGORY_SAME_AS: "productCategoryId",
  ASIN_BRAND_SAME_AS: "productBrandId",
  ASIN_AGE_RANGE_SAME_AS: "productAgeRangeId",
  ASIN_GENRE_SAME_AS: "productGenreId",
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
const TEXT_REFINEMENTS = ["productCategoryId", "productBrandId", "productAgeRangeId", "productGenreId"];

export function refinementShape(lacks: readonly string[] = []): Shape {
  const fields = Object.values(REFINEMENTS).filter((name) => !lacks.includes(name)).map((
    name,
  ): [string, Field] => {
    const shape = name === "productPrimeShippingEligible"
      ? FLAG
      : TEXT_REFINEMENTS.includes(name)
      ? text()
      : number();
    return [name, optional(shape)];
  });
  return object(Object.fromEntries(fields));
}

export function isRefinement(type: string): boolean {
  return Object.hasOwn(REFINEMENTS, type) || Object.hasOwn(RANGES, type);
}

export function camelCase(type: Json | undefined): string {
  return String(type).toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function snakeCase(type: Json | undefined): string {
  return String(type).replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

const GROUPS: Readonly<Record<string, string>> = {
  KEYWORDS_RELATED_TO_YOUR_PRODUCT_CATEGORY: "category",
  KEYWORDS_RELATED_TO_YOUR_BRAND: "brand",
  KEYWORDS_RELATED_TO_GIFTS: "gift",
};

export const TARGET_DETAILS: Field = required(object({
  keywordTarget: optional(object({
    keyword: required(text()),
    matchType: required(choice("BROAD", "EXACT", "PHRASE")),
    nativeLanguageKeyword: optional(text()),
    nativeLanguageLocale: optional(text()),
  })),
  productTarget: optional(object({
    matchType: required(choice(...Object.keys(PRODUCTS))),
    product: required(object({ productId: required(text()) })),
    productIdType: required(choice("ASIN")),
  })),
  productCategoryTarget: optional(object({
    productCategoryRefinement: required(object({ productCategoryRefinement: required(refinementShape()) })),
  })),
  themeTarget: optional(
    object({ matchType: required(choice(...Object.keys(THEMES), ...Object.keys(GROUPS))) }),
  ),
}));

export function toExpression(details: JsonObject): JsonObject[] {
  const product = part(details, "productTarget");
  if (product.matchType !== undefined) {
    return [{
      type: PRODUCTS[String(product.matchType)]!,
      value: String(part(product, "product").productId),
    }];
  }
  const theme = part(details, "themeTarget").matchType;
  const group = GROUPS[String(theme)];
  if (group !== undefined) return [{ type: "KEYWORD_GROUP_SAME_AS", value: group }];
  if (theme !== undefined) return [{ type: THEMES[String(theme)]! }];
  const refinement = part(
    details,
    "productCategoryTarget",
    "productCategoryRefinement",
    "productCategoryRefinement",
  );
  // From and to together are one part of an expression.
  const whole = Object.entries(RANGES).filter(([, [from, to]]) =>
    refinement[from] !== undefined && refinement[to] !== undefined
  );
  const inRange = new Set(whole.flatMap(([, names]) => names));
  const singles = Object.entries(REFINEMENTS).flatMap(([type, name]) =>
    refinement[name] === undefined || inRange.has(name) ? [] : [{ type, value: String(refinement[name]) }]
  );
  return [
    ...singles,
    ...whole.map(([type, [from, to]]) => ({ type, value: `${refinement[from]}-${refinement[to]}` })),
  ];
}

export function fromExpression(target: JsonObject): TargetShape {
  const expression = expressionOf(target);
  const { type, value } = expression[0] ?? {};
  const theme = nameOf(THEMES, type);
  if (theme !== undefined) {
    return { targetType: "THEME", targetDetails: { themeTarget: { matchType: theme } } };
  }
  const group = type === "KEYWORD_GROUP_SAME_AS" ? nameOf(GROUPS, value) : undefined;
  if (group !== undefined) {
    return { targetType: "THEME", targetDetails: { themeTarget: { matchType: group } } };
  }
  const matchType = nameOf(PRODUCTS, type);
  if (matchType !== undefined) {
    const productTarget = { matchType, product: { productId: value }, productIdType: "ASIN" };
    return { targetType: "PRODUCT", targetDetails: { productTarget } };
  }
  const productCategoryRefinement = Object.assign({}, ...expression.map(refinementOf));
  return {
    targetType: "PRODUCT_CATEGORY",
    targetDetails: { productCategoryTarget: { productCategoryRefinement: { productCategoryRefinement } } },
  };
}

export function fromKeyword(keyword: JsonObject): TargetShape {
  const matchType = String(keyword.matchType).toUpperCase().replace(/^NEGATIVE_?/, "");
  const keywordTarget = defined({
    keyword: keyword.keywordText,
    matchType,
    nativeLanguageKeyword: keyword.nativeLanguageKeyword,
    nativeLanguageLocale: keyword.nativeLanguageLocale,
  });
  return { targetType: "KEYWORD", targetDetails: { keywordTarget } };
}

function refinementOf({ type, value }: JsonObject): JsonObject {
  const range = RANGES[String(type)];
  if (range !== undefined) {
    const [from, to] = String(value).split("-").map(Number);
    return { [range[0]]: from!, [range[1]]: to! };
  }
  const name = REFINEMENTS[String(type)];
  if (name === undefined) return {};
  if (TEXT_REFINEMENTS.includes(name)) return { [name]: String(value) };
  return { [name]: name === "productPrimeShippingEligible" ? value === "true" : Number(value) };
}

function nameOf(names: Readonly<Record<string, string>>, value: unknown): string | undefined {
  return Object.entries(names).find(([, own]) => own === value)?.[0];
}

export function matchTypeOf({ targetDetails }: JsonObject): string {
  const details = isObject(targetDetails) ? Object.values(targetDetails).filter(isObject) : [];
  return String(details[0]?.matchType ?? "");
}
