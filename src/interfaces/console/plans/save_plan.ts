import type { ChangePlan } from "../../../plans/change_plan/change_plan.ts";
import type { PlanStore } from "../../../plans/store/plan_store.ts";
import type { ConsoleContext } from "../http/console_context.ts";
import { ApiProblem } from "../http/responses.ts";

/** Saves a plan in the first folder of the console, or in the folder of the plan it is made of. */
export async function savePlan(
  plan: ChangePlan,
  { folders, events, rememberPlans }: ConsoleContext,
  store: PlanStore | undefined = folders[0]?.store,
): Promise<void> {
  if (store === undefined) throw new ApiProblem(409, "NO_FOLDER", "There is no plan folder");
  await store.save(plan);
  // Whoever plans next must find what it holds back, from whatever folder.
  if (plan.experiment !== null) await rememberPlans?.(store.path);
  events.send({ event: "plan", data: { id: plan.id } });
}
