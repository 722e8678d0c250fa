import type { ChangePlan } from "../../../plans/change_plan/change_plan.ts";
import { partOfPlan } from "../../../plans/change_plan/part_of_plan.ts";
import { ApiProblem } from "../http/responses.ts";

/** @throws {ApiProblem} when a position is invalid, nothing remains, or a remaining change depends on a removed one. */
export function planWithout(plan: ChangePlan, leaveOut: readonly unknown[]): ChangePlan {
  const out = new Set(leaveOut);
  const isKnown = (at: unknown): boolean =>
    typeof at === "number" && Number.isInteger(at) && at >= 0 && at < plan.changes.length;
  if (out.size === 0 || ![...out].every(isKnown)) {
    throw new ApiProblem(
      400,
      "BAD_REQUEST",
      "Cannot leave these changes out: expected positions of changes in the plan",
    );
  }
  if (out.size === plan.changes.length) {
    throw new ApiProblem(422, "NOTHING_LEFT", "Cannot make a plan: no changes are left");
  }
  const note = `Plan ${plan.id} without ${out.size} of its ${plan.changes.length} changes`;
  try {
    return partOfPlan(plan, (change, at) => out.has(at) ? undefined : change, note);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ApiProblem(422, "NEEDED", `${error.message}. Leave out the changes that need it too`);
  }
}
