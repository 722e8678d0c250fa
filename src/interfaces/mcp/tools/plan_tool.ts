import { type Finding, unsentChanges } from "../../../plans/model/finding.ts";
import { leftOutData } from "../../../account/jobs/left_out_data.ts";
import type { AllowedPlan } from "../../../operations/plans/write_operation.ts";
import type { ChangePlan } from "../../../plans/change_plan/change_plan.ts";
import { accountName, type PlanAnswer, planData, planTable, planText } from "./plan_answer.ts";
import { approvalWay, approveCommand, consoleAddress } from "./console_approval.ts";
import type { ToolAnswer, ToolCall } from "../tooling/tool.ts";
import type { McpContext } from "../context/mcp_context.ts";
import { PLAN_LIST, planUri } from "../tooling/resource_uris.ts";

export async function showPlan(
  plan: ChangePlan,
  call: ToolCall,
  { isSaved = false, canSkip = false }: { readonly isSaved?: boolean; readonly canSkip?: boolean } = {},
): Promise<ToolAnswer<PlanAnswer>> {
  const profile = await call.context.profile(plan.profileId, call.signal);
  const account = accountName(profile);
  if (plan.changes.length === 0) {
    const data = planData(plan, account);
    return { data, text: planText(data) };
  }
  const data = planData(plan, account);
  if (!isSaved) await call.context.plans.save(plan);
  if (plan.experiment !== null) await call.context.rememberPlans?.();
  planChanged(call.context, plan.id);
  const { settings } = call.context;
  if (unsentChanges(plan.findings).size === plan.changes.length) {
    const next = "Nothing in it would be sent. Plan again without the items in the findings";
    return { data: { ...data, next }, text: `${planText(data)}\n${next}`, table: planTable(data) };
  }
  const denied = plan.findings.filter(({ level }) => level === "deny");
  if (denied.length > 0) {
    const next = deniedNext(denied, canSkip);
    return { data: { ...data, next }, text: `${planText(data)}\n${next}`, table: planTable(data) };
  }
  const way = approvalWay(call);
  const next = way === "console"
    ? `Nothing is sent yet. Call apply_plan, which waits until a person approves it in the console:\n  ${await consoleAddress(
      plan.id,
      settings,
    )}`
    : way === "terminal"
    ? `Nothing is sent yet. Show the table of changes to the person, who approves it in a terminal with\n  ${
      approveCommand(plan.id, settings)
    }\nthen call apply_plan`
    : "Nothing is sent yet. Show the table of changes to the person; if they agree, call apply_plan with plan_id and fingerprint";
  return { data: { ...data, next }, text: `${planText(data)}\n${next}`, table: planTable(data) };
}

/** Shows what an operation with `skip_denied` has planned. */
export async function showAllowed(
  { plan, denied }: AllowedPlan,
  call: ToolCall,
): Promise<ToolAnswer<PlanAnswer>> {
  const answer = await showPlan(plan, call, { canSkip: denied === undefined });
  if (denied === undefined || denied.length === 0) return answer;
  return {
    ...answer,
    data: { ...answer.data, ...leftOutData(denied, denied.slice(0, MAX_LEFT_OUT)) },
    text: `Left out, because the policy denies them: ${denied.length}\n${answer.text}`,
  };
}

const MAX_LEFT_OUT = 20;

function deniedNext(denied: readonly Finding[], canSkip: boolean): string {
  const allowed = [...new Set(denied.flatMap(({ allowed }) => allowed ?? []))].slice(0, MAX_ALLOWED);
  const within = allowed.length === 0 ? "" : ` within what is allowed (${allowed.join("; ")}), or`;
  const parts = canSkip && denied.every(({ change }) => change !== undefined);
  return `Denied by the policy: apply_plan refuses this plan, and no approval helps. Make a new plan${within} without ` +
    `the denied changes${parts ? " (skip_denied: true leaves them out)" : ""}`;
}

const MAX_ALLOWED = 5;

export function planChanged(context: McpContext, id: string): void {
  context.updated(planUri(id));
  context.updated(PLAN_LIST);
}
