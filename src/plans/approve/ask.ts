import type { Change } from "../model/change.ts";
import { ApprovalError } from "../model/plan_errors.ts";
import type { Approval } from "../model/approval.ts";
import { askedByPolicy, type Finding } from "../model/finding.ts";
import { policyRefusal } from "../model/policy_error.ts";
import { ensureAccepted, ensureCurrent } from "./approval.ts";
import type { Review } from "./judge.ts";

/** Approver of a plan before it is sent, and the way to reach them. */
export interface Asker {
  /** Name of the approver in words, kept with the result. */
  readonly by: string;
  /** Findings that this approval covers: none, the default warnings, or also those of a policy. */
  readonly may: "nothing" | "warnings" | "policy";
  /** Asks a person who has seen the review. @default no question */
  readonly ask?: ((review: Review) => Promise<boolean>) | undefined;
  /** Signs what the person approved. A policy requires it, unless it accepts a client's word. */
  readonly sign?: ((review: Review) => Promise<Approval>) | undefined;
  /**
   * A signed approval that was given before, its signature checked.
   *
   * @throws {ApprovalError} when there is none that holds.
   */
  readonly given?: ((review: Review) => Promise<Approval>) | undefined;
  /** True to require a signed approval whatever is found. @default false */
  readonly always?: boolean | undefined;
  /** Keys of the findings that the person was shown. @default all of the review */
  readonly accepted?: readonly string[] | undefined;
  /** Insufficient approval, for the message. @default that there is no approval */
  readonly lead?: string | undefined;
  /** Next step where this asker's approval is not sufficient. */
  readonly hint?: ((review: Review) => string) | undefined;
}

/** An approval as it is kept with the result of a plan; spread into the options of `apply`. */
export interface Consent {
  /** Name of the approver, in words; `undefined` where no approval was needed. */
  readonly approvedBy: string | undefined;
  /** The findings that were shown and accepted. */
  readonly accepted: readonly Finding[];
  /** Current expected refusals, in place of those in the plan file. */
  readonly reviewed: readonly Finding[];
  readonly approval: Approval | undefined;
  /** The bodies that were judged and shown, by position: these are sent. */
  readonly bodies: ReadonlyMap<number, Change>;
}

export const SIGNED = "a signed approval";

/**
 * Gets the approval that a reviewed plan needs: an earlier one that is still valid, or a new one from the asker.
 *
 * @throws {PolicyError} for a plan that the policy denies, without a question.
 * @throws {ApprovalError} when it is declined, missing or outdated. Nothing was sent.
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
