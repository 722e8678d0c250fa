import { fieldsOf } from "../../../../base/json/fields_of.ts";
import type { Fields } from "../../model/resource_wire.ts";
import { NotOnWire, type UnifiedForm } from "./unified_field.ts";

const THEMES: Readonly<Record<string, string>> = {
  QUERY_HIGH_REL_MATCHES: "KEYWORDS_CLOSE_MATCH",
  QUERY_BROAD_REL_MATCHES: "KEYWORDS_LOOSE_MATCH",
  ASIN_SUBSTITUTE_RELATED: "PRODUCT_SUBSTITUTES",
  ASIN_ACCESSORY_RELATED: "PRODUCT_COMPLEMENTS",
};
const GROUPS: Readonly<Record<string, string>> = {
  category: "KEYWORDS_RELATED_TO_YOUR_PRODUCT_CATEGORY",
  brand: "KEYWORDS_RELATED_TO_YOUR_BRAND",
  gift: "KEYWORDS_RELATED_TO_GIFTS",
};
const PRODUCTS: Readonly<Record<string, string>> = {
  ASIN_SAME_AS: "PRODUCT_EXACT",
  ASIN_EXPANDED_FROM: "PRODUCT_SIMILAR",
};
const REFINEMENTS: readonly [type: string, field: string, is: "text" | "number" | "flag"][] = [
  ["ASIN_CATEGORY_SAME_AS", "productCategoryId", "text"],
  ["ASIN_BRAND_SAME_AS", "productBrandId", "text"],
  ["ASIN_AGE_RANGE_SAME_AS", "productAgeRangeId", "text"],
  ["ASIN_GENRE_SAME_AS", "productGenreId", "text"],
  ["ASIN_IS_PRIME_SHIPPING_ELIGIBLE", "productPrimeShippingEligible", "flag"],
];
const RANGES: readonly [above: string, below: string, between: string, from: string, to: string][] = [
  [
    "ASIN_PRICE_GREATER_THAN",
    "ASIN_PRICE_LESS_THAN",
    "ASIN_PRICE_BETWEEN",
    "productPriceGreaterThan",
    "productPriceLessThan",
  ],
  [
    "ASIN_REVIEW_RATING_GREATER_THAN",
    "ASIN_REVIEW_RATING_LESS_THAN",
    "ASIN_REVIEW_RATING_BETWEEN",
    "productRatingGreaterThan",
    "productRatingLessThan",
  ],
];

/**
 * A targeting expression. Negative targets support only products and brands; unsupported targets are read as the
 * predicate `OTHER`.
 */
export function expression(kind: ExpressionKind): UnifiedForm {
  const { family = "products" } = kind;
  return {
    toWire: (value) => {
      const predicates = Array.isArray(value) ? value.map(fieldsOf) : [];
      return detailsOf(family === "products" ? predicates : predicates.map((one) => fromCamel(one, family)));
    },
    toOwn: (value) => {
      const found = predicatesOf(fieldsOf(value), kind);
      return family === "products" ? found : found?.map(toCamel);
    },
  };
}

function fromCamel({ type, ...rest }: Fields, family: "brands" | "display"): Fields {
  const word = String(type).replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  const { name, lacks }: Lacking = LACKING[family];
  if (!lacks.includes(word)) return { ...rest, type: word };
  throw new NotOnWire(`The unified family has no form for the predicate ${JSON.stringify(type)} in ${name}`);
}

function toCamel({ type, ...rest }: Fields): Fields {
  const word = String(type).toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return { type: word, ...rest };
}

const LACKING: Readonly<Record<"brands" | "display", Lacking>> = {
  brands: {
    name: "Brands",
    lacks: [
      "ASIN_EXPANDED_FROM",
      "ASIN_AGE_RANGE_SAME_AS",
      "ASIN_GENRE_SAME_AS",
      "ASIN_IS_PRIME_SHIPPING_ELIGIBLE",
    ],
  },
  display: { name: "Display", lacks: ["ASIN_EXPANDED_FROM", "ASIN_GENRE_SAME_AS"] },
};

interface Lacking {
  readonly name: string;
  readonly lacks: readonly string[];
}

interface ExpressionKind {
  readonly negative: boolean;
  readonly family?: "products" | "brands" | "display";
  readonly resolved?: boolean;
}

export function resolvedExpression(kind: { negative: boolean }): UnifiedForm {
  return {
    toWire: () => undefined,
    toOwn: (value) => predicatesOf(fieldsOf(value), { ...kind, resolved: true }),
  };
}

export const EXPRESSION_TYPE: UnifiedForm = {
  toWire: (value) => {
    if (value === "MANUAL") return undefined;
    throw new NotOnWire("The unified family makes automatic targets itself: expressionType can be MANUAL");
  },
  toOwn: (value) => {
    const { themeTarget } = fieldsOf(fieldsOf(value)["targetDetails"]);
    return nameOf(THEMES, fieldsOf(themeTarget)["matchType"]) === undefined ? "MANUAL" : "AUTO";
  },
};

export function detailsOf(predicates: readonly Fields[]): Fields {
  const [first, ...others] = predicates;
  const type = String(first?.["type"]);
  const alone = (): void => {
    if (others.length === 0) return;
    throw new NotOnWire(`The unified family takes ${type} alone, and the expression has more predicates`);
  };
  const matchType = PRODUCTS[type];
  if (matchType !== undefined) {
    alone();
    const productTarget = { matchType, product: { productId: first!["value"] }, productIdType: "ASIN" };
    return { targetType: "PRODUCT", targetDetails: { productTarget } };
  }
  const theme = type === "KEYWORD_GROUP_SAME_AS" ? GROUPS[String(first!["value"])] : THEMES[type];
  if (theme !== undefined) {
    alone();
    return { targetType: "THEME", targetDetails: { themeTarget: { matchType: theme } } };
  }
  const refinement = Object.assign({}, ...predicates.map(refinementOf));
  return {
    targetType: "PRODUCT_CATEGORY",
    targetDetails: {
      productCategoryTarget: { productCategoryRefinement: { productCategoryRefinement: refinement } },
    },
  };
}

function refinementOf({ type, value }: Fields): Fields {
  const text = String(value);
  const single = REFINEMENTS.find(([name]) => name === type);
  if (single !== undefined) return { [single[1]]: single[2] === "flag" ? text === "true" : text };
  for (const [above, below, between, from, to] of RANGES) {
    if (type === above) return { [from]: Number(text) };
    if (type === below) return { [to]: Number(text) };
    if (type !== between) continue;
    const ends = /^\s*([\d.]+)\s*-\s*([\d.]+)\s*$/.exec(text);
    if (ends === null) {
      throw new NotOnWire(`${between} ${JSON.stringify(value)} is not a range of two numbers`);
    }
    return { [from]: Number(ends[1]), [to]: Number(ends[2]) };
  }
  throw new NotOnWire(`The unified family has no form for the predicate ${JSON.stringify(type)}`);
}

export function predicatesOf(
  { targetDetails }: Fields,
  { negative, resolved = false }: { negative: boolean; resolved?: boolean },
): Fields[] | undefined {
  const details = fieldsOf(targetDetails);
  const product = fieldsOf(details["productTarget"]);
  const type = nameOf(PRODUCTS, product["matchType"]);
  if (type !== undefined && product["productIdType"] === "ASIN") {
    return [{ type, value: fieldsOf(product["product"])["productId"] }];
  }
  const word = fieldsOf(details["themeTarget"])["matchType"];
  const theme = nameOf(THEMES, word);
  if (theme !== undefined) return [{ type: theme }];
  const group = nameOf(GROUPS, word);
  if (group !== undefined) return [{ type: "KEYWORD_GROUP_SAME_AS", value: group }];
  const outer = fieldsOf(details["productCategoryTarget"])["productCategoryRefinement"];
  const found = categoryOf(fieldsOf(fieldsOf(outer)["productCategoryRefinement"]), resolved);
  const hasPredicates = found.length > 0 &&
    (!negative || (found.length === 1 && found[0]!["type"] === "ASIN_BRAND_SAME_AS"));
  return hasPredicates ? found : [{ type: "OTHER" }];
}

function categoryOf(refinement: Fields, resolved: boolean): Fields[] {
  const singles = REFINEMENTS.flatMap(([type, field]) => {
    const value = (resolved ? refinement[`${field}Resolved`] : undefined) ?? refinement[field];
    return value === undefined ? [] : [{ type, value: String(value) }];
  });
  const ranges = RANGES.flatMap(([above, below, between, from, to]) => {
    const [low, high] = [refinement[from], refinement[to]];
    if (low !== undefined && high !== undefined) return [{ type: between, value: `${low}-${high}` }];
    if (low !== undefined) return [{ type: above, value: String(low) }];
    return high === undefined ? [] : [{ type: below, value: String(high) }];
  });
  return [...singles, ...ranges];
}

function nameOf(table: Readonly<Record<string, string>>, value: unknown): string | undefined {
  return Object.entries(table).find(([, wire]) => wire === value)?.[0];
}
