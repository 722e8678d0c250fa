import { fieldsOf } from "../../../base/json/fields_of.ts";
import { AUTOMATIC_CLAUSES } from "./identity.ts";

const PREDICATE_FIELDS = ["expression", "resolvedExpression", "expressions"];

const PREDICATE_ORDER = [
  "ASINCATEGORYSAMEAS",
  "ASINBRANDSAMEAS",
  "ASINAGERANGESAMEAS",
  "ASINGENRESAMEAS",
  "ASINISPRIMESHIPPINGELIGIBLE",
  "ASINPRICEGREATERTHAN",
  "ASINPRICELESSTHAN",
  "ASINPRICEBETWEEN",
  "ASINREVIEWRATINGGREATERTHAN",
  "ASINREVIEWRATINGLESSTHAN",
  "ASINREVIEWRATINGBETWEEN",
];

interface ExpressionText {
  readonly read: (text: string) => unknown;
  readonly write: (value: unknown) => string;
}

interface Predicate {
  readonly type: string;
  readonly value?: string | readonly Predicate[];
}

interface TargetingWords {
  readonly alone: Readonly<Record<string, string>>;
  readonly named: Readonly<Record<string, string>>;
  readonly compared: Readonly<Record<string, readonly [name: string, sign: string]>>;
  readonly nested?: Readonly<Record<string, string>>;
  readonly open: RegExp;
  readonly expected: string;
}

/**
 * Text form of targeting expressions, for example `close-match`, `asin="B000000000"` or `category="5524098011"
 * price<49.99 rating>3`.
 */
export const EXPRESSION: ExpressionText = targetingText({
  alone: AUTOMATIC_CLAUSES,
  named: {
    ASIN_SAME_AS: "asin",
    ASIN_EXPANDED_FROM: "asin-expanded",
    ASIN_CATEGORY_SAME_AS: "category",
    ASIN_BRAND_SAME_AS: "brand",
    ASIN_AGE_RANGE_SAME_AS: "age-range",
    ASIN_GENRE_SAME_AS: "genre",
    ASIN_IS_PRIME_SHIPPING_ELIGIBLE: "prime-shipping-eligible",
    KEYWORD_GROUP_SAME_AS: "keyword-group",
  },
  compared: {
    ASIN_PRICE_LESS_THAN: ["price", "<"],
    ASIN_PRICE_GREATER_THAN: ["price", ">"],
    ASIN_PRICE_BETWEEN: ["price", "="],
    ASIN_REVIEW_RATING_LESS_THAN: ["rating", "<"],
    ASIN_REVIEW_RATING_GREATER_THAN: ["rating", ">"],
    ASIN_REVIEW_RATING_BETWEEN: ["rating", "="],
  },
  open: /^[A-Z][A-Z0-9_]+$/,
  expected:
    'close-match, loose-match, substitutes, complements, or parts such as asin="B000000000", category="1" price<49.99',
});

export function isAutomatic(expression: unknown): boolean {
  return Array.isArray(expression) &&
    expression.some(({ type }) => Object.hasOwn(AUTOMATIC_CLAUSES, String(type)));
}

const PART =
  /\s*([A-Za-z][\w-]*)\s*(?:(?:=\s*)?\(((?:[^()"]|"[^"]*")*)\)|([=<>])\s*(?:"([^"]*)"|([^\s"]+)))?\s*/y;

export function targetingText(words: TargetingWords): ExpressionText {
  return {
    read: (text) => {
      const parts = readParts(text, words);
      if (parts.length === 0) throw new RangeError("it is empty");
      return parts;
    },
    write: (value) => Array.isArray(value) ? partsText(value, words) : "",
  };
}

function readParts(text: string, words: TargetingWords): Predicate[] {
  const parts: Predicate[] = [];
  for (let at = 0; at < text.length;) {
    PART.lastIndex = at;
    const [, name, nested, sign, quoted, plain] = PART.exec(text) ?? [];
    if (name === undefined) {
      throw new RangeError(
        `"${text}" is not a targeting expression at character ${at + 1}: expected ${words.expected}`,
      );
    }
    at = PART.lastIndex;
    parts.push(
      nested === undefined
        ? predicate(words, { name, sign, value: quoted ?? plain })
        : { type: typeOf(words, words.nested, name), value: readParts(nested, words) },
    );
  }
  return parts;
}

function predicate(
  words: TargetingWords,
  { name, sign, value }: { name: string; sign: string | undefined; value: string | undefined },
): Predicate {
  if (sign === undefined || value === undefined) return { type: typeOf(words, words.alone, name) };
  const word = name.toLowerCase();
  const compared = Object.entries(words.compared).find(([, [known, its]]) => known === word && its === sign);
  const type = compared?.[0] ?? (sign === "=" ? typeIn(words, words.named, name) : undefined);
  if (type === undefined) {
    const known = [
      ...new Set([
        ...Object.values(words.named),
        ...Object.values(words.compared).map(([one]) => one),
        ...Object.values(words.nested ?? {}),
      ]),
    ];
    throw new RangeError(`"${name}${sign}" is not known: expected one of ${known.join(", ")}`);
  }
  return { type, value: word.startsWith("asin") ? value.toUpperCase() : value };
}

function typeIn(
  { open }: TargetingWords,
  table: Readonly<Record<string, string>> = {},
  name: string,
): string | undefined {
  const word = name.toLowerCase();
  return Object.entries(table).find(([, known]) => known === word)?.[0] ??
    (open.test(name) ? name : undefined);
}

function typeOf(
  words: TargetingWords,
  table: Readonly<Record<string, string>> | undefined,
  name: string,
): string {
  const type = typeIn(words, table, name);
  if (type !== undefined) return type;
  const known = Object.values(table ?? {}).join(", ");
  throw new RangeError(
    `"${name}" is not known: expected ${known === "" ? words.expected : `one of ${known}`}`,
  );
}

function partsText(parts: readonly Predicate[], words: TargetingWords): string {
  return parts.map((part) => partText(part, words)).join(" ");
}

function partText({ type, value }: Predicate, words: TargetingWords): string {
  if (Array.isArray(value)) return `${words.nested?.[type] ?? type}=(${partsText(value, words)})`;
  if (value === undefined) return words.alone[type] ?? type;
  const compared = words.compared[type];
  return compared === undefined
    ? `${words.named[type] ?? type}="${value}"`
    : `${compared[0]}${compared[1]}${value}`;
}

const BRANDS_WORDS: TargetingWords = {
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

export const BRANDS_EXPRESSION: ExpressionText = targetingText(BRANDS_WORDS);

/**
 * Text form of Display targeting expressions, for example `similar-product`, `views=(exact-product lookback=30)` or
 * `audience=(audience="2")`.
 */
export const DISPLAY_EXPRESSION: ExpressionText = targetingText({
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

export function isAudience(expression: unknown): boolean {
  return Array.isArray(expression) && expression.some(({ value }) => Array.isArray(value));
}

/** Sorts predicates, because their order has no meaning and differs between wire formats. */
export function inPredicateOrder<Entity extends object>(entity: Entity): Entity {
  const lists = Object.entries(entity).filter(([name, value]) =>
    PREDICATE_FIELDS.includes(name) && Array.isArray(value) && value.length > 1
  );
  if (lists.length === 0) return entity;
  const ordered = lists.map(([name, value]) =>
    [name, (value as unknown[]).toSorted((a, b) => rankOf(a) - rankOf(b))] as const
  );
  return { ...entity, ...Object.fromEntries(ordered) };
}

function rankOf(predicate: unknown): number {
  const rank = PREDICATE_ORDER.indexOf(String(fieldsOf(predicate)["type"]).replaceAll("_", "").toUpperCase());
  return rank === -1 ? PREDICATE_ORDER.length : rank;
}
