import { ChangePlan } from "../change_plan/change_plan.ts";
import { fieldsOf } from "../../base/json/fields_of.ts";
import { undoId } from "../change_plan/inverse.ts";
import type { AppliedRecord, AppliedVerdict } from "./applied_record.ts";
import type { PlanPlaces } from "./plan_places.ts";
import type { Undone } from "./plan_status.ts";
import { readIfThere } from "../../base/runtime/read_named_file.ts";
import { readRecord } from "./read_record.ts";

const MAX_BASE = 52;

interface UndoStatus {
  /** Id of the last undo that has a file, or of the first undo. */
  readonly id: string;
  readonly undone: Undone | undefined;
  /** Id of the first undo with a call of unknown outcome, which no continuation sends. */
  readonly unsure: string | undefined;
}

export async function undoStatus(id: string, places: PlanPlaces): Promise<UndoStatus> {
  const has = async (undo: string): Promise<boolean> =>
    await readIfThere(places.plan(undo)) !== undefined ||
    await readIfThere(places.rollback(undo)) !== undefined;
  let undone: Undone | undefined;
  let isPart = false;
  let unsure: string | undefined;
  let last = undoId(id);
  for (let undo = last; undo === last || await has(undo); undo = nextId(undo)) {
    last = undo;
    const result = await readRecord(places.result(undo));
    if (result !== undefined) {
      const verdicts: unknown[] = Array.isArray(result["changes"]) ? result["changes"] : [];
      if (verdicts.length === 0 || verdicts.some((change) => mayBeDone(outcomeOf(change)))) {
        undone = { at: String(result["applied_at"]), by: undo };
      }
      // Each continuation holds all that was left by then, but for calls whose outcome is unknown.
      isPart = !verdicts.every((change) => isPutBack(outcomeOf(change)));
      if (verdicts.some(isUnsureCall)) unsure ??= undo;
    } else if (await readRecord(places.refusal(undo)) === undefined) break;
  }
  if (undone !== undefined && (isPart || unsure !== undefined)) undone = { ...undone, isPart: true };
  return { id: last, undone, unsure };
}

function outcomeOf(change: unknown): unknown {
  return fieldsOf(change)["outcome"];
}

/** True unless nothing was done for a change with this outcome. */
export function mayBeDone(outcome: unknown): boolean {
  return outcome !== "refused" && outcome !== "not_sent";
}

/** True if a change of an undo with this outcome is certain to be put back. */
export function isPutBack(outcome: unknown): boolean {
  return outcome === "done" || outcome === "already";
}

function isUnsureCall(change: unknown): boolean {
  const { op, outcome } = fieldsOf(change);
  return op === "call" && outcome === "unknown";
}

interface Records {
  status(id: string): Promise<{ readonly state: string }>;
  find(id: string): Promise<{ readonly plan: ChangePlan } | undefined>;
  applied(id: string): Promise<AppliedRecord | undefined>;
}

/**
 * Plans what an undo and its continuations failed to restore; `undefined` if nothing remains or if one of them has not
 * ended.
 *
 * @param first Id of the undo.
 */
export async function restOfUndo(first: string, records: Records): Promise<ChangePlan | undefined> {
  const { state, plan } = await lastUndo(first, records);
  return state === "open" ? plan : undefined;
}

export async function lastUndo(
  first: string,
  records: Records,
): Promise<{ readonly state: string; readonly plan: ChangePlan | undefined }> {
  let rest: ChangePlan | undefined;
  for (let id = first;; id = rest.id) {
    const { state } = await records.status(id);
    if (state === "open") return { state, plan: rest };
    const undo = await records.find(id);
    if (state !== "applied" && state !== "refused") return { state, plan: undo?.plan };
    // Refusing one undo must not make the plan impossible to undo: a person may change their mind.
    const left = undo &&
      (state === "refused"
        ? undo.plan.changes
        : leftOf(undo.plan, (await records.applied(id))?.changes ?? []));
    rest = undo && left && left.length > 0
      ? new ChangePlan({ ...undo.plan, id: nextId(id), changes: left, findings: [] })
      : undefined;
    if (rest === undefined) return { state, plan: undo?.plan };
  }
}

function leftOf(undo: ChangePlan, verdicts: readonly AppliedVerdict[]): ChangePlan["changes"] {
  return undo.changes.filter(({ op }, at) => {
    const { outcome } = verdicts[at] ?? {};
    // To set a value or to archive once more does no harm; a call may do something a second time.
    return outcome === "partial" || outcome === "refused" || outcome === "not_sent" ||
      outcome === "unknown" && op !== "call";
  });
}

/** Id of the plan that continues an undo: `X-undo-again`, `X-undo-again2`. */
function nextId(undo: string): string {
  const [, base = undo, times] = /^(.*)-again(\d*)$/.exec(undo) ?? [];
  return `${base.slice(0, MAX_BASE)}-again${times === undefined ? "" : Number(times || 1) + 1}`;
}
