import { fieldsOf } from "../../base/json/fields_of.ts";
import type { ChangeOutcome } from "../model/change_result.ts";
import { ChangePlan } from "../change_plan/change_plan.ts";
import { type Override, readOverride } from "../model/override.ts";

/** The verdict on one change, as a result file has it. */
export interface AppliedVerdict {
  /** Id of the entity; `null` when it was not created, or its id did not come back. */
  readonly id: string | null;
  /** Outcome of the change. */
  readonly outcome: ChangeOutcome;
  /** Why it is not done; absent where it is. */
  readonly message?: string;
}

/** Contents of a plan's result file. */
export interface AppliedRecord {
  /** When the plan was applied, ISO 8601. */
  readonly appliedAt: string;
  /** True when every change is done. */
  readonly ok: boolean;
  /** Counts in words. */
  readonly summary: string;
  /** One verdict for each change of the plan, by its position. */
  readonly changes: readonly AppliedVerdict[];
  /** Overridden findings; `undefined` for none. */
  readonly override: Override | undefined;
  /** When the plan was undone, ISO 8601; absent for one that was not. */
  readonly undoneAt?: string | undefined;
}

const OUTCOMES: readonly ChangeOutcome[] = ["done", "partial", "refused", "not_sent", "unknown", "already"];

/** Reads the data of a result file; `undefined` when it is damaged. */
export function appliedRecord(data: Readonly<Record<string, unknown>>): AppliedRecord | undefined {
  const { applied_at: appliedAt, ok, summary, changes } = data;
  if (typeof appliedAt !== "string" || Number.isNaN(Date.parse(appliedAt))) return undefined;
  if (typeof summary !== "string" || !Array.isArray(changes)) return undefined;
  const verdicts = changes.map((change) => {
    const { id, outcome, error } = fieldsOf(change);
    const known = OUTCOMES.find((one) => one === outcome);
    const { message } = fieldsOf(error);
    return known === undefined ? undefined : {
      id: typeof id === "string" ? id : null,
      outcome: known,
      ...(typeof message === "string" ? { message } : {}),
    };
  }).filter((verdict) => verdict !== undefined);
  if (verdicts.length !== changes.length) return undefined;
  return { appliedAt, ok: ok === true, summary, changes: verdicts, override: readOverride(data["override"]) };
}

/** Longest base id that leaves room for the suffix of another attempt. */
const MAX_BASE = 52;

interface Records {
  status(id: string): Promise<{ readonly state: string }>;
  find(id: string): Promise<{ readonly plan: ChangePlan } | undefined>;
  applied(id: string): Promise<AppliedRecord | undefined>;
}

/**
 * Plans what an undo and its continuations could not restore; `undefined` when nothing is left or one has not ended.
 *
 * @param first Id of the undo.
 */
export async function restOfUndo(first: string, records: Records): Promise<ChangePlan | undefined> {
  const { state, plan } = await lastUndo(first, records);
  return state === "open" ? plan : undefined;
}

/**
 * The last of an undo and of those that went on with it: `open` is what is still to be put back, a plan only where one of
 * them left a rest; anything else is the state of the last that was begun.
 *
 * @param first Id of the undo.
 */
export async function lastUndo(
  first: string,
  records: Records,
): Promise<{ readonly state: string; readonly plan: ChangePlan | undefined }> {
  let rest: ChangePlan | undefined;
  for (let id = first;; id = rest.id) {
    const { state } = await records.status(id);
    if (state === "open") return { state, plan: rest };
    const undo = await records.find(id);
    if (state !== "applied") return { state, plan: undo?.plan };
    rest = undo && restOf(undo.plan, (await records.applied(id))?.changes ?? []);
    if (rest === undefined) return { state, plan: undo?.plan };
  }
}

function restOf(undo: ChangePlan, verdicts: readonly AppliedVerdict[]): ChangePlan | undefined {
  const changes = undo.changes.filter(({ op }, at) => {
    const { outcome } = verdicts[at] ?? {};
    // To set a value or to archive once more does no harm; a call may do something a second time.
    return outcome === "partial" || outcome === "refused" || outcome === "not_sent" ||
      outcome === "unknown" && op !== "call";
  });
  const [, base = undo.id, times] = /^(.*)-again(\d*)$/.exec(undo.id) ?? [];
  const id = `${base.slice(0, MAX_BASE)}-again${times === undefined ? "" : Number(times || 1) + 1}`;
  return changes.length === 0 ? undefined : new ChangePlan({ ...undo, id, changes, findings: [] });
}
