import type { JobResult } from "../../../account/jobs/job_result.ts";
import type { JobOperation } from "../../../operations/jobs/job_operation.ts";
import { planBids } from "../../../operations/jobs/plan_bids.ts";
import { planBudgets } from "../../../operations/jobs/plan_budgets.ts";
import { planGoals } from "../../../operations/jobs/plan_goals.ts";
import { planHarvest } from "../../../operations/jobs/plan_harvest.ts";
import { planNegatives } from "../../../operations/jobs/plan_negatives.ts";
import type { Fields } from "../../../operations/model/field.ts";
import * as z from "zod";
import { goalsOutcome } from "../../../operations/reads/goals_outcome.ts";
import { jobAnswer, jobFigures } from "../plans/job_answer.ts";
import { PLAN_OUTPUT } from "../plans/plan_tool.ts";
import { operationTool } from "../tooling/operation_tool.ts";
import type { Tool } from "../tooling/tool.ts";

export const planBidsTool: Tool = jobTool(planBids, { isListed: true });
export const planHarvestTool: Tool = jobTool(planHarvest, { isListed: true });
export const planNegativesTool: Tool = jobTool(planNegatives, { isListed: true });
export const planBudgetsTool: Tool = jobTool(planBudgets);
export const planGoalsTool: Tool = jobTool(planGoals);

/** Tool for the result of goals. */
export const goalsOutcomeTool: Tool = operationTool(goalsOutcome, {
  output: z.object({
    goals: z.array(z.looseObject({ name: z.string(), verdict: z.string(), reason: z.string() })),
  }),
  sets: ["store"],
  async answer({ profileId }, input, { context }) {
    const store = await context.figures.warehouse();
    const outcome = await goalsOutcome.run(
      { profileId, store, plans: [context.plans], now: context.now() },
      input,
    );
    return { data: { goals: outcome.outcomes.map((one) => ({ ...one })) }, text: outcome.lines.join("\n") };
  },
});

/** The tool of a weekly job. */
function jobTool<Of extends Fields, Result extends JobResult>(
  operation: JobOperation<Of, Result>,
  listing?: { readonly isListed: true },
): Tool {
  return operationTool(operation, {
    output: PLAN_OUTPUT,
    sets: ["plans"],
    ...listing,
    async answer(profile, input, call) {
      const result = await operation.run({ profile, figures: await jobFigures(call) }, input);
      return await jobAnswer(result, call, {
        data: operation.data?.(result) ?? {},
        lines: operation.lines?.(result) ?? [],
      });
    },
  });
}
