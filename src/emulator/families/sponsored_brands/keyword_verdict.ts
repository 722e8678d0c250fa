import type { JsonObject } from "../../core/json.ts";
import type { FlatProblem } from "../../entities/flat_verdict.ts";

export interface KeywordProblem extends FlatProblem {
  readonly detail?: { readonly field: string; readonly reason: string; readonly trigger?: string };
}

export type KeywordVerdict = KeywordProblem | { readonly keywordId: string };

export function invalid(description: string, detail?: KeywordProblem["detail"]): KeywordProblem {
  return { code: "INVALID_ARGUMENT", description, ...(detail === undefined ? {} : { detail }) };
}

export function notAllowed(field: string): KeywordProblem {
  return invalid(`The noted field is not allowed with this API endpoint : ${field}`);
}

export function notFound(what: string): KeywordProblem {
  return { code: "NOT_FOUND", description: `${what} not found` };
}

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
