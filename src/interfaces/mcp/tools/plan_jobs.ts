import type { JobResult } from "../../../account/jobs/job_result.ts";
import type { JobOperation } from "../../../operations/jobs/job_operation.ts";
import { planBids } from "../../../operations/jobs/plan_bids.ts";
import { planBudgets } from "../../../operations/jobs/plan_budgets.ts";
import { planGoals } from "../../../operations/jobs/plan_goals.ts";
import { planHarvest } from "../../../operations/jobs/plan_harvest.ts";
import { planNegatives } from "../../../operations/jobs/plan_negatives.ts";
import type { Fields } from "../../../operations/model/field.ts";
import * as z from "zod";
import { managedIn } from "../../../automation/pacing/managed_ids.ts";
import { goalsShow } from "../../../operations/reads/goals_show.ts";
import { jobAnswer, withFigures } from "./job_answer.ts";
import { PLAN } from "./plan_answer.ts";
import { operationTool } from "../tooling/operation_tool.ts";
import type { Tool } from "../tooling/tool.ts";

export const planBidsTool: Tool = jobTool(planBids, { isListed: true });
export const planHarvestTool: Tool = jobTool(planHarvest, { isListed: true });
export const planNegativesTool: Tool = jobTool(planNegatives, { isListed: true });
export const planBudgetsTool: Tool = jobTool(planBudgets);
export const planGoalsTool: Tool = jobTool(planGoals);

/** Tool that shows how goals are understood. */
export const goalsShowTool: Tool = operationTool(goalsShow, {
  output: z.object({
    goals: z.array(z.looseObject({})),
  }),
  sets: ["store"],
  async answer(profile, input, { context, signal }) {
    const { place } = context.figures;
    const parts = {
      profile,
      signal,
      ...managedIn(place),
      now: context.now(),
    };
    const shown = await context.figures.use((store) =>
      goalsShow.run({ ...parts, store, plans: [context.plans] }, input)
    );
    return { data: { goals: shown.goals.map((one) => ({ ...one })) }, text: shown.lines.join("\n") };
  },
});

function jobTool<Of extends Fields, Result extends JobResult>(
  operation: JobOperation<Of, Result>,
  listing?: { readonly isListed: true },
): Tool {
  return operationTool(operation, {
    output: PLAN,
    sets: ["plans"],
    ...listing,
    async answer(profile, input, call) {
      const result = await withFigures(call, (figures) => operation.run({ profile, figures }, input));
      return await jobAnswer(result, call, {
        data: operation.data?.(result) ?? {},
        lines: operation.lines?.(result) ?? [],
      });
    },
  });
}
