import type { JsonObject } from "../core/json.ts";
import type { FaultItemErrors } from "../faults/fault_rule.ts";
import type { FlatResource } from "./flat_resource.ts";
import type { ItemError } from "./item_error.ts";

/** Why an item was refused. */
export interface FlatProblem {
  /** INVALID_ARGUMENT, NOT_FOUND and kin. */
  readonly code: string;
  readonly description: string;
  /** The error in later families; never on the wire. */
  readonly cause?: ItemError;
}

/** Result of an item: id or refusal. */
export type FlatVerdict = FlatProblem | { readonly id: string };

const FAULT_CODES: Readonly<Record<string, string>> = {
  throttledError: "SERVER_IS_BUSY",
  internalServerError: "INTERNAL_ERROR",
};

/** Problem from a fault rule. */
export function faultProblem({ errorType }: FaultItemErrors): FlatProblem {
  const code = FAULT_CODES[errorType] ?? "INTERNAL_ERROR";
  return { code, description: "The item was not processed, please try again" };
}

/** First of several errors, in the older form. */
export function problemOf(errors: readonly ItemError[]): FlatProblem | undefined {
  const [error] = errors;
  if (error === undefined) return undefined;
  const code = error.errorType === "entityNotFoundError" ? "NOT_FOUND" : "INVALID_ARGUMENT";
  return { code, description: `${error.message} (${error.reason})`, cause: error };
}

export function toWireVerdict(
  { idField, idFields }: Pick<FlatResource, "idField" | "idFields">,
  verdict: FlatVerdict,
): JsonObject {
  if (!("id" in verdict)) return { code: verdict.code, description: verdict.description };
  return { code: "SUCCESS", [idField]: idFields.includes(idField) ? BigInt(verdict.id) : verdict.id };
}
