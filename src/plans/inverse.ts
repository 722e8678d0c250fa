import type { Change } from "./change.ts";
import type { ChangeResult } from "./change_result.ts";
import type { PlanData } from "./plan_data.ts";
import type { PlanNames } from "./plan_names.ts";

const MAX_ID = 64;

/** The fields of a plan that undoes another. */
export interface UndoFields {
  /** Id; absent for one that may be made several times. */
  readonly id?: string;
  /** Id of the profile. */
  readonly profileId: string;
  /** Country of the profile. */
  readonly countryCode: string;
  /** What goes back, the last change first. */
  readonly changes: readonly Change[];
  /** What cannot be restored, and why. */
  readonly warnings: readonly string[];
  /** Names of the entities that the changes are in. */
  readonly names: PlanNames;
  /** Says what it undoes. */
  readonly note: string;
  /** Id of the plan that it undoes. */
  readonly reverses: string;
}

/** The fields of a plan that restores every `before` value. */
export function inverseOf(plan: PlanData): UndoFields {
  return undoFields(plan, (change, warnings) => invertChange(change, warnings));
}

/**
 * The fields of a plan that undoes what was accepted, and only that: updates go back to their `before` values, created
 * entities are archived.
 *
 * @param canArchive False for a kind that the platform has no way to archive.
 */
export function rollbackOf(
  plan: PlanData,
  results: readonly ChangeResult[],
  canArchive: (kind: string) => boolean,
): UndoFields {
  const fields = undoFields(plan, (change, warnings, at) => {
    const { outcome, id } = results[at] ?? { outcome: "not_sent" };
    if (outcome === "unknown") {
      warnings.push(
        `${nameOf(change)}: it may have been done in whole or in part, for no clear response came. ` +
          "Read the account and undo it by hand if it was",
      );
    }
    if (outcome !== "done") return [];
    if (change.op !== "create") return invertChange(change, warnings);
    if (id === undefined) {
      warnings.push(`${nameOf(change)}: it was created, but its id did not come back`);
      return [];
    }
    if (!canArchive(change.kind)) {
      const name = nameOf({ ...change, id });
      warnings.push(`${name}: it was created, and the platform has no way to archive it`);
      return [];
    }
    return [{ ...change, op: "archive", id, before: {}, after: { state: "ARCHIVED" } }];
  });
  return { ...fields, id: undoId(plan.id) };
}

/** Id of the one plan that undoes what was done of a plan: `<id>-undo`, and `<id>-undo2` for undoing that. */
export function undoId(id: string): string {
  const [, plan = id, times] = /^(.*)-undo(\d*)$/.exec(id) ?? [];
  const suffix = times === undefined ? "-undo" : `-undo${Number(times || 1) + 1}`;
  return `${plan.slice(0, MAX_ID - suffix.length)}${suffix}`;
}

function undoFields(
  plan: PlanData,
  undo: (change: Change, warnings: string[], at: number) => Change[],
): UndoFields {
  const warnings: string[] = [];
  const placed = plan.changes.map((change, at) => ({ change, at })).reverse();
  return {
    profileId: plan.profileId,
    countryCode: plan.countryCode,
    changes: placed.flatMap(({ change, at }) => undo(change, warnings, at)),
    warnings,
    names: plan.names,
    note: `Undo of plan ${plan.id}`,
    reverses: plan.id,
  };
}

function nameOf({ kind, id, label }: Change): string {
  return `${kind} ${id ?? ""} ${label}`.replace(/\s+/g, " ").trim();
}

/** The change that undoes one change; adds to `warnings` what it cannot undo. */
function invertChange(change: Change, warnings: string[]): Change[] {
  const name = nameOf(change);
  if (change.op === "archive") {
    warnings.push(`${name}: archiving is permanent and cannot be undone`);
    return [];
  }
  if (change.op === "create") {
    warnings.push(
      `${name}: what a create makes has no id yet; the result of applying it knows how to undo it`,
    );
    return [];
  }
  const before: Record<string, unknown> = {};
  const after: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(change.after)) {
    const old = Object.hasOwn(change.before, field) ? change.before[field] : undefined;
    if (old === undefined) {
      warnings.push(`${name}: "${field}" had no value before and cannot be emptied again`);
    } else {
      before[field] = value;
      after[field] = old;
    }
  }
  return Object.keys(after).length === 0 ? [] : [{ ...change, before, after }];
}
