import * as z from "zod";
import { planCounts } from "../../plans/view/plan_lines.ts";
import type { StoredPlan } from "../../plans/store/plan_store.ts";
import { fittingRows } from "../results/fitting_rows.ts";
import { ROW_ARGS, ROWS, rowsAnswer } from "../results/rows.ts";
import type { Row } from "../results/text_table.ts";
import { type Tool, tool } from "../tool.ts";

/** The plans of the folder. */
export const listPlans: Tool = tool({
  name: "list_plans",
  title: "List plans",
  description:
    "Saved plans, newest first, each open, applied, refused or unfinished; rollback_plan_id is the " +
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

function planRow(stored: StoredPlan): Row {
  if ("problem" in stored) return { plan_id: stored.id, state: "unusable", note: stored.problem.message };
  const { plan, status } = stored;
  return {
    plan_id: stored.id,
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
