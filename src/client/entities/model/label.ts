import type { Fields } from "./resource_wire.ts";
import { fieldsOf } from "../../../base/json/fields_of.ts";

export function nameLabel(entity: Fields): string {
  return String(entity["name"] ?? "");
}

export function keywordLabel(entity: Fields): string {
  return `"${entity["keywordText"] ?? ""}" (${entity["matchType"] ?? "?"})`;
}

/** Names of automatic targeting clauses in the platform's console and in sheets, by type. */
export const AUTOMATIC_CLAUSES: Readonly<Record<string, string>> = {
  QUERY_HIGH_REL_MATCHES: "close-match",
  QUERY_BROAD_REL_MATCHES: "loose-match",
  ASIN_SUBSTITUTE_RELATED: "substitutes",
  ASIN_ACCESSORY_RELATED: "complements",
};

/** Label of a targeting clause: its predicates. */
export function targetLabel(entity: Fields): string {
  return predicateTexts(expressionOf(entity)).join(" and ");
}

function predicateTexts(expression: unknown): string[] {
  if (!Array.isArray(expression)) return [];
  return expression.map(({ type, value }: Fields) => {
    if (value === undefined) return AUTOMATIC_CLAUSES[String(type)] ?? String(type);
    return Array.isArray(value) ? `${type}(${predicateTexts(value).join(" ")})` : `${type}=${value}`;
  });
}

/** Label of an ad that shows one product. */
export function productLabel(entity: Fields): string {
  return String(entity["asin"] ?? entity["sku"] ?? "");
}

/** Field of the predicates of targeting clauses: Brands writes it as a plural. */
export const EXPRESSION_FIELDS = ["expression", "expressions"] as const;

/** The predicates of a targeting clause; `undefined` for what is no clause. */
export function expressionOf(entity: Fields): Fields[] | undefined {
  const parts = EXPRESSION_FIELDS.map((field) => entity[field]).find(Array.isArray);
  return parts?.map(fieldsOf);
}
