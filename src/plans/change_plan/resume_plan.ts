import type { PlanTarget } from "../model/plan_target.ts";
import type { ChangePlan, PlanResult } from "./change_plan.ts";
import type { ResumeOptions } from "./resume_sending.ts";

/**
 * Finishes an interrupted run of a plan: reads from its journal which changes were made, resolves unknown outcomes by
 * reading the account, and sends the rest. No change is made twice. The result covers the whole plan, so its
 * `rollbackPlan()` undoes both runs.
 *
 * @throws {PlanStateError} when there is no journal, plan, journal and profile do not belong together, or the plan
 * was abandoned.
 * @throws {TypeError} for `lookOnly` together with `abandon`. Nothing was done.
 *
 * @example
 * ```ts
 * import { ChangePlan, type ProfileClient, resumePlan } from "@platform/ads";
 *
 * async function finish(us: ProfileClient): Promise<void> {
 *   const plan = await ChangePlan.load("raise.json");
 *   const result = await resumePlan(plan, us, { journal: "raise.journal.jsonl" });
 *   console.log(result.summary());
 * }
 * ```
 */
export async function resumePlan(
  plan: ChangePlan,
  client: PlanTarget,
  options: ResumeOptions,
): Promise<PlanResult> {
  const { resumeSending } = await import("./resume_sending.ts");
  return await resumeSending(plan, client, options);
}
