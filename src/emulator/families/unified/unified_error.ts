import type { KeywordProblem } from "../sponsored_brands/write_keywords.ts";
import type { JsonObject } from "../../core/json.ts";
import type { FlatProblem } from "../../entities/flat_verdict.ts";
import type { ItemError } from "../../entities/item_error.ts";

export interface UnifiedError {
  /** Error code, for example `FIELD_VALUE_IS_NULL`. */
  readonly code: string;
  readonly message: string;
  /** The field below the item, for example `bid.bid`; empty for the item itself. */
  readonly field: string;
  readonly marketplace?: string;
}

const BY_REASON: Readonly<Record<string, string>> = {
  ARCHIVED_ENTITY_CANNOT_BE_MODIFIED: "ARCHIVED_RESOURCE_CANNOT_EDIT",
  BLANK: "FIELD_VALUE_IS_EMPTY",
  AUTO_TARGETING_CLAUSE_CANNOT_BE_ARCHIVED_MANUALLY: "AUTOCREATED_ENTITY_CANNOT_EDIT",
  BUDGET_TOO_HIGH: "FIELD_VALUE_IS_ABOVE_MAXIMUM_LIMIT",
  BUDGET_TOO_LOW: "FIELD_VALUE_IS_BELOW_MINIMUM_LIMIT",
  INVALID_DATE: "FIELD_VALUE_IS_INVALID",
  INVALID_ENUM_VALUE: "FIELD_VALUE_IS_INVALID",
  PARENT_ARCHIVED_FORBIDS_UPDATES: "ARCHIVED_PARENT_CANNOT_EDIT",
  PARENT_ENTITY_ARCHIVED: "ARCHIVED_PARENT_CANNOT_CREATE",
  PARENT_ENTITY_MISMATCH: "RESOURCE_DOES_NOT_BELONG_TO_PARENT",
  PARENT_ENTITY_NOT_FOUND: "FIELD_VALUE_NOT_FOUND",
  TOO_LONG: "FIELD_SIZE_IS_ABOVE_MAXIMUM_LIMIT",
  TOO_SHORT: "FIELD_SIZE_IS_BELOW_MINIMUM_LIMIT",
};

const BY_FAMILY: Readonly<Record<string, string>> = {
  biddingError: "FIELD_VALUE_IS_OUT_OF_RANGE",
  dateError: "DATE_CANNOT_BE_IN_PAST",
  duplicateValueError: "FIELD_VALUE_NOT_UNIQUE",
  entityNotFoundError: "FIELD_VALUE_NOT_FOUND",
  internalServerError: "INTERNAL_ERROR",
  malformedValueError: "FIELD_VALUE_CONTAINS_INVALID_CHARACTERS",
  missingValueError: "FIELD_VALUE_IS_NULL",
  rangeError: "FIELD_VALUE_IS_OUT_OF_RANGE",
  throttledError: "TOO_MANY_REQUESTS",
};

export function fromItemError(error: ItemError, names: Readonly<Record<string, string>> = {}): UnifiedError {
  const { errorType, reason, message, field } = error;
  const code = BY_REASON[reason] ?? BY_FAMILY[errorType] ?? "FIELD_VALUE_IS_INVALID";
  return { code, message, field: names[field] ?? field };
}

export function fromFlatProblem(
  { code, description, cause }: FlatProblem,
  names: Readonly<Record<string, string>> = {},
): UnifiedError {
  if (cause !== undefined) return fromItemError(cause, names);
  return {
    code: code === "NOT_FOUND" ? "RESOURCE_ID_NOT_FOUND" : "FIELD_VALUE_IS_INVALID",
    message: description,
    field: "",
  };
}

export function fromKeywordProblem(
  { code, description, detail }: KeywordProblem,
  names: Readonly<Record<string, string>> = {},
): UnifiedError {
  const field = detail === undefined ? "" : names[detail.field] ?? detail.field;
  if (code === "NOT_FOUND") return { code: "FIELD_VALUE_NOT_FOUND", message: description, field };
  const family: Readonly<Record<string, string>> = {
    BID_OUT_OF_MARKET_PLACE_RANGE: "FIELD_VALUE_IS_OUT_OF_RANGE",
    DUPLICATE_VALUE: "FIELD_VALUE_NOT_UNIQUE",
  };
  const reason = detail?.reason ?? "";
  const known = BY_REASON[reason] ?? family[reason];
  const fallback = detail?.field === "keywordText"
    ? "FIELD_VALUE_CONTAINS_INVALID_CHARACTERS"
    : "FIELD_VALUE_IS_INVALID";
  return { code: known ?? fallback, message: description, field };
}

export function toWireErrors(
  errors: readonly UnifiedError[],
  at: { list: string; index: number },
): JsonObject {
  return {
    index: at.index,
    errors: errors.map(({ code, message, field, marketplace }) => ({
      code,
      message,
      ...(marketplace === undefined ? {} : { marketplace }),
      fieldLocation: `$.${at.list}[${at.index}]${field === "" ? "" : `.${field}`}`,
    })),
  };
}
