import type { Change } from "../model/change.ts";
import type { ChangeResult } from "../model/change_result.ts";
import { changeTitle } from "../model/change_subject.ts";
import { changeGraph, refsIn, withRefs } from "../model/change_ref.ts";
import type { PlanData, PlanNames } from "../model/plan_data.ts";
import { differences } from "../model/differences.ts";
import { plannedCall, undoingCall } from "../model/planned_call.ts";
import type { PlanTarget } from "../model/plan_target.ts";
import { restoringFields } from "../state/merge_fields.ts";

const MAX_ID = 64;

interface UndoFields {
  readonly id?: string;
  readonly profileId: string;
  readonly countryCode: string;
  readonly rehearsal: string | null;
  readonly changes: readonly Change[];
  readonly warnings: readonly string[];
  readonly names: PlanNames;
  readonly note: string;
  readonly reverses: string;
}

export interface Undoable {
  readonly canArchive: (kind: string) => boolean;
  readonly canEmpty: (kind: string, field: string) => boolean;
}

export function inverseOf(plan: PlanData): UndoFields {
  return undoFields(plan, (change, lost) => invertChange(change, lost, () => false));
}

/**
 * Undoes only accepted changes or their accepted parts: updates return to their `before` values, created entities are
 * archived.
 */
export function rollbackOf(
  plan: PlanData,
  results: readonly ChangeResult[],
  { canArchive, canEmpty }: Undoable,
): UndoFields {
  const { positions } = changeGraph(plan.changes);
  const idOf = (ref: string): string | undefined => results[positions.get(ref) ?? -1]?.id;
  const fields = undoFields(plan, (planned, lost, at) => {
    const { warnings } = lost;
    const { outcome, id, now } = results[at] ?? { outcome: "not_sent", now: undefined };
    const change = resolved(planned, idOf);
    if (outcome === "unknown") {
      warnings.push(
        `${changeTitle(change)}: no clear response, so it may have been applied in full or in part. ` +
          "Check the account, and undo it by hand if needed",
      );
    }
    if (outcome !== "done" && outcome !== "partial") return [];
    if (change.op !== "create") {
      // Of what was done in part, it holds what the platform showed, and not all that was sent.
      return invertChange({ ...change, after: { ...change.after, ...now } }, lost, canEmpty);
    }
    if (id === undefined) {
      warnings.push(`${changeTitle(change)}: it was created, but the platform did not return its id`);
      return [];
    }
    if (!canArchive(change.kind)) {
      const name = changeTitle({ ...change, id });
      warnings.push(`${name}: it was created, and the platform has no way to archive it`);
      return [];
    }
    const { kind, label, campaignId } = change;
    const parent = campaignId === undefined ? {} : { campaignId };
    return [{ kind, op: "archive", id, before: {}, after: { state: "ARCHIVED" }, label, ...parent }];
  });
  return { ...fields, id: undoId(plan.id) };
}

/** `<id>-undo`; `<id>-undo2` undoes that. */
export function undoId(id: string): string {
  const [, plan = id, times] = /^(.*)-undo(\d*)$/.exec(id) ?? [];
  const suffix = times === undefined ? "-undo" : `-undo${Number(times || 1) + 1}`;
  return `${plan.slice(0, MAX_ID - suffix.length)}${suffix}`;
}

interface Lost {
  readonly archived: Change[];
  readonly warnings: string[];
}

function undoFields(
  plan: PlanData,
  undo: (change: Change, lost: Lost, at: number) => Change[],
): UndoFields {
  const lost: Lost = { archived: [], warnings: [] };
  const { levels } = changeGraph(plan.changes);
  // What was done last goes back first, and what depends on a change before it.
  const placed = plan.changes.map((change, at) => ({ change, at, level: levels[at] ?? 0 })).reverse()
    .sort((a, b) => b.level - a.level);
  return {
    profileId: plan.profileId,
    countryCode: plan.countryCode,
    changes: placed.flatMap(({ change, at }) => undo(change, lost, at)),
    warnings: [...archiveWarnings(lost.archived), ...lost.warnings],
    names: plan.names,
    note: `Undo of plan ${plan.id}`,
    reverses: plan.id,
    rehearsal: plan.rehearsal,
  };
}

function resolved(change: Change, idOf: (ref: string) => string | undefined): Change {
  const after = withRefs(change.after, idOf);
  const campaignId = change.campaignId ?? after["campaignId"];
  const parent = typeof campaignId === "string" ? { campaignId } : {};
  const { kind, op, id, before, label } = change;
  return { kind, op, id, before, after, label, ...parent };
}

const MAX_NAMED = 5;

function archiveWarnings(changes: readonly Change[]): string[] {
  const names = changes.map(changeTitle);
  if (names.length === 0) return [];
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
  return [`Archiving is permanent and cannot be undone: ${names.slice(0, MAX_NAMED).join(", ")}${more}`];
}

function invertChange(
  change: Change,
  { archived, warnings }: Lost,
  canEmpty: Undoable["canEmpty"],
): Change[] {
  const name = changeTitle(change);
  if (change.op === "archive") {
    archived.push(change);
    return [];
  }
  if (change.op === "create") {
    warnings.push(
      `${name}: a new entity has no id yet; after applying, undo it from the result`,
    );
    return [];
  }
  if (change.op === "call") return invertCall(change, warnings);
  const before: Record<string, unknown> = {};
  const after: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(change.after)) {
    const old = Object.hasOwn(change.before, field) ? change.before[field] : undefined;
    if (refsIn(value).length > 0) {
      warnings.push(
        `${name}: "${field}" refers to a new entity of the plan; after applying, undo it from the result`,
      );
    } else if (old === undefined && canEmpty(change.kind, field)) {
      before[field] = value;
      after[field] = null;
    } else if (old === undefined) {
      warnings.push(`${name}: "${field}" had no value before and cannot be cleared`);
    } else {
      before[field] = value;
      after[field] = restoringFields(value, old);
    }
  }
  const { ref: _, dependsOn: __, ...rest } = change;
  return Object.keys(after).length === 0 ? [] : [{ ...rest, before, after }];
}

function invertCall(change: Change, warnings: string[]): Change[] {
  const undo = undoingCall(change);
  const done = plannedCall(change);
  if (undo !== undefined && done !== undefined) {
    // The state after the call is not known until it was sent, so that nothing can drift from it but its body.
    const before = undo.body === undefined || done.body === undefined ? {} : { body: done.body };
    const { kind, op, id, dependsOn: _, ref: __, ...rest } = change;
    return [{
      ...rest,
      kind,
      op,
      id,
      before: { ...before, undo: done },
      after: { ...undo },
      label: undo.operation,
    }];
  }
  const { request, body, rows, file } = plannedCall(change) ?? {};
  const old = change.before["body"];
  const lost = old === undefined
    ? undefined
    : differences(old, body).find(({ before }) => before === undefined);
  if (old === undefined || lost !== undefined) {
    const why = rows !== undefined || file !== undefined
      ? "no operation takes back an upload"
      : lost === undefined
      ? "its effect is unknown"
      : `"${lost.field}" had no value before`;
    warnings.push(`${changeTitle(change)} (${request}): it cannot be undone, because ${why}`);
    return [];
  }
  const { ref: _, dependsOn: __, ...rest } = change;
  return [{ ...rest, before: { body }, after: { ...change.after, body: old } }];
}

export function undoableBy(client: PlanTarget): Undoable {
  return {
    canArchive: (kind) => client.resource(kind).archivable,
    canEmpty: (kind, field) => client.resource(kind).clearable?.includes(field) ?? false,
  };
}
