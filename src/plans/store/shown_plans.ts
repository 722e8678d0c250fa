import type { StoredPlan } from "./plan_store.ts";

/**
 * The plans that a list shows: without the open ones that were made to undo another, which the other one names. One that
 * was applied, refused or cut off stays, for then somebody has decided about it.
 */
export function shownPlans(plans: readonly StoredPlan[]): StoredPlan[] {
  const waiting = new Set(
    plans.flatMap((one) =>
      "status" in one && one.status.state === "applied" ? one.status.rollbackPlanId ?? [] : []
    ),
  );
  return plans.filter((one) => !("status" in one && one.status.state === "open" && waiting.has(one.id)));
}
