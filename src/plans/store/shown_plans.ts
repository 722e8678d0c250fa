import type { ChangePlan } from "../change_plan/change_plan.ts";
import type { PlanStore, StoredPlan } from "./plan_store.ts";

/** Plans for a list, without open undo plans, which their originals name. Applied, refused and interrupted ones stay. */
export function shownPlans(plans: readonly StoredPlan[]): StoredPlan[] {
  const waiting = new Set(
    plans.flatMap((one) =>
      "status" in one && one.status.state === "applied" ? one.status.rollbackPlanId ?? [] : []
    ),
  );
  return plans.filter((one) => !("status" in one && one.status.state === "open" && waiting.has(one.id)));
}

/**
 * Plans of the folders that were applied to the profile after one, apart from those that undo it.
 *
 * @param isWithin True for a moment, ISO 8601, that still counts. @default every one does
 */
export async function laterPlans(
  plan: ChangePlan,
  appliedAt: string,
  stores: readonly PlanStore[],
  isWithin: (at: string) => boolean = () => true,
): Promise<ChangePlan[]> {
  const all = (await Promise.all(stores.map((store) => store.list()))).flat();
  const later = all.flatMap((one) =>
    "plan" in one && one.plan.profileId === plan.profileId && one.plan.id !== plan.id &&
      one.plan.reverses !== plan.id &&
      one.status.state === "applied" && one.status.at >= appliedAt &&
      isWithin(one.status.at)
      ? [one.plan]
      : []
  );
  // A folder may be known by two paths.
  return [...new Map(later.map((one) => [one.id, one])).values()];
}
