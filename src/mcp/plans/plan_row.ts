import type { StoredPlan } from "../../plans/store/plan_store.ts";
import { planCounts } from "../../plans/view/plan_lines.ts";
import type { Row } from "../results/text_table.ts";

/** A plan and its state as a row of a list. */
export function planRow(stored: StoredPlan): Row {
  if ("problem" in stored) return { plan_id: stored.id, state: "unusable", note: stored.problem.message };
  const { plan, status } = stored;
  return {
    plan_id: stored.id,
    state: status.state,
    country: plan.countryCode,
    profile_id: plan.profileId,
    counts: planCounts(plan.changes),
    ...(plan.note === null ? {} : { note: plan.note }),
    ...(plan.reverses === null ? {} : { reverses: plan.reverses }),
    ...(status.state === "applied"
      ? { applied_at: status.at, result: status.summary, rollback_plan_id: status.rollbackPlanId }
      : {}),
  };
}
