import { isChangeRef } from "../../../plans/model/change_ref.ts";
import type { Fields } from "./resource_wire.ts";
import { expressionOf } from "./label.ts";

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
