import { ApprovalError } from "../model/plan_errors.ts";
import { type ApprovalKeyFiles, isSignedWithApprovalKey, signWithApprovalKey } from "./approval_key.ts";
import { canonicalJson } from "../../base/json/canonical_json.ts";
import { findingKey, isApproval } from "../model/finding.ts";
import type { PlanData } from "../model/plan_data.ts";
import type { Approval } from "../model/approval.ts";
import type { Review } from "./judge.ts";

/** Default validity of an approval, in seconds. */
export const APPROVAL_SECONDS = 30 * 60;

const SKEW = 5 * 60 * 1000;

interface ApproveOptions {
  readonly key: ApprovalKeyFiles;
  readonly passphrase?: string;
  readonly seconds?: number;
  readonly now?: () => number;
}

/**
 * Throws if the plan's policy had findings that the client cannot repeat. A person without that policy would see less
 * than the sender.
 *
 * @throws {ApprovalError} naming the findings of that policy.
 */
export function ensureJudged({ plan, unjudged }: Pick<Review, "plan" | "unjudged">): void {
  if (unjudged.length === 0) return;
  const shown = unjudged.slice(0, MAX_SHOWN).map(({ level, message }) => `\n  ${level}: ${message}`).join("");
  const more = unjudged.length > MAX_SHOWN ? `\n  and ${unjudged.length - MAX_SHOWN} more` : "";
  throw new ApprovalError(
    `Cannot approve plan ${plan.id} without the policy that it was made under. ` +
      `Pass that policy to the client. It found:${shown}${more}`,
    "missing",
  );
}

const MAX_SHOWN = 10;

/**
 * Trusts its caller to have asked the person.
 *
 * @throws {ConfigurationError} when the key cannot be read or its passphrase is wrong.
 * @throws {ApprovalError} as {@linkcode ensureJudged} does.
 */
export async function approvePlan(
  review: Pick<Review, "plan" | "asks" | "parts" | "digest" | "unjudged">,
  options: ApproveOptions,
): Promise<Approval> {
  ensureJudged(review);
  const now = (options.now ?? Date.now)();
  const approval = {
    plan_id: review.plan.id,
    fingerprint: review.plan.fingerprint,
    approved_at: new Date(now).toISOString(),
    expires_at: new Date(now + (options.seconds ?? APPROVAL_SECONDS) * 1000).toISOString(),
    digest: review.digest,
    shown: review.parts,
    accepted: review.asks.map(findingKey),
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
 * The approval may still be outdated; {@linkcode ensureCurrent} compares it with the current findings.
 *
 * @param options.publicKey Path of the public key.
 * @throws {ApprovalError} when it is malformed, expired, from the future, for another plan or state, or not signed by
 * the person's key.
 */
export async function checkApproval(
  plan: Pick<PlanData, "id" | "fingerprint">,
  approval: unknown,
  options: { publicKey: string; now?: () => number },
): Promise<Approval> {
  const refusal = (why: string, reason: ApprovalError["reason"] = "missing"): ApprovalError =>
    new ApprovalError(`Cannot use the approval of plan ${plan.id}: ${why}`, reason);
  if (!isApproval(approval)) throw refusal("it is not an approval");
  if (approval.plan_id !== plan.id) throw refusal("it is for another plan");
  if (approval.fingerprint !== plan.fingerprint) {
    throw refusal("the plan is not the one that was approved", "outdated");
  }
  const { signature, ...signed } = approval;
  if (!await isSignedWithApprovalKey(options.publicKey, { text: signedText(signed), signature })) {
    throw refusal("its signature does not match the person's key");
  }
  // After the signature: only then are the times the person's own.
  const now = (options.now ?? Date.now)();
  if (!(now < Date.parse(approval.expires_at))) {
    throw refusal(`it expired at ${approval.expires_at}`, "outdated");
  }
  if (!(now > Date.parse(approval.approved_at) - SKEW)) {
    throw refusal(`it is dated ${approval.approved_at}, in the future: check this machine's clock`);
  }
  return approval;
}

/**
 * Amounts may have changed since; names, note, evidence and findings that need approval may not.
 *
 * @throws {ApprovalError} naming the unapproved part.
 */
export function ensureCurrent(approval: Approval, review: Pick<Review, "plan" | "asks" | "parts">): void {
  const { digest, shown, accepted } = approval;
  const outdated = (why: string): ApprovalError =>
    new ApprovalError(
      `The approval of plan ${review.plan.id} is outdated: ${why}. Approve it again`,
      "outdated",
    );
  if (digest === undefined || shown === undefined || accepted === undefined) {
    throw outdated("it does not record what the person saw");
  }
  const changed = Object.entries(review.parts).find(([part, hash]) => shown[part] !== hash);
  if (changed !== undefined) throw outdated(`${changed[0]} changed since`);
  ensureAccepted(review, accepted);
}

export function ensureAccepted(
  { plan, asks }: Pick<Review, "asks"> & { plan: Pick<PlanData, "id"> },
  accepted: readonly string[],
): void {
  const known = new Set(accepted);
  const unseen = asks.filter((finding) => !known.has(findingKey(finding)));
  const [first] = unseen;
  if (first === undefined) return;
  const count = unseen.length === 1 ? "1 finding was" : `${unseen.length} findings were`;
  throw new ApprovalError(
    `The approval of plan ${plan.id} is outdated: ${count} not shown, for example: ${first.message}. ` +
      "Show the plan again, and approve it again",
    "outdated",
  );
}

function signedText(approval: Omit<Approval, "signature">): string {
  const { plan_id, fingerprint, approved_at, expires_at, digest, shown, accepted } = approval;
  return canonicalJson({
    purpose: "approval of a plan",
    ...{ plan_id, fingerprint, approved_at, expires_at, digest, shown, accepted },
  });
}
