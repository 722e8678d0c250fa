import { ApplyJournal } from "../apply/apply_journal.ts";
import type { SentWrite } from "../state/day_ledger.ts";
import { shaped } from "../state/sent_record.ts";
import type { PlanData } from "../model/plan_data.ts";
import { operationOf } from "../state/plan_state.ts";

/**
 * Writes of an applied plan from its journal, for the default warnings only. A policy trusts only its own record.
 *
 * @param journal Path of the journal.
 */
export async function sentByJournal(plan: PlanData, journal: string): Promise<SentWrite[]> {
  const { statuses } = await new ApplyJournal(journal, Date.now).read(plan);
  return plan.changes.flatMap((change, at): SentWrite[] => {
    const status = statuses[at];
    const { kind, before, after } = change;
    const op = operationOf(change);
    if (status?.state !== "done" && status?.state !== "partial") return [];
    if (op === "call") return [{ kind, id: change.label, was: { ...after, ...before }, wrote: after }];
    const id = change.id ?? status.id;
    if (id === undefined) return [];
    if (op === "create") return [{ kind, id }];
    return op === "update" ? [{ kind, id, was: shaped(before, after), wrote: after }] : [];
  });
}
