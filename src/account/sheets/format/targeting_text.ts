import type { SheetValue } from "./sheet_values.ts";

interface Predicate {
  readonly type: string;
  readonly value?: string;
}

const AUTOMATIC: Readonly<Record<string, string>> = {
  QUERY_HIGH_REL_MATCHES: "close-match",
  QUERY_BROAD_REL_MATCHES: "loose-match",
  ASIN_SUBSTITUTE_RELATED: "substitutes",
  ASIN_ACCESSORY_RELATED: "complements",
};

const NAMED: Readonly<Record<string, string>> = {
  ASIN_SAME_AS: "asin",
  ASIN_EXPANDED_FROM: "asin-expanded",
  ASIN_CATEGORY_SAME_AS: "category",
  ASIN_BRAND_SAME_AS: "brand",
  ASIN_AGE_RANGE_SAME_AS: "age-range",
  ASIN_GENRE_SAME_AS: "genre",
  ASIN_IS_PRIME_SHIPPING_ELIGIBLE: "prime-shipping-eligible",
  KEYWORD_GROUP_SAME_AS: "keyword-group",
};

const COMPARED: Readonly<Record<string, readonly [name: string, sign: string]>> = {
  ASIN_PRICE_LESS_THAN: ["price", "<"],
  ASIN_PRICE_GREATER_THAN: ["price", ">"],
  ASIN_PRICE_BETWEEN: ["price", "="],
  ASIN_REVIEW_RATING_LESS_THAN: ["rating", "<"],
  ASIN_REVIEW_RATING_GREATER_THAN: ["rating", ">"],
  ASIN_REVIEW_RATING_BETWEEN: ["rating", "="],
};

/** A part of an expression: `name="value"`, `name<number`, `name=number-number`, or a name alone. */
const PART = /\s*([A-Za-z][\w-]*)\s*(?:([=<>])\s*(?:"([^"]*)"|([^\s"]+)))?\s*/y;

/** A product targeting expression: `close-match`, `asin="B000000000"`, `category="5524098011" price<49.99 rating>3`. */
export const EXPRESSION: SheetValue = {
  read: (text) => {
    const parts: Predicate[] = [];
    for (PART.lastIndex = 0; PART.lastIndex < text.length;) {
      const from = PART.lastIndex;
      const [, name, sign, quoted, plain] = PART.exec(text) ?? [];
      if (name === undefined) {
        throw new RangeError(
          `"${text}" is not a targeting expression at character ${
            from + 1
          }: expected close-match, loose-match, ` +
            'substitutes, complements, or parts such as asin="B000000000", category="1" price<49.99',
        );
      }
      parts.push(predicate(name, sign, quoted ?? plain));
    }
    if (parts.length === 0) throw new RangeError("it is empty");
    return parts;
  },
  write: (value) => Array.isArray(value) ? value.map((part) => partText(part)).join(" ") : "",
};

/** True for an expression that only an automatic campaign has. */
export function isAutomatic(expression: unknown): boolean {
  return Array.isArray(expression) && expression.some(({ type }) => Object.hasOwn(AUTOMATIC, String(type)));
}

function predicate(name: string, sign: string | undefined, value: string | undefined): Predicate {
  const word = name.toLowerCase();
  const find = (table: Readonly<Record<string, string>>): string | undefined =>
    Object.entries(table).find(([, known]) => known === word)?.[0];
  if (sign === undefined || value === undefined) {
    const type = find(AUTOMATIC) ?? (/^[A-Z][A-Z0-9_]+$/.test(name) ? name : undefined);
    if (type === undefined) {
      throw new RangeError(`"${name}" is not known: expected one of ${Object.values(AUTOMATIC).join(", ")}`);
    }
    return { type };
  }
  const compared = Object.entries(COMPARED).find(([, [known, its]]) => known === word && its === sign)?.[0];
  const type = compared ??
    (sign === "=" ? find(NAMED) ?? (/^[A-Z][A-Z0-9_]+$/.test(name) ? name : undefined) : undefined);
  if (type === undefined) {
    const known = [...Object.values(NAMED), "price", "rating"];
    throw new RangeError(`"${name}${sign}" is not known: expected one of ${known.join(", ")}`);
  }
  return { type, value: type.startsWith("ASIN_") && word.startsWith("asin") ? value.toUpperCase() : value };
}

function partText({ type, value }: Predicate): string {
  const automatic = AUTOMATIC[type];
  if (automatic !== undefined) return automatic;
  const compared = COMPARED[type];
  if (compared !== undefined) return `${compared[0]}${compared[1]}${value ?? ""}`;
  return value === undefined ? type : `${NAMED[type] ?? type}="${value}"`;
}
