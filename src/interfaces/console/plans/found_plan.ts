import { ConfigurationError } from "../../../errors.ts";
import { PlanStateError } from "../../../plans/model/plan_errors.ts";
import type { ChangePlan } from "../../../plans/change_plan/change_plan.ts";
import { isPlanId } from "../../../plans/store/plan_places.ts";
import type { ConsoleContext, PlanFolder } from "../http/console_context.ts";
import { ApiProblem } from "../http/responses.ts";
import { type ApiCall, textOf } from "../http/route.ts";

export interface FoundPlan extends PlanFolder {
  readonly plan: ChangePlan;
}

/**
 * Reads a plan, always from disk.
 *
 * @throws {ApiProblem} when the plan is missing or was edited.
 */
export async function foundPlan(id: string, { folders }: ConsoleContext): Promise<FoundPlan> {
  if (isPlanId(id)) {
    for (const folder of folders) {
      try {
        const found = await folder.store.find(id);
        if (found !== undefined) return { ...folder, plan: found.plan };
      } catch (error) {
        if (!(error instanceof ConfigurationError || error instanceof PlanStateError)) throw error;
        throw new ApiProblem(409, "PLAN_UNUSABLE", error.message);
      }
    }
  }
  throw new ApiProblem(404, "NO_PLAN", "Cannot find this plan: it is in none of the plan folders");
}

/** @throws {ApiProblem} when the plan on disk differs from the one shown. */
export async function shownPlan({ params, body, context }: ApiCall): Promise<FoundPlan> {
  const shown = textOf(body, "fingerprint");
  const found = await foundPlan(params["id"] ?? "", context);
  if (found.plan.fingerprint === shown) return found;
  throw new ApiProblem(
    409,
    "PLAN_CHANGED",
    "The plan changed since this page was loaded. Nothing was done: reload the page and review it",
  );
}
