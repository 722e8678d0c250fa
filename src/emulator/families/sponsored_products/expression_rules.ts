import type { JsonObject } from "../../core/json.ts";
import { type ItemError, itemError } from "../../entities/item_error.ts";
import type { Draft } from "../../entities/entity_resource.ts";

const ASIN_TYPES = ["ASIN_SAME_AS", "ASIN_EXPANDED_FROM"];
const WITHOUT_VALUE = [
  "ASIN_ACCESSORY_RELATED",
  "ASIN_SUBSTITUTE_RELATED",
  "QUERY_BROAD_REL_MATCHES",
  "QUERY_HIGH_REL_MATCHES",
];

/** The expression as the platform resolved it: the same one. */
export function resolveExpression(item: JsonObject): JsonObject {
  return item.expression === undefined ? {} : { resolvedExpression: item.expression };
}

/** Errors of a targeting expression: no part at all, a missing value, or one that is not an ASIN where one must stand. */
export function checkExpression({ item }: Draft): ItemError[] {
  if (item.expression === undefined) return [];
  const parts = item.expression as JsonObject[];
  if (parts.length === 0) {
    return [itemError(["missingValueError", "MISSING_VALUE"], "expression", "expression must not be empty")];
  }
  return parts.flatMap((part, index) => checkPart(part, `expression[${index}].value`));
}

function checkPart({ type, value }: JsonObject, field: string): ItemError[] {
  if (WITHOUT_VALUE.includes(String(type))) return [];
  if (value === undefined || value === null) {
    return [itemError(["missingValueError", "MISSING_VALUE"], field, `${field} is required`)];
  }
  if (!ASIN_TYPES.includes(String(type)) || /^[A-Z0-9]{10}$/.test(String(value))) return [];
  const reason = ["targetingClauseSetupError", "TARGETING_EXPRESSION_INVALID_VALUE"] as const;
  return [itemError(reason, field, "The value is not an ASIN", { trigger: value })];
}
