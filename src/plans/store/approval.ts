import { ConfigurationError } from "../../errors.ts";
import { type ApprovalKeyFiles, isSignedWithApprovalKey, signWithApprovalKey } from "./approval_key.ts";
import { canonicalJson } from "../../internal/canonical_json.ts";
import type { ChangePlan } from "../change_plan.ts";
import { isApproval } from "../override.ts";
import type { PlanData } from "../plan_data.ts";
import type { Approval } from "../approval.ts";

/** How long an approval holds when nobody says otherwise, in seconds. */
export const APPROVAL_SECONDS = 30 * 60;

/** How far two clocks may be apart; an approval from a later time means that a clock was put back. */
const SKEW = 5 * 60 * 1000;

/** How a plan is approved. */
export interface ApproveOptions {
  /** The person's key. */
  readonly key: ApprovalKeyFiles;
  /** Passphrase of the key, where it has one. */
  readonly passphrase?: string;
  /** How long the approval holds, in seconds. @default 1800 */
  readonly seconds?: number;
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number;
}

/**
 * Signs a person's yes to a plan. Ask the person first: this function believes its caller.
 *
 * @throws {ConfigurationError} when the key cannot be read or its passphrase is wrong.
 */
export async function approvePlan(plan: ChangePlan, options: ApproveOptions): Promise<Approval> {
  const now = (options.now ?? Date.now)();
  const approval = {
    plan_id: plan.id,
    fingerprint: plan.fingerprint,
    approved_at: new Date(now).toISOString(),
    expires_at: new Date(now + (options.seconds ?? APPROVAL_SECONDS) * 1000).toISOString(),
  };
  const { passphrase } = options;
  const signature = await signWithApprovalKey(
    options.key,
    signedText(approval),
    passphrase === undefined ? {} : { passphrase },
  );
  return { ...approval, signature };
}

/**
 * Accepts an approval, and returns it, or says why not.
 *
 * @param approval Content of the approval's file, however it got there.
 * @param options.publicKey Path of the public half of the person's key.
 * @throws {ConfigurationError} when it is not an approval, is for another plan or another state of this one, has expired,
 * comes from the future, or was not signed with the person's key.
 */
export async function checkApproval(
  plan: Pick<PlanData, "id" | "fingerprint">,
  approval: unknown,
  options: { publicKey: string; now?: () => number },
): Promise<Approval> {
  const refusal = (why: string): ConfigurationError =>
    new ConfigurationError(`Cannot use the approval of plan ${plan.id}: ${why}`);
  if (!isApproval(approval)) throw refusal("it is not an approval");
  if (approval.plan_id !== plan.id) throw refusal("it is for another plan");
  if (approval.fingerprint !== plan.fingerprint) throw refusal("the plan is not the one that was approved");
  const { signature, ...signed } = approval;
  if (!await isSignedWithApprovalKey(options.publicKey, { text: signedText(signed), signature })) {
    throw refusal("its signature is not that of the person's key");
  }
  // After the signature: only then are the times the person's own.
  const now = (options.now ?? Date.now)();
  if (!(now < Date.parse(approval.expires_at))) throw refusal(`it expired at ${approval.expires_at}`);
  if (!(now > Date.parse(approval.approved_at) - SKEW)) {
    throw refusal(`it is of ${approval.approved_at}, which is still to come: a clock here was put back`);
  }
  return approval;
}

function signedText(
  { plan_id, fingerprint, approved_at, expires_at }: Omit<Approval, "signature">,
): string {
  return canonicalJson({ purpose: "approval of a plan", plan_id, fingerprint, approved_at, expires_at });
}
