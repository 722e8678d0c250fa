import { fieldsOf } from "../../../base/json/fields_of.ts";
import type { Fields } from "./resource_wire.ts";
import { isChangeRef } from "../../../plans/model/change_ref.ts";

export type Identity = (entity: Fields) => string;

export function byName(parent?: string): Identity {
  return (entity) => text([parent === undefined ? "" : ofParent(entity[parent]), entity["name"]]);
}

export const byKeyword: Identity = (entity) =>
  text([placeOf(entity), entity["keywordText"], String(entity["matchType"]).replaceAll("_", "")]);

export const byExpression: Identity = (entity) =>
  text([placeOf(entity), ...predicates(expressionOf(entity))]);

export const byTarget: Identity = (entity) =>
  text([
    entity["negative"] === true,
    entity["keywordText"] === undefined ? byExpression(entity) : byKeyword(entity),
  ]);

export const byProduct: Identity = (entity) =>
  text([placeOf(entity), entity["sku"] ?? entity["asin"], entity["customText"]]);

function predicates(expression: unknown): string[] {
  if (!Array.isArray(expression)) return [];
  return expression.map(({ type, value }: Fields) =>
    text([type, Array.isArray(value) ? predicates(value).join("\u0001") : value])
  ).sort();
}

function placeOf(entity: Fields): unknown {
  return ofParent(entity["adGroupId"] ?? entity["campaignId"]);
}

/**
 * Returns the parent id, or the name of the change that creates the parent, so that two new parents remain distinct.
 */
function ofParent(id: unknown): unknown {
  return isChangeRef(id) ? `new ${id.ref}` : id;
}

function text(parts: readonly unknown[]): string {
  return parts.map((part) => String(part ?? "").trim().toLowerCase()).join("\u0000");
}

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

/** True if the entity is archived; case-insensitive, because Brands keywords use lower-case states. */
export function isArchived(entity: Fields): boolean {
  return String(entity["state"]).toUpperCase() === "ARCHIVED";
}
