import * as z from "zod";
import { visibleText } from "../../../base/text/visible_text.ts";
import type { ProfileClient } from "../../../client/profile_client.ts";
import { type DriftedField, PlanDriftError } from "../../../errors.ts";
import { inputFrom } from "../../../operations/model/field.ts";
import { toolName } from "../../../operations/model/operation.ts";
import { planApply } from "../../../operations/plans/plan_apply.ts";
import type { ChangePlan } from "../../../plans/change_plan/change_plan.ts";
import type { Approval } from "../../../plans/model/approval.ts";
import { askedByPolicy } from "../../../plans/model/finding.ts";
import { ApprovalError, PlanStateError } from "../../../plans/model/plan_errors.ts";
import type { Asker, Consent } from "../../../plans/review/ask.ts";
import type { Review } from "../../../plans/review/judge.ts";
import type { AppliedPlan } from "../../../plans/store/write_result.ts";
import { spellKind } from "../../../platform/catalog/kind_names.ts";
import { APPLIED, appliedAnswer, type Approver } from "./applied_answer.ts";
import { approvalDecision, askPerson, questionOf } from "./ask_person.ts";
import { applyCommand, approvalInConsole, approvalWay, approveCommand } from "./console_approval.ts";
import { accountName } from "./plan_answer.ts";
import { planChanged } from "./plan_tool.ts";
import { type Tool, tool, type ToolCall } from "../tooling/tool.ts";
import type { InputRequiredResult } from "@modelcontextprotocol/server";

const MAX_ITEMS = 20;

/**
 * Suggests a call that plans the updates again, with gaps for values based on outdated ones; `undefined` for other
 * plans, undo plans and very large ones.
 */
function planAgain(
  { changes, profileId, reverses }: Pick<ChangePlan, "changes" | "profileId" | "reverses">,
  drifted: readonly DriftedField[],
  profile: Pick<ProfileClient, "resource">,
): string | undefined {
  const [first] = changes;
  const isOneKind = changes.every(({ op, kind }) => op === "update" && kind === first?.kind);
  if (first === undefined || reverses !== null || !isOneKind || changes.length > MAX_ITEMS) return undefined;
  const { idField } = profile.resource(first.kind);
  const isGap = (id: string | null, field: string): boolean =>
    drifted.some((one) => one.id === id && one.field === field);
  const items = changes.map(({ id, after }) => {
    const fields = Object.entries(after).map(([field, value]) =>
      `${JSON.stringify(field)}: ${isGap(id, field) ? "…" : JSON.stringify(value)}`
    );
    return `{${[`"${idField}": "${id}"`, ...fields].join(", ")}}`;
  });
  const [market, entity] = [profileId, spellKind(first.kind)].map((text) => JSON.stringify(text));
  return visibleText(
    `plan_update({"market": ${market}, "entity": ${entity}, "items": [${items.join(", ")}]})`,
  );
}

export const applyPlan: Tool = tool({
  name: toolName(planApply),
  title: planApply.title,
  description: planApply.brief,
  // A person is shown the whole plan, so agents leave nothing out of it.
  input: z.strictObject({
    plan_id: z.string(),
    fingerprint: z.string(),
    check_drift: z.boolean().default(true).describe(planApply.input.check_drift.brief),
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
        `Cannot apply plan ${id}: the fingerprint does not match. Show the plan with get_plan first`,
        "edited",
      );
    }
    await context.plans.ensureOpen(id);
    const profile = await context.profile(plan.profileId, call.signal);
    // Read with the first connection.
    if (!checkDrift && context.policyDigest !== undefined) {
      throw new ApprovalError(
        `Cannot apply plan ${id} without checking the account: a policy checks it against the account`,
        "missing",
      );
    }
    const file = (await context.plans.find(id))?.path ?? id;
    const account = accountName(profile);
    let approver: Approver = "fingerprint_only";
    let applied: AppliedPlan;
    try {
      applied = await planApply.run({
        plan,
        store: context.plans,
        profile,
        signal: call.signal,
        asker: (review) => askerOf(review, { checkDrift, account, file, arrived, call }),
        sending: async ({ consent }, send) => {
          approver = approverOf(consent);
          call.signal.throwIfAborted();
          context.log(
            `Applying plan ${id} for ${call.identity.subject}: ${plan.changes.length} changes, approved by ${approver}`,
          );
          let answered = 0;
          return await context.finish(send({
            approvedBy: approver === "fingerprint_only" ? undefined : approver,
            // A client that goes away ends the sending after the request in flight; its verdicts are still saved.
            signal: undefined,
            stop: AbortSignal.any([call.signal, context.stopping]),
            onResults: async (results) => {
              answered += results.length;
              await call.progress(
                answered,
                `${answered} of ${plan.changes.length} sent`,
                plan.changes.length,
              );
            },
          }));
        },
      }, inputFrom(planApply.input, { plan_id: id, check_drift: checkDrift }));
    } catch (error) {
      if (error instanceof Question) return error.result;
      throw withNextCall(error, plan, profile);
    }
    planChanged(context, id);
    context.log(`Plan ${id}: ${applied.result.summary().replaceAll("\n", "; ")}`);
    return appliedAnswer(applied, { approver, results: context.results });
  },
});

function withNextCall(error: unknown, plan: ChangePlan, profile: ProfileClient): unknown {
  if (!(error instanceof PlanDriftError)) return error;
  const again = planAgain(plan, error.drifted, profile);
  if (again === undefined) return error;
  const message = `${error.message} with ${again}; replace each "…" using the current value`;
  return new PlanDriftError(message, error.drifted, { cause: error });
}

/** Question to a person; the reply arrives with the next call. */
class Question extends Error {
  readonly result: InputRequiredResult;

  constructor(result: InputRequiredResult) {
    super("A person must be asked first");
    this.result = result;
  }
}

const PERSON = "person";

function approverOf({ approvedBy, approval }: Partial<Consent>): Approver {
  return approval !== undefined ? "signed_approval" : approvedBy === PERSON ? "person" : "fingerprint_only";
}

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
  const way = approvalWay(call);
  if (way === "console" || way === "terminal") {
    if (!checkDrift) {
      throw new ApprovalError(
        `Cannot apply plan ${plan.id} without checking the account: leave out check_drift`,
        "missing",
      );
    }
    const given = way === "console"
      ? () => approvalInConsole(review, call, { began: arrived })
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
  if (way !== "form") {
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
            `Cannot apply plan ${plan.id}: the person said no to these changes, which is final. Do not plan them again ` +
              "unless that person asks for it",
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
