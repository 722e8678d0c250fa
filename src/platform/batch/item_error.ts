import type { BatchError, ItemOutcome } from "./batch_error.ts";
import { hintFor } from "./hint.ts";
import { type Fields, fieldsOf } from "../../base/json/fields_of.ts";

const TRANSIENT_TYPES = new Set(["throttledError", "internalServerError"]);
const TRANSIENT_CODES = new Set(["THROTTLED", "TOO_MANY_REQUESTS", "INTERNAL_ERROR", "SERVER_IS_BUSY"]);
const NO_FAMILY = "otherError";

/**
 * Handles all shapes of the platform's errors: `{errors: [{errorType, errorValue: {<family>: {reason, message,
 * lowerLimit, upperLimit}}}]}`, `{errors: [{code, message, marketplace}]}`, `{code, description | details}`, or
 * `{errors: [{KeywordError: {reason, message}}]}`.
 */
export function itemError<Item>(
  entry: unknown,
  place: { index: number; item: Item | undefined; outcome?: ItemOutcome },
): BatchError<Item> {
  const fields = fieldsOf(entry);
  const list = Array.isArray(fields["errors"]) ? fields["errors"] : [];
  const [first, ...others] = (list.length === 0 ? [{}] : list).map((one) => complaint(fieldsOf(one), fields));
  const { errorType, code, detail } = first!;
  const topCode = string(fields["code"]);
  const also = others.map((other) => `; also ${other.code}: ${other.message}`);
  return failure(place, {
    errorType: errorType === NO_FAMILY ? familyOf(topCode ?? code) : errorType,
    code,
    message: first!.message + also.join(""),
    lowerLimit: string(detail["lowerLimit"]),
    upperLimit: string(detail["upperLimit"]),
    hint: allowedHint(detail["allowed"]),
    transient: TRANSIENT_TYPES.has(errorType) || TRANSIENT_CODES.has(code) ||
      (topCode !== undefined && TRANSIENT_CODES.has(topCode)),
    raw: entry,
  });
}

function complaint(
  one: Fields,
  fields: Fields,
): { errorType: string; code: string; message: string; detail: Fields } {
  const errorType = string(one["errorType"]) ?? NO_FAMILY;
  const detail = {
    ...fieldsOf(one["KeywordError"]),
    ...fieldsOf(fieldsOf(one["errorValue"])[errorType]),
  };
  const code = string(detail["reason"]) ?? string(one["code"]) ?? string(one["reason"]) ??
    string(fields["code"]) ?? errorType;
  const message = string(detail["message"]) ?? string(one["message"]) ?? string(one["note"]) ??
    string(fields["description"]) ?? string(fields["details"]) ?? string(fields["message"]) ?? code;
  const marketplace = string(one["marketplace"]);
  return {
    errorType,
    code,
    message: marketplace === undefined ? message : `${marketplace}: ${message}`,
    detail,
  };
}

function allowedHint(allowed: unknown): string | undefined {
  const values = (Array.isArray(allowed) ? allowed : []).flatMap((value) => string(value) ?? []);
  return values.length === 0 ? undefined : `Use one of ${values.join(", ")}`;
}

export function failure<Item>(
  place: { index: number; item: Item | undefined; outcome?: ItemOutcome },
  what: {
    errorType?: string | undefined;
    code: string;
    message: string;
    lowerLimit?: string | undefined;
    upperLimit?: string | undefined;
    hint?: string | undefined;
    transient?: boolean;
    raw?: unknown;
  },
): BatchError<Item> {
  const errorType = what.errorType ?? NO_FAMILY;
  return {
    index: place.index,
    item: place.item,
    errorType,
    code: what.code,
    message: what.message,
    outcome: place.outcome ?? "refused",
    lowerLimit: what.lowerLimit,
    upperLimit: what.upperLimit,
    hint: what.hint ?? hintFor(what.code, errorType),
    transient: what.transient ?? false,
    raw: what.raw,
  };
}

const UNIFIED_CODES: readonly [code: RegExp, family: string][] = [
  [/^RESOURCE_ID_NOT_FOUND$/, "entityNotFoundError"],
  [/^(?:FIELD_VALUE_NOT_FOUND|RESOURCE_DOES_NOT_BELONG_TO_PARENT)$/, "parentEntityError"],
  [/^(?:FIELD_VALUE_NOT_UNIQUE|DUPLICATE_)/, "duplicateValueError"],
  [
    /^(?:FIELD_VALUE_IS_NULL|FIELD_VALUE_IS_EMPTY|RESOURCE_IS_(?:NULL|EMPTY)|DATE_CANNOT_BE_NULL)$/,
    "missingValueError",
  ],
  [/INVALID_CHARACTERS$|BLOCKLISTED_WORDS$|^FIELD_SIZE_/, "malformedValueError"],
  [/_(?:OUT_OF_RANGE|MAXIMUM_LIMIT|MINIMUM_LIMIT)$/, "rangeError"],
  [/^(?:DATE_|DURATION_)/, "dateError"],
  [
    /^ARCHIVED_PARENT_|^ARCHIVED_RESOURCE_|TERMINAL_STATE$|^AUTOCREATED_ENTITY_CANNOT_EDIT$/,
    "entityStateError",
  ],
  [/_LIMIT_EXCEEDED$/, "entityQuotaError"],
  [/^PAYMENT_ISSUE$/, "billingError"],
  [/^PRODUCT_INELIGIBLE$/, "adEligibilityError"],
  [/^UNSUPPORTED_MARKETPLACE$/, "applicableMarketplacesError"],
  [/^(?:ACTION_NOT_SUPPORTED|FEATURE_|FIELD_VALUE_CANNOT_EDIT$)/, "unsupportedOperationError"],
  [/^FIELD_VALUE_(?:IS_INVALID|MISMATCH|MUST_BE_EMPTY)/, "invalidInputError"],
];

function familyOf(code: string): string | undefined {
  switch (code) {
    case "NOT_FOUND":
      return "entityNotFoundError";
    case "SERVER_IS_BUSY":
    case "THROTTLED":
    case "TOO_MANY_REQUESTS":
      return "throttledError";
    case "INTERNAL_ERROR":
      return "internalServerError";
    default:
      return UNIFIED_CODES.find(([pattern]) => pattern.test(code))?.[1];
  }
}

function string(value: unknown): string | undefined {
  if (typeof value === "string" && value !== "") return value;
  return typeof value === "number" ? String(value) : undefined;
}
