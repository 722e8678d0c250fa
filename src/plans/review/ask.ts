import type { Change } from "../model/change.ts";
import { ApprovalError, policyRefusal } from "../model/plan_errors.ts";
import type { Approval } from "../model/approval.ts";
import { askedByPolicy, type Finding } from "../model/finding.ts";
import { ensureAccepted, ensureCurrent } from "./approval.ts";
import type { Review } from "./judge.ts";

export interface Asker {
  readonly by: string;
  /** Findings that this approver may accept: none, default warnings, or also those of a policy. */
  readonly may: "nothing" | "warnings" | "policy";
  readonly ask?: ((review: Review) => Promise<boolean>) | undefined;
  /** A policy requires a signature unless it accepts unsigned approval from a client. */
  readonly sign?: ((review: Review) => Promise<Approval>) | undefined;
  readonly given?: ((review: Review) => Promise<Approval>) | undefined;
  readonly always?: boolean | undefined;
  readonly accepted?: readonly string[] | undefined;
  readonly lead?: string | undefined;
  readonly hint?: ((review: Review) => string) | undefined;
}

export interface Consent {
  readonly approvedBy: string | undefined;
  readonly accepted: readonly Finding[];
  readonly reviewed: readonly Finding[];
  readonly approval: Approval | undefined;
  /** Judged bodies by position; exactly these are sent. */
  readonly bodies: ReadonlyMap<number, Change>;
}

export const SIGNED = "a signed approval";

/**
 * Uses a valid earlier approval, otherwise asks.
 *
 * @throws {PolicyError} without asking, when the policy denies the plan.
 * @throws {ApprovalError} when approval is declined, missing or outdated. Nothing was sent.
 */
export async function ask(review: Review, asker: Asker): Promise<Consent> {
  const { asks, denied } = review;
  if (denied.length > 0) throw policyRefusal(denied);
  const consent = (approvedBy: string | undefined, approval?: Approval): Consent => ({
    approvedBy,
    accepted: asks,
    reviewed: review.findings,
    approval,
    bodies: review.bodies,
  });
  let missing: ApprovalError | undefined;
  if (asker.given !== undefined && (asker.always || asks.length > 0)) {
    try {
      const approval = await asker.given(review);
      ensureCurrent(approval, review);
      return consent(SIGNED, approval);
    } catch (error) {
      if (!(error instanceof ApprovalError)) throw error;
      if (asker.always) throw error;
      missing = error;
    }
  }
  const ofPolicy = askedByPolicy(asks);
  const isEnough = asks.length === 0 || asker.may === "policy" ||
    asker.may === "warnings" && (ofPolicy.length === 0 || review.takesClient && asker.ask !== undefined);
  if (!isEnough) throw notEnough(review, { asker, missing });
  if (asker.accepted !== undefined) ensureAccepted(review, asker.accepted);
  if (asker.ask === undefined) return consent(asks.length === 0 ? undefined : asker.by);
  if (!await asker.ask(review)) {
    throw new ApprovalError("Not applied: the answer was not yes. Nothing was sent", "declined");
  }
  const approval = ofPolicy.length > 0 ? await asker.sign?.(review) : undefined;
  return consent(asker.by, approval);
}

const MAX_SHOWN = 10;

function notEnough(
  review: Review,
  { asker, missing }: { asker: Asker; missing: ApprovalError | undefined },
): ApprovalError {
  const { asks, plan } = review;
  const shown = asks.slice(0, MAX_SHOWN).map(({ message }) => `\n  ${message}`).join("");
  const more = asks.length > MAX_SHOWN ? `\n  and ${asks.length - MAX_SHOWN} more` : "";
  const hint = asker.hint === undefined ? "" : `\n${asker.hint(review)}`;
  // That there is no approval is said already; why one does not count is not.
  const invalid = missing?.message.startsWith(`Cannot apply plan ${plan.id}: `) ? undefined : missing;
  const signed = askedByPolicy(asks).length > 0
    ? `The policy requires a person's signed approval${invalid === undefined ? ", and there is none" : ""}`
    : "Findings that need approval";
  const why = invalid === undefined ? signed : `${signed}. ${invalid.message}`;
  return new ApprovalError(
    `${
      asker.lead ?? `Cannot apply plan ${plan.id} without a person's approval`
    }. ${why}:${shown}${more}${hint}`,
    missing?.reason ?? "missing",
    missing === undefined ? undefined : { cause: missing },
  );
}
