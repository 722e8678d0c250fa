import { countReasons, type JobResult } from "../../account/jobs/job_result.ts";
import type { PlanAnswer } from "../plans/plan_answer.ts";
import { showPlan } from "../tools/plan_tool.ts";
import type { ToolAnswer, ToolCall } from "../tool.ts";

/** The plan of a weekly job, saved and shown, with how many were left out and why. */
export async function jobAnswer(
  { plan, considered, leftOut, figures }: JobResult,
  call: ToolCall,
): Promise<ToolAnswer<PlanAnswer>> {
  const answer = await showPlan(plan, call);
  const counts = Object.fromEntries(countReasons(leftOut));
  const reasons = Object.entries(counts).map(([reason, count]) => `${count} ${reason}`).join(", ");
  const judged = figures === undefined
    ? ""
    : ` by ${figures.reports.join(", ")} of ${figures.firstDay} to ${figures.lastDay}`;
  const line = `Looked at ${considered}${judged}; left out: ${reasons === "" ? "none" : reasons}`;
  return {
    ...answer,
    data: { ...answer.data, considered, left_out: counts },
    text: `${line}\n${answer.text}`,
  };
}
