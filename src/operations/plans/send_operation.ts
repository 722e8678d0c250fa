import { ask, type Asker, type Consent } from "../../plans/review/ask.ts";
import type { JudgeOptions, Review, ReviewTarget } from "../../plans/review/judge.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import { changeTitle } from "../../plans/model/change_subject.ts";
import { PlanStateError } from "../../plans/model/plan_errors.ts";
import { judgeStored } from "../../plans/store/judge_stored.ts";
import type { PlanStore, StoreApplyOptions } from "../../plans/store/plan_store.ts";
import type { AppliedPlan } from "../../plans/store/write_result.ts";
import type { Fields, InputOf } from "../model/field.ts";
import type { Operation } from "../model/operation.ts";
import { STAGE_FIELDS, stageSizes } from "./rollout_stages.ts";

export type SendWatch = Pick<
  StoreApplyOptions,
  "signal" | "stop" | "onSending" | "onResults" | "approvedBy"
>;

export interface SendContext {
  readonly plan: ChangePlan;
  readonly store: PlanStore;
  readonly profile: ReviewTarget;
  readonly asker: (review: Review) => Asker;
  /**
   * True if no person can be asked and only earlier approvals count.
   *
   * @default false
   */
  readonly isUnattended?: boolean;
  readonly sending?: (
    approved: { readonly plan: ChangePlan; readonly consent: Partial<Consent> },
    send: (watch: SendWatch) => Promise<AppliedPlan>,
  ) => Promise<AppliedPlan>;
  readonly onWait?: ((seconds: number) => void) | undefined;
  readonly onWarnings?: ((warnings: readonly string[]) => Promise<void>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SendOperation<Of extends Fields, Result> extends Operation<Of, SendContext, Result> {
  readonly effect: "send";
}

export function defineSend<const Of extends Fields, Result>(
  operation: Omit<SendOperation<Of, Result>, "effect" | "check">,
): SendOperation<Of, Result> {
  return { ...operation, effect: "send", check: (input, spelling) => void stageSizes(input, spelling) };
}

export const SEND_FIELDS = {
  plan_id: {
    type: "text",
    required: true,
    value: "plan",
    help: "the plan file, the id of the plan, or the folder of a rollout",
  },
  check_drift: {
    type: "switch",
    default: true,
    help: "send even if the account has changed since the plan was made",
    brief: "false: send even if the account has changed since",
  },
  skip_drifted: {
    type: "switch",
    help: "skip entities changed since the plan was made, and send the rest",
    isRare: true,
  },
  send_anyway: { type: "switch", help: "also send changes that the platform would refuse", isRare: true },
  ...STAGE_FIELDS,
} as const satisfies Fields;

/** Input of an operation that sends changes. */
export type SendInput = InputOf<typeof SEND_FIELDS>;

export function sendOptions(
  { check_drift: checkDrift, skip_drifted: skipDrifted, send_anyway: sendAnyway }: SendInput,
  { signal }: Pick<SendContext, "signal">,
) {
  return { checkDrift, skipDrifted, sendAnyway, signal };
}

/**
 * @throws {PolicyError | ApprovalError} when the plan may not be sent. Nothing was sent.
 * @throws {PlanStateError} when other plans put back every call of an undo, and nothing else is left of it.
 */
export async function approve(
  plan: ChangePlan,
  { store, profile, asker, signal }: SendContext,
  input: SendInput,
  found?: JudgeOptions["found"],
): Promise<Consent> {
  const review = await judgeStored(plan, profile, { store, found, ...sendOptions(input, { signal }) });
  if (found === undefined) ensureNotPutBack(review);
  return await ask(review, asker(review));
}

function ensureNotPutBack({ plan, findings, open }: Review): void {
  const putBack = findings.filter(({ code }) => code === "PUT_BACK");
  const [first, ...others] = putBack;
  const change = plan.changes[first?.change ?? -1];
  if (first === undefined || change === undefined || putBack.length < open.size) return;
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  throw new PlanStateError(
    `Cannot apply plan ${plan.id}: ${changeTitle(change)}: ${first.message}${more}. Nothing was sent`,
    "applied",
  );
}

export async function send(
  approved: { readonly plan: ChangePlan; readonly consent: Partial<Consent> },
  { sending }: SendContext,
  run: (options: Partial<Consent> & SendWatch) => Promise<AppliedPlan>,
): Promise<AppliedPlan> {
  const watched = (watch: SendWatch): Promise<AppliedPlan> => run({ ...approved.consent, ...watch });
  return await (sending === undefined ? watched({}) : sending(approved, watched));
}
