import type { Fields } from "./resource_wire.ts";
import { fieldsOf } from "../../../base/json/fields_of.ts";

export function nameLabel(entity: Fields): string {
  return String(entity["name"] ?? "");
}

export function keywordLabel(entity: Fields): string {
  return `"${entity["keywordText"] ?? ""}" (${entity["matchType"] ?? "?"})`;
}

export const AUTOMATIC_CLAUSES: Readonly<Record<string, string>> = {
  QUERY_HIGH_REL_MATCHES: "close-match",
  QUERY_BROAD_REL_MATCHES: "loose-match",
  ASIN_SUBSTITUTE_RELATED: "substitutes",
  ASIN_ACCESSORY_RELATED: "complements",
};

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

export function productLabel(entity: Fields): string {
  return String(entity["asin"] ?? entity["sku"] ?? "");
}

export const EXPRESSION_FIELDS = ["expression", "expressions"] as const;

export function expressionOf(entity: Fields): Fields[] | undefined {
  const parts = EXPRESSION_FIELDS.map((field) => entity[field]).find(Array.isArray);
  return parts?.map(fieldsOf);
}
