import * as z from "zod";
import { planCounts } from "../../plans/plan_markdown.ts";
import { fittingRows } from "../results/fitting_rows.ts";
import { ROW_ARGS, ROWS, rowsAnswer } from "../results/rows.ts";
import type { Row } from "../results/text_table.ts";
import { type Tool, tool } from "../tool.ts";
import type { McpContext } from "../mcp_context.ts";

/** The plans of the folder. */
export const listPlans: Tool = tool({
  name: "list_plans",
  title: "List plans",
  description:
    "Saved plans, newest first, and what became of each: open, applied, refused by a person, or unfinished. The " +
    "plan that undoes an applied one is in rollback_plan_id; apply it like any other.",
  input: z.strictObject({ ...ROW_ARGS }),
  output: ROWS,
  hints: { readOnlyHint: true, openWorldHint: false },
  async run({ limit, offset }, { context, signal }) {
    const ids = await context.plans.ids();
    const rows: Row[] = [];
    for (const id of ids.slice(offset, offset + limit)) {
      signal.throwIfAborted();
      // One damaged file must not hide the other plans.
      rows.push(
        await planRow(id, context).catch(({ message }: Error) => ({
          plan_id: id,
          state: "unusable",
          note: message,
        })),
      );
    }
    return rowsAnswer(fittingRows(rows).rows, { noun: "plans", offset, total: ids.length });
  },
});

async function planRow(id: string, { plans }: McpContext): Promise<Row> {
  const plan = await plans.load(id);
  const status = await plans.status(id);
  return {
    plan_id: id,
    state: status.state,
    country: plan.countryCode,
    profile_id: plan.profileId,
    counts: planCounts(plan.changes),
    ...(plan.note === null ? {} : { note: plan.note }),
    ...(plan.reverses === null ? {} : { reverses: plan.reverses }),
    ...(status.state === "applied"
      ? { result: status.summary, rollback_plan_id: status.rollbackPlanId }
      : {}),
  };
}
