import * as z from "zod";
import { ConfigurationError } from "../../errors.ts";
import { visibleText } from "../../internal/visible_text.ts";
import type { PlanData } from "../../plans/plan_data.ts";
import { type PlanReview, withReview } from "../../plans/review/review_plan.ts";
import { accountName } from "../plans/account_name.ts";
import { APPLIED, appliedAnswer, type Approver } from "../plans/applied_answer.ts";
import { approveCommand } from "../plans/approve_command.ts";
import { approvalInConsole } from "../plans/console_approval.ts";
import type { Identity } from "../identity/identity.ts";
import { approvalDecision, askPerson } from "../plans/ask_person.ts";
import { canAsk } from "../plans/can_ask.ts";
import { planChanged } from "../plans/plan_changed.ts";
import { type Tool, tool, type ToolCall } from "../tool.ts";

/** Applies a plan, through the gate. */
export const applyPlan: Tool = tool({
  name: "apply_plan",
  title: "Apply a plan",
  description:
    "Sends a saved plan to the account: the only tool that changes it. Show the plan to the person first and call " +
    "this only when they agree. Each plan is applied once, if the account still is as the plan saw it; a person's no is " +
    "final. Says what failed and which plan undoes the rest.",
  input: z.strictObject({
    plan_id: z.string(),
    fingerprint: z.string(),
    check_drift: z.boolean().default(true).describe("false: send even if the account has changed since"),
  }),
  output: APPLIED,
  hints: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  maxSeconds: Infinity,
  async run({ plan_id: id, fingerprint, check_drift: checkDrift }, call) {
    const { context } = call;
    const plan = await context.plans.get(id);
    if (fingerprint !== plan.fingerprint) {
      throw new ConfigurationError(
        `Cannot apply plan ${id}: the fingerprint given is not its own. Show the plan with get_plan first`,
      );
    }
    await context.plans.ensureOpen(id);
    const profile = await context.profile(plan.profileId, call.signal);
    await context.plans.restores(plan);
    const review = await profile.review(plan, { signal: call.signal });
    const approver = await approval(withReview(plan, review), {
      checkDrift,
      account: accountName(profile),
      call,
    });
    if (typeof approver !== "string") return approver;
    ensureApproved(plan, { review, approver, identity: call.identity });
    call.signal.throwIfAborted();
    context.log(
      `Applying plan ${id} for ${call.identity.subject}: ${plan.changes.length} changes, approved by ${approver}`,
    );
    let answered = 0;
    const applied = await context.finish(context.plans.apply(plan, profile, {
      checkDrift,
      approvedBy: approver === "fingerprint_only" ? undefined : approver,
      // A client that goes away ends the sending after the request in flight; its verdicts are still saved.
      stop: AbortSignal.any([call.signal, context.stopping]),
      onResults: async (results) => {
        answered += results.length;
        await call.progress(answered, `${answered} of ${plan.changes.length} sent`, plan.changes.length);
      },
    }));
    planChanged(context, id);
    context.log(`Plan ${id}: ${applied.result.summary().replaceAll("\n", "; ")}`);
    return appliedAnswer(applied, { approver, results: context.results });
  },
});

/**
 * What asks for a person is not for an agent to decide.
 *
 * @throws {ConfigurationError} when no person approved it. Nothing was sent.
 */
function ensureApproved(
  plan: PlanData,
  { review, approver, identity }: { review: PlanReview; approver: Approver; identity: Identity },
): void {
  const asking = review.findings.filter(({ level }) => level === "approve");
  if (asking.length === 0 || approver !== "fingerprint_only") return;
  const shown = asking.slice(0, 5).map(({ message }) => `\n  ${visibleText(message)}`).join("");
  const why = identity.may("approve") ? "this client cannot ask one" : 'your token lacks the scope "approve"';
  throw new ConfigurationError(
    `Cannot apply plan ${plan.id} without a person: ${why}.${shown}\n` +
      `Ask the person to apply it in a terminal: adsctl plan apply ${plan.id}`,
  );
}

/** Who approved the plan; or the question that must be put to a person first. */
async function approval(
  plan: PlanData,
  { checkDrift, account, call }: { checkDrift: boolean; account: string | undefined; call: ToolCall },
): Promise<Approver | Awaited<ReturnType<typeof askPerson>>> {
  const { plans, settings } = call.context;
  if (settings.approval !== undefined) {
    if (!checkDrift) {
      throw new ConfigurationError(
        `Cannot apply plan ${plan.id} without checking the account: the person approved what they saw`,
      );
    }
    if (settings.approval === "console") {
      await approvalInConsole(plan, call);
      return "signed_approval";
    }
    try {
      await plans.ensureApproved(plan, { publicKey: settings.approvalKey });
    } catch (error) {
      throw new ConfigurationError(
        `${
          (error as Error).message
        }. Ask the person to run this in a terminal, then call apply_plan again:\n  ` +
          approveCommand(plan.id, settings),
        { cause: error },
      );
    }
    return "signed_approval";
  }
  if (!call.identity.may("approve")) {
    if (call.mcp.mcpReq.requestState() === undefined) return "fingerprint_only";
    throw new ConfigurationError(`Cannot apply plan ${plan.id}: your token lacks the scope "approve"`);
  }
  if (!canAsk(call)) return "fingerprint_only";
  const asked = { plan_id: plan.id, fingerprint: plan.fingerprint, check_drift: checkDrift };
  switch (approvalDecision(asked, call)) {
    case "yes":
      return "person";
    case "no":
      await plans.refuse(plan);
      planChanged(call.context, plan.id);
      throw new ConfigurationError(`Cannot apply plan ${plan.id}: the person said no, which is final`);
    case "nothing":
      throw new ConfigurationError(
        `Cannot apply plan ${plan.id}: the person was asked and did not answer. Talk to them before you try again`,
      );
    default:
      return await askPerson({ plan, account }, asked, call);
  }
}
