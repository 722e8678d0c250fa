import { fieldsOf, isObject } from "../../base/json/fields_of.ts";
import type { BatchError, BatchSuccess } from "../../platform/batch/batch_error.ts";
import { failure } from "../../platform/batch/item_error.ts";
import type { Change, EntityFields } from "./change.ts";
import { plannedCall } from "./planned_call.ts";

/**
 * Outcome of one change: `done`; `partial`: the platform did a part and reported the rest, as in some marketplaces of a
 * global campaign; `refused`: the platform did not do it; `not_sent`: it was not sent; `unknown`: it may have been
 * done, in whole or in part; `already`: nothing was sent, because the account already had these values.
 */
export type ChangeOutcome = "done" | "partial" | "refused" | "not_sent" | "unknown" | "already";

/** The verdict on one change of a plan. */
export interface ChangeResult {
  /** The change, as in the plan. */
  readonly change: Change;
  /** Outcome of the change. */
  readonly outcome: ChangeOutcome;
  /** Id of the entity; absent if it was not created, or if its id was not returned. */
  readonly id?: string;
  /** Values of the changed fields after a `partial` outcome, if the platform reports them. */
  readonly now?: EntityFields;
  /** Response of the platform to a call; absent for changes of entities. */
  readonly response?: unknown;
  /** Reason it was not done; `index` is the position of the change in the plan. */
  readonly error?: BatchError;
  /** True if it was never sent because of what was done since the plan was made, and its reviewer was shown that. */
  readonly leftOut?: true;
}

/** A change and its position in the plan. */
export interface PlacedChange {
  /** Position in the plan. */
  readonly at: number;
  /** The change, as in the plan. */
  readonly change: Change;
}

export function doneResult(
  { change }: PlacedChange,
  success: Pick<BatchSuccess, "id" | "already"> & { readonly entity?: unknown },
): ChangeResult {
  const id = change.id ?? success.id;
  const isAnswered = change.op === "call" && success.entity !== undefined;
  return {
    change,
    outcome: success.already ? "already" : "done",
    ...(id === undefined ? {} : { id }),
    ...(isAnswered ? { response: success.entity } : {}),
  };
}

export function failedResult({ at, change }: PlacedChange, error: BatchError): ChangeResult {
  // Only where the platform names the entity, or rows of an upload, is it certain that a part was done.
  const isNamed = error.id !== undefined || plannedCall(change)?.rows !== undefined;
  const outcome = error.outcome === "partial" && !isNamed ? "unknown" : error.outcome;
  const id = change.id ?? error.id;
  const isShown = outcome === "partial" && error.entity !== undefined;
  return {
    change,
    outcome,
    ...(id === undefined ? {} : { id }),
    ...(isShown ? { now: likeFields(error.entity, change.after) } : {}),
    error: { ...error, index: at },
  };
}

export function ownResult(
  { at, change }: PlacedChange,
  outcome: "partial" | "refused" | "not_sent" | "unknown",
  why: Pick<Parameters<typeof failure>[1], "code" | "message" | "hint" | "lowerLimit" | "upperLimit" | "raw">,
): ChangeResult {
  const error = failure({ index: at, item: change.after, outcome }, why);
  return { change, outcome, ...knownId(change), error };
}

function likeFields(entity: unknown, like: EntityFields): EntityFields {
  const fields = fieldsOf(entity);
  return Object.fromEntries(
    Object.entries(like).flatMap(([name, part]): [string, unknown][] => {
      const value = fields[name];
      if (value === undefined) return [];
      const isNested = [value, part].every(isObject);
      return [[name, isNested ? likeFields(value, fieldsOf(part)) : value]];
    }),
  );
}

function knownId({ id }: Change): { id?: string } {
  return id === null ? {} : { id };
}

export function changeResultData(
  { change, outcome, id, response, error, leftOut }: ChangeResult,
): Record<string, unknown> {
  const { kind, op, label } = change;
  return {
    kind,
    op,
    id: id ?? change.id,
    label,
    ...(op === "update" ? { fields: Object.keys(change.after) } : {}),
    outcome,
    ...(leftOut === true ? { left_out: true } : {}),
    ...(response === undefined ? {} : { response }),
    ...(error === undefined ? {} : {
      sent: change.after,
      error: {
        error_type: error.errorType,
        code: error.code,
        message: error.message,
        lower_limit: error.lowerLimit,
        upper_limit: error.upperLimit,
        hint: error.hint,
        transient: error.transient,
      },
    }),
  };
}
