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
 * Reads the plan that a request names, from the disk, as it is now.
 *
 * @throws {ApiProblem} when there is none, or its file was edited.
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

/**
 * The plan of a request that decides about it: only what the page showed may be decided about.
 *
 * @throws {ApiProblem} when the plan on the disk is another than the one that was shown.
 */
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
