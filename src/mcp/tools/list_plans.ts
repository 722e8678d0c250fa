import * as z from "zod";
import { planRow } from "../plans/plan_row.ts";
import { fittingRows } from "../results/fitting_rows.ts";
import { ROW_ARGS, ROWS, rowsAnswer } from "../results/rows.ts";
import { type Tool, tool } from "../tool.ts";

/** The plans of the folder. */
export const listPlans: Tool = tool({
  name: "list_plans",
  title: "List plans",
  description:
    "Saved plans, newest first, each open, queued, applied, refused or unfinished; rollback_plan_id is the " +
    "plan that undoes an applied one.",
  input: z.strictObject({ ...ROW_ARGS }),
  output: ROWS,
  hints: { readOnlyHint: true, openWorldHint: false },
  async run({ limit, offset }, { context, signal }) {
    const plans = await context.plans.list();
    signal.throwIfAborted();
    const rows = plans.slice(offset, offset + limit).map(planRow);
    return rowsAnswer(fittingRows(rows).rows, { noun: "plans", offset, total: plans.length });
  },
});
