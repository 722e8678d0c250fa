import { isChangeRef } from "../../../plans/model/change_ref.ts";
import type { Fields } from "./resource_wire.ts";
import { expressionOf } from "./label.ts";

/** Key of an entity that must be unique in its kind while it is not archived; both spellings of a name give one key. */
export type Identity = (entity: Fields) => string;

/** Identity by name among the entities of the same parent, or of the profile. */
export function byName(parent?: string): Identity {
  return (entity) => text([parent === undefined ? "" : ofParent(entity[parent]), entity["name"]]);
}

/** Identity of a keyword: where it is, its text and match type. */
export const byKeyword: Identity = (entity) =>
  text([placeOf(entity), entity["keywordText"], String(entity["matchType"]).replaceAll("_", "")]);

/** Identity of a targeting clause: where it is, and its predicates in any order. */
export const byExpression: Identity = (entity) =>
  text([placeOf(entity), ...predicates(expressionOf(entity))]);

/** Identity of a target of any type: what it keeps away is another one than what it aims at. */
export const byTarget: Identity = (entity) =>
  text([
    entity["negative"] === true,
    entity["keywordText"] === undefined ? byExpression(entity) : byKeyword(entity),
  ]);

/** Identity of a product ad: where it is, its product and its own text. */
export const byProduct: Identity = (entity) =>
  text([placeOf(entity), entity["sku"] ?? entity["asin"], entity["customText"]]);

/** Predicates in any order; the value of an audience is a list of predicates itself. */
function predicates(expression: unknown): string[] {
  if (!Array.isArray(expression)) return [];
  return expression.map(({ type, value }: Fields) =>
    text([type, Array.isArray(value) ? predicates(value).join("\u0001") : value])
  ).sort();
}

function placeOf(entity: Fields): unknown {
  return ofParent(entity["adGroupId"] ?? entity["campaignId"]);
}

/** The id of a parent, or the name of the change that creates it: two new ad groups are two places. */
function ofParent(id: unknown): unknown {
  return isChangeRef(id) ? `new ${id.ref}` : id;
}

function text(parts: readonly unknown[]): string {
  return parts.map((part) => String(part ?? "").trim().toLowerCase()).join("\u0000");
}
