import * as z from "zod";
import type { InputRequiredResult } from "@modelcontextprotocol/server";
import { ApprovalError, PlanStateError } from "../../../plans/model/plan_errors.ts";
import type { Approval } from "../../../plans/model/approval.ts";
import { ask, type Asker, type Consent } from "../../../plans/approve/ask.ts";
import { judge, type Review } from "../../../plans/approve/judge.ts";
import { askedByPolicy } from "../../../plans/model/finding.ts";
import { PlanDriftError } from "../../../errors.ts";
import { planAgain } from "../plans/plan_again.ts";
import { accountName } from "../plans/plan_answer.ts";
import { APPLIED, appliedAnswer, type Approver } from "../plans/applied_answer.ts";
import { applyCommand, approvalInConsole, approveCommand } from "../plans/console_approval.ts";
import { approvalDecision, askPerson, questionOf } from "../plans/ask_person.ts";
import { canAsk, type Tool, tool, type ToolCall } from "../tooling/tool.ts";
import { planChanged } from "../plans/plan_tool.ts";

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
  effect: "send",
  sets: ["plans"],
  isListed: true,
  maxSeconds: Infinity,
  async run({ plan_id: id, fingerprint, check_drift: checkDrift }, call) {
    const { context } = call;
    const arrived = context.now();
    const plan = await context.plans.get(id);
    if (fingerprint !== plan.fingerprint) {
      throw new PlanStateError(
        `Cannot apply plan ${id}: the fingerprint given is not its own. Show the plan with get_plan first`,
        "edited",
      );
    }
    await context.plans.ensureOpen(id);
    const profile = await context.profile(plan.profileId, call.signal);
    // Read with the first connection.
    if (!checkDrift && context.policyDigest !== undefined) {
      throw new ApprovalError(
        `Cannot apply plan ${id} without checking the account: a policy judges it by what is there`,
        "missing",
      );
    }
    const sent = await context.plans.sentBefore(plan);
    const nameNextCall = (error: unknown): never => {
      const again = error instanceof PlanDriftError ? planAgain(plan, error.drifted, profile) : undefined;
      if (!(error instanceof PlanDriftError) || again === undefined) throw error;
      const message = `${error.message} with ${again}; each "…" is a value to find from the present one`;
      throw new PlanDriftError(message, error.drifted, { cause: error });
    };
    const review = await judge(plan, profile, { checkDrift, sent, signal: call.signal }).catch(nameNextCall);
    let consent: Consent;
    try {
      const file = (await context.plans.find(id))?.path ?? id;
      consent = await ask(
        review,
        askerOf(review, { checkDrift, account: accountName(profile), file, arrived, call }),
      );
    } catch (error) {
      if (error instanceof Question) return error.result;
      throw error;
    }
    const approver = approverOf(consent);
    call.signal.throwIfAborted();
    context.log(
      `Applying plan ${id} for ${call.identity.subject}: ${plan.changes.length} changes, approved by ${approver}`,
    );
    let answered = 0;
    const applied = await context.finish(context.plans.apply(plan, profile, {
      checkDrift,
      ...consent,
      approvedBy: approver === "fingerprint_only" ? undefined : approver,
      // A client that goes away ends the sending after the request in flight; its verdicts are still saved.
      stop: AbortSignal.any([call.signal, context.stopping]),
      onResults: async (results) => {
        answered += results.length;
        await call.progress(answered, `${answered} of ${plan.changes.length} sent`, plan.changes.length);
      },
    })).catch(nameNextCall);
    planChanged(context, id);
    context.log(`Plan ${id}: ${applied.result.summary().replaceAll("\n", "; ")}`);
    return appliedAnswer(applied, { approver, results: context.results });
  },
});

/** A question that must be put to a person first: the answer comes with the next call. */
class Question extends Error {
  readonly result: InputRequiredResult;

  constructor(result: InputRequiredResult) {
    super("A person must be asked first");
    this.result = result;
  }
}

const PERSON = "person";

function approverOf({ approvedBy, approval }: Consent): Approver {
  return approval !== undefined ? "signed_approval" : approvedBy === PERSON ? "person" : "fingerprint_only";
}

/** Approver of an agent's sends. */
function askerOf(
  review: Review,
  { checkDrift, account, file, arrived, call }: {
    checkDrift: boolean;
    account: string | undefined;
    file: string;
    arrived: number;
    call: ToolCall;
  },
): Asker {
  const { plans, settings } = call.context;
  const { plan } = review;
  const signed = (): Promise<Approval> => plans.ensureApproved(review, { publicKey: settings.approvalKey });
  const isPersons = call.identity.may("approve");
  if (settings.approval !== undefined) {
    if (!checkDrift) {
      throw new ApprovalError(
        `Cannot apply plan ${plan.id} without checking the account: the person approved what they saw`,
        "missing",
      );
    }
    const given = settings.approval === "console"
      ? () => approvalInConsole(review, call)
      : () => signed().catch((error) => Promise.reject(toBeSigned(error, approveCommand(plan.id, settings))));
    return { by: "nobody", may: "nothing", given, always: true };
  }
  const command = applyCommand(file, settings);
  const isAsked = call.mcp.mcpReq.requestState() !== undefined;
  if (!isPersons && isAsked) {
    throw new ApprovalError(
      `Cannot apply plan ${plan.id}: your token lacks the scope "approve"`,
      "missing",
    );
  }
  const hint = (): string => {
    const why = isPersons ? "this client cannot ask one" : 'your token lacks the scope "approve"';
    return askedByPolicy(review.asks).length > 0
      ? `Ask the person to sign it in a terminal, then call apply_plan again: ${
        approveCommand(plan.id, settings)
      }`
      : `No person was asked, for ${why}. Ask the person to apply it in a terminal: ${command}`;
  };
  const { person } = call.context;
  if (!isPersons || person === undefined && !canAsk(call)) {
    return { by: "nobody", may: "nothing", given: signed, hint };
  }
  return {
    by: PERSON,
    may: "warnings",
    given: signed,
    hint,
    ask: async () => {
      const asked = questionOf(review, { checkDrift, now: call.context.now() });
      switch (await person?.(plan.id) ?? approvalDecision(review, { asked, arrived }, call)) {
        case "yes":
          return true;
        case "no":
          await plans.refuse(plan);
          planChanged(call.context, plan.id);
          throw new ApprovalError(
            `Cannot apply plan ${plan.id}: the person said no, which is final`,
            "declined",
          );
        case "nothing":
          throw new ApprovalError(
            `Cannot apply plan ${plan.id}: the person was asked and did not answer. Talk to them before you try again`,
            "missing",
          );
        case "unseen":
          throw new ApprovalError(
            `Cannot apply plan ${plan.id}: this client declined the question by itself, within a second, so no person ` +
              `was asked. The plan stays open. Ask the person to apply it in a terminal: ${command}`,
            "missing",
          );
        default:
          throw new Question(await askPerson({ shown: review.shown, account }, asked, call));
      }
    },
  };
}

function toBeSigned(error: unknown, command: string): unknown {
  if (!(error instanceof ApprovalError)) return error;
  const next = `Ask the person to run this in a terminal, then call apply_plan again:\n  ${command}`;
  return new ApprovalError(`${error.message}. ${next}`, error.reason, { cause: error });
}
