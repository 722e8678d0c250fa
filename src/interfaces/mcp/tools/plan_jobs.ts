import * as z from "zod";
import type { JobResult } from "../../../account/jobs/job_result.ts";
import type { JobOperation } from "../../../operations/jobs/job_operation.ts";
import { planBids } from "../../../operations/jobs/plan_bids.ts";
import { planBudgets } from "../../../operations/jobs/plan_budgets.ts";
import { planHarvest } from "../../../operations/jobs/plan_harvest.ts";
import { planNegatives } from "../../../operations/jobs/plan_negatives.ts";
import { type Fields, inputFrom } from "../../../operations/model/field.ts";
import { jobAnswer, jobFigures } from "../plans/job_answer.ts";
import { PLAN_HINTS, PLAN_OUTPUT } from "../plans/plan_tool.ts";
import { fieldShape, rareFields, TOOL_SPELLING } from "../tooling/field_schema.ts";
import { MARKET, type Tool, tool } from "../tooling/tool.ts";

export const planBidsTool: Tool = jobTool(planBids);
export const planHarvestTool: Tool = jobTool(planHarvest);
export const planNegativesTool: Tool = jobTool(planNegatives);
export const planBudgetsTool: Tool = jobTool(planBudgets);

/** The tool of a weekly job. */
function jobTool<Of extends Fields, Result extends JobResult>(operation: JobOperation<Of, Result>): Tool {
  const { name, title, brief, input: fields } = operation;
  return tool({
    name: name.replaceAll(" ", "_"),
    title,
    description: brief,
    input: z.strictObject({ market: MARKET, ...fieldShape(fields) }),
    rare: rareFields(fields),
    output: PLAN_OUTPUT,
    hints: PLAN_HINTS,
    async run({ market, ...args }, call) {
      const input = inputFrom(fields, args);
      await operation.check?.(input, TOOL_SPELLING);
      const profile = await call.context.profile(market, call.signal);
      const result = await operation.run({ profile, figures: await jobFigures(call) }, input);
      return await jobAnswer(result, call, {
        data: operation.data?.(result) ?? {},
        lines: operation.lines?.(result) ?? [],
      });
    },
  });
}
