import type { ChangePlan } from "../change_plan/change_plan.ts";
import type { Finding } from "../model/finding.ts";
import type { PlanData } from "../model/plan_data.ts";
import type { StoredPlan } from "./plan_status.ts";
import { partsOf, UndoFamilies } from "./undo_family.ts";

/**
 * Finds the calls of an undo that other plans have put back, or may have. A call has no value that drifts, and may do
 * something a second time.
 *
 * @param list Lists chosen plans of all folders, without the plan itself; a copy of it in another folder is another plan.
 */
export async function putBackCalls(
  { profileId, reverses, changes }: PlanData,
  list: (isWanted: (plan: ChangePlan) => boolean) => Promise<StoredPlan[]>,
): Promise<Finding[]> {
  if (reverses === null || !changes.some(({ op }) => op === "call")) return [];
  const others = await list((other) => other.reverses !== null);
  const families = new UndoFamilies(others.filter((one) => "status" in one), { orBegun: true });
  const words = await families.lastWords(profileId, reverses);
  return changes.flatMap((change, at): Finding[] => {
    const word = change.op === "call" ? partsOf(change).map((part) => words.get(part))[0] : undefined;
    if (word === undefined || word.isIn === true) return [];
    const isSure = word.isIn === false;
    const message = `plan ${word.by} ${isSure ? "put it back" : "may have put it back"} at ${word.at}`;
    return [{
      ...{ code: "PUT_BACK", level: "note", change: at, message, refused: true },
      ...(isSure
        ? {}
        : { hint: `Resume plan ${word.by} to find out; collect its rollout if workers apply it` }),
    }];
  });
}
