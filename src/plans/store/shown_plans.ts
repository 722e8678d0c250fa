import type { ChangePlan } from "../change_plan/change_plan.ts";
import type { PlanStore, StoredPlan } from "./plan_store.ts";

export function shownPlans(plans: readonly StoredPlan[]): StoredPlan[] {
  const waiting = new Set(
    plans.flatMap((one) =>
      "status" in one && one.status.state === "applied" ? one.status.rollbackPlanId ?? [] : []
    ),
  );
  return plans.filter((one) => !("status" in one && one.status.state === "open" && waiting.has(one.id)));
}

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
