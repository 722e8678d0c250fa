import type { BatchError, ItemOutcome } from "./batch_error.ts";
import { hintFor } from "./hint.ts";
import { fieldsOf } from "./fields_of.ts";

const TRANSIENT_TYPES = new Set(["throttledError", "internalServerError"]);
const TRANSIENT_CODES = new Set(["THROTTLED", "INTERNAL_ERROR", "SERVER_IS_BUSY"]);
const NO_FAMILY = "otherError";

/**
 * Builds the verdict on a failed item from the platform's error entry, whichever of its shapes it has:
 * `{errors: [{errorType, errorValue: {<family>: {reason, message, lowerLimit, upperLimit}}}]}`,
 * `{errors: [{code, message}]}`, `{code, description | details}`, or `{errors: [{KeywordError: {reason, message}}]}`.
 */
export function itemError<Item>(
  entry: unknown,
  place: { index: number; item: Item | undefined; outcome?: ItemOutcome },
): BatchError<Item> {
  const fields = fieldsOf(entry);
  const first = fieldsOf(Array.isArray(fields["errors"]) ? fields["errors"][0] : undefined);
  const errorType = string(first["errorType"]) ?? NO_FAMILY;
  const detail = {
    ...fieldsOf(first["KeywordError"]),
    ...fieldsOf(fieldsOf(first["errorValue"])[errorType]),
  };
  const topCode = string(fields["code"]);
  const code = string(detail["reason"]) ?? string(first["code"]) ?? string(first["reason"]) ?? topCode ??
    errorType;
  const message = string(detail["message"]) ?? string(first["message"]) ?? string(first["note"]) ??
    string(fields["description"]) ?? string(fields["details"]) ?? string(fields["message"]) ?? code;
  return failure(place, {
    errorType: errorType === NO_FAMILY ? familyOf(topCode ?? code) : errorType,
    code,
    message,
    lowerLimit: string(detail["lowerLimit"]),
    upperLimit: string(detail["upperLimit"]),
    transient: TRANSIENT_TYPES.has(errorType) || TRANSIENT_CODES.has(code) ||
      (topCode !== undefined && TRANSIENT_CODES.has(topCode)),
    raw: entry,
  });
}

/** Builds the verdict on an item that the platform said nothing about. */
export function failure<Item>(
  place: { index: number; item: Item | undefined; outcome?: ItemOutcome },
  what: {
    errorType?: string;
    code: string;
    message: string;
    lowerLimit?: string | undefined;
    upperLimit?: string | undefined;
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
    hint: hintFor(what.code, errorType),
    transient: what.transient ?? false,
    raw: what.raw,
  };
}

function familyOf(code: string): string {
  switch (code) {
    case "NOT_FOUND":
      return "entityNotFoundError";
    case "SERVER_IS_BUSY":
    case "THROTTLED":
      return "throttledError";
    case "INTERNAL_ERROR":
      return "internalServerError";
    default:
      return NO_FAMILY;
  }
}

function string(value: unknown): string | undefined {
  if (typeof value === "string" && value !== "") return value;
  return typeof value === "number" ? String(value) : undefined;
}
