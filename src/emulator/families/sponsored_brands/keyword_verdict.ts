import type { JsonObject } from "../../core/json.ts";
import type { FlatProblem } from "../../entities/flat_verdict.ts";

/** Why a keyword was refused, with the words of version 3. */
export interface KeywordProblem extends FlatProblem {
  /** The field and the reason, where the platform tells them. */
  readonly detail?: { readonly field: string; readonly reason: string; readonly trigger?: string };
}

/** Result for one keyword. */
export type KeywordVerdict = KeywordProblem | { readonly keywordId: string };

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
