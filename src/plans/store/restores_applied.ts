import { canonicalJson } from "../../internal/canonical_json.ts";
import { ApplyJournal } from "../apply/apply_journal.ts";
import type { ChangeResult } from "../change_result.ts";
import { rollbackOf } from "../inverse.ts";
import type { PlanData } from "../plan_data.ts";

/**
 * True when every change of a plan puts back what the journal of another says was done: then it restores, wherever its
 * file came from. A plan that only claims so in its `reverses` does not.
 *
 * @param original The plan that was applied.
 * @param journal Path of its journal.
 */
export async function restoresApplied(plan: PlanData, original: PlanData, journal: string): Promise<boolean> {
  if (plan.reverses !== original.id || plan.profileId !== original.profileId) return false;
  const { statuses } = await new ApplyJournal(journal, Date.now).read(original);
  const results = original.changes.map((change, at): ChangeResult => {
    const status = statuses[at];
    if (status?.state !== "done") return { change, outcome: "not_sent" };
    const id = change.id ?? status.id;
    return { change, outcome: "done", ...(id === undefined ? {} : { id }) };
  });
  // A field that was empty before is emptied again or left, as the kind allows.
  const undoing = new Set(
    [true, false].flatMap((canEmpty) =>
      rollbackOf(original, results, { canArchive: () => true, canEmpty: () => canEmpty }).changes
    ).map(canonicalJson),
  );
  return plan.changes.every((change) => undoing.has(canonicalJson(change)));
}
