import { isObject } from "../../base/json/fields_of.ts";
import { sameValue } from "../../base/json/canonical_json.ts";
import type { EntityFields } from "../model/change.ts";
import type { ChangeResult } from "../model/change_result.ts";
import type { DayLedger, SentPlan, SentWrite } from "./day_ledger.ts";
import { operationOf, type Step } from "./plan_state.ts";
import { known } from "../model/prior_state.ts";

/** Days that a plan's record is kept; a later undo is judged like any plan. */
export const SENT_RECORD_DAYS = 30;

export function writesOf(steps: readonly Step[]): SentWrite[] {
  return steps.flatMap(({ change: { kind, id, after: fields }, op, before, after }) => {
    const read = known(before);
    if (id === null || op !== "update" || read === undefined) return [];
    return [{ kind, id, was: shaped(read, fields), wrote: shaped(after, fields) }];
  });
}

export function createdBy(results: readonly ChangeResult[]): SentWrite[] {
  return results.flatMap(({ change, outcome, id }) =>
    operationOf(change) === "create" && (outcome === "done" || outcome === "partial") && id !== undefined
      ? [{ kind: change.kind, id }]
      : []
  );
}

/**
 * True if the entity still holds what this tool wrote and the step restores what it recorded, or archives what it
 * created. Earlier values in plan files and journals are not trusted. Calls are compared by body, and only for default
 * warnings.
 */
export function restores({ change, op, before, after }: Step, sent: readonly SentWrite[]): boolean {
  if (op === "call") {
    return sent.some(({ kind, id, was }) =>
      kind === change.kind && id === change.label && sameValue(was, change.after)
    );
  }
  const read = known(before);
  if (change.id === null || read === undefined) return false;
  const writes = sent.filter(({ kind, id }) => kind === change.kind && id === change.id);
  if (op === "archive") return writes.some(({ wrote }) => wrote === undefined);
  if (op !== "update") return false;
  const names = Object.keys(change.after);
  return writes.some(({ was, wrote }) =>
    was !== undefined && wrote !== undefined &&
    names.every((name) =>
      (name in wrote || name in was) && sameOrAbsent(partOf(read[name], wrote[name]), wrote[name]) &&
      sameOrAbsent(partOf(after[name], change.after[name]), was[name])
    )
  );
}

const MAX_PLANS = 100;

export interface SentRecord {
  keep(
    plan: { readonly profileId: string; readonly id: string },
    writes: readonly SentWrite[],
  ): Promise<void>;
  by(plan: SentPlan): Promise<readonly SentWrite[]>;
}

export function sentRecord(ledger: DayLedger | undefined): SentRecord {
  const memory = new Map<string, readonly SentWrite[]>();
  const keyOf = ({ profileId, planId }: SentPlan): string => `${profileId} ${planId}`;
  return {
    keep: async ({ profileId, id: planId }, writes) => {
      if (writes.length === 0) return;
      if (ledger?.keepSent !== undefined) return await ledger.keepSent({ profileId, planId }, writes);
      const key = keyOf({ profileId, planId });
      memory.set(key, [...memory.get(key) ?? [], ...writes]);
      const [oldest] = memory.keys();
      if (memory.size > MAX_PLANS && oldest !== undefined) memory.delete(oldest);
    },
    by: async (plan) => await ledger?.sentBy?.(plan) ?? memory.get(keyOf(plan)) ?? [],
  };
}

function sameOrAbsent(a: unknown, b: unknown): boolean {
  return sameValue(a ?? null, b ?? null);
}

export function shaped(fields: EntityFields, change: EntityFields): EntityFields {
  return Object.fromEntries(
    Object.entries(change).map(([name, like]) => [name, partOf(fields[name], like) ?? null]),
  );
}

export function partOf(value: unknown, like: unknown): unknown {
  if (!isObject(value) || !isObject(like)) return value;
  return Object.fromEntries(Object.keys(like).map((name) => [name, partOf(value[name], like[name]) ?? null]));
}
