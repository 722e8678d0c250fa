import type { BatchError } from "../../platform/batch/batch_error.ts";
import { itemError } from "../../platform/batch/item_error.ts";
import { bodyVerdict, parseMultiStatus, verdictEntries } from "../../platform/batch/parse_multi_status.ts";

interface ResponseVerdict {
  readonly refused: readonly BatchError[];
  readonly unknown: readonly BatchError[];
  readonly ids: readonly string[];
  readonly count: number;
}

/**
 * Reads the response to a call. A 2xx status alone does not mean success: the body may refuse items, and an unreadable
 * 207 counts as unknown.
 */
export function responseVerdict(json: unknown, status: number): ResponseVerdict {
  const whole = { index: 0, item: undefined };
  if (!Array.isArray(json) && bodyVerdict(json) === "error" && verdictEntries(json) === undefined) {
    return { refused: [itemError(json, whole)], unknown: [], ids: [], count: 1 };
  }
  const entries = verdictEntries(json);
  const isMulti = status === 207;
  if (entries === undefined || (entries.length === 0 && !isMulti)) {
    const unknown = isMulti ? [unreadable(json)] : [];
    return { refused: [], unknown, ids: [], count: 1 };
  }
  const { successes, errors } = parseMultiStatus(json);
  // A plain list of what was made is no list of verdicts, unless the platform says that it is.
  const unknown = isMulti ? errors.filter(({ outcome }) => outcome === "unknown") : [];
  return {
    refused: errors.filter(({ outcome }) => outcome !== "unknown"),
    unknown: isMulti && entries.length === 0 ? [unreadable(json)] : unknown,
    ids: successes.flatMap(({ id }) => id ?? []),
    count: Math.max(1, entries.length),
  };
}

function unreadable(json: unknown): BatchError {
  return {
    ...itemError({ code: "NO_VERDICT", message: "The response has no verdict that can be read" }, {
      index: 0,
      item: undefined,
      outcome: "unknown",
    }),
    raw: json,
  };
}
