import type { JsonObject } from "../core/json.ts";
import type { FaultItemErrors } from "../faults/fault_rule.ts";
import type { FlatResource } from "./flat_resource.ts";
import type { ItemError } from "./item_error.ts";

export interface FlatProblem {
  readonly code: string;
  readonly description: string;
  /** Never on the wire. */
  readonly cause?: ItemError;
}

export type FlatVerdict = FlatProblem | { readonly id: string };

const FAULT_CODES: Readonly<Record<string, string>> = {
  throttledError: "SERVER_IS_BUSY",
  internalServerError: "INTERNAL_ERROR",
};

export function faultProblem({ errorType }: FaultItemErrors): FlatProblem {
  const code = FAULT_CODES[errorType] ?? "INTERNAL_ERROR";
  return { code, description: "The item was not processed, please try again" };
}

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
