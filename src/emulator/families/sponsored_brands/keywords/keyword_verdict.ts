import type { FaultItemErrors } from "../../../faults/fault_rule.ts";
import type { JsonObject } from "../../../core/json.ts";

/** Why a keyword was refused, with the words of version 3. */
export interface KeywordProblem {
  /** INVALID_ARGUMENT, NOT_FOUND and kin. */
  readonly code: string;
  readonly description: string;
  /** The field and the reason, where the platform tells them. */
  readonly detail?: { readonly field: string; readonly reason: string; readonly trigger?: string };
}

/** Result for one keyword. */
export type KeywordVerdict = KeywordProblem | { readonly keywordId: string };

const FAULT_CODES: Readonly<Record<string, string>> = {
  throttledError: "SERVER_IS_BUSY",
  internalServerError: "INTERNAL_ERROR",
};

/** A problem with a value of the item. */
export function invalid(description: string, detail?: KeywordProblem["detail"]): KeywordProblem {
  return { code: "INVALID_ARGUMENT", description, ...(detail === undefined ? {} : { detail }) };
}

/** The problem of a field that this operation does not take. */
export function notAllowed(field: string): KeywordProblem {
  return invalid(`The noted field is not allowed with this API endpoint : ${field}`);
}

/** The problem of an id that nothing has. */
export function notFound(what: string): KeywordProblem {
  return { code: "NOT_FOUND", description: `${what} not found` };
}

/** The problem that a fault rule makes. */
export function faultProblem({ errorType }: FaultItemErrors): KeywordProblem {
  const code = FAULT_CODES[errorType] ?? "INTERNAL_ERROR";
  return { code, description: "The item was not processed, please try again" };
}

/** A verdict as the response holds it. */
export function toWireVerdict(verdict: KeywordVerdict): JsonObject {
  if ("keywordId" in verdict) return { code: "SUCCESS", keywordId: BigInt(verdict.keywordId) };
  const { code, description, detail } = verdict;
  if (detail === undefined) return { code, description };
  const { field, reason, trigger } = detail;
  const error: JsonObject = {
    location: field,
    message: description,
    reason,
    ...(trigger === undefined ? {} : { trigger }),
  };
  return { code, description, errors: [{ KeywordError: error }] };
}
