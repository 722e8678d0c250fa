import type { ConsoleContext, PlanFolder } from "../console_context.ts";
import { shownPlans } from "../../plans/store/shown_plans.ts";
import { type PlanSummary, planSummary } from "./plan_summary.ts";

/** The plans of all folders, the newest first; one that is in two folders is listed once. */
export async function listPlans({ folders }: Pick<ConsoleContext, "folders">): Promise<PlanSummary[]> {
  const lists = await Promise.all(folders.map(listFolder));
  const byId = new Map(lists.flat().reverse().map((plan) => [plan.id, plan]));
  const order = (plan: PlanSummary): string => `${plan["created_at"] ?? ""} ${plan.id}`;
  return [...byId.values()].sort((a, b) => order(a) < order(b) ? 1 : -1);
}

async function listFolder(folder: PlanFolder): Promise<PlanSummary[]> {
  const stored = await folder.store.list();
  const applied = new Set(
    stored.flatMap((one) => "status" in one && one.status.state === "applied" ? [one.id] : []),
  );
  return shownPlans(stored).map((one) => {
    const undo = "status" in one && one.status.state === "applied" ? one.status.rollbackPlanId : undefined;
    return planSummary(one, folder, undo !== undefined && applied.has(undo));
  });
}
