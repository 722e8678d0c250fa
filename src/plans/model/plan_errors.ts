import { PlatformAdsError } from "../../errors.ts";
import type { Finding } from "./finding.ts";

/**
 * A plan cannot be applied, resumed or undone in its current state: it was applied before, is not known, or its file
 * was edited. Nothing was sent.
 *
 * @example
 * ```ts
 * import { PlanStateError, PlanStore } from "@platform/ads";
 *
 * try {
 *   await PlanStore.open("plans").get("20261120-101500-1a2b3c4d");
 * } catch (error) {
 *   if (!(error instanceof PlanStateError)) throw error;
 *   console.log(error.reason); // "applied", "unknown" or "edited"
 * }
 * ```
 */
export class PlanStateError extends PlatformAdsError {
  /** Problem of the plan. */
  readonly reason: "applied" | "unknown" | "edited";

  /** Stores the problem as a code for programs, in addition to the message for people. */
  constructor(message: string, reason: PlanStateError["reason"], options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/**
 * A person's approval that a plan needs was declined, is missing, or is outdated. Nothing was sent.
 *
 * @example
 * ```ts
 * import { ApprovalError } from "@platform/ads";
 * const saidNo = (error: unknown): boolean => error instanceof ApprovalError && error.reason === "declined";
 * ```
 */
export class ApprovalError extends PlatformAdsError {
  /** Reason why the plan is not approved. */
  readonly reason: "declined" | "missing" | "outdated";

  /** Stores the reason as a code for programs, in addition to the message for people. */
  constructor(message: string, reason: ApprovalError["reason"], options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/**
 * A policy denies a write, or could not check it. Nothing was sent.
 *
 * @example
 * ```ts
 * import { type ChangePlan, PolicyError, type ProfileClient } from "@platform/ads";
 *
 * async function apply(plan: ChangePlan, us: ProfileClient): Promise<void> {
 *   try {
 *     await plan.apply(us);
 *   } catch (error) {
 *     if (!(error instanceof PolicyError)) throw error;
 *     for (const { rule, message, allowed } of error.findings) console.error(rule, message, allowed);
 *   }
 * }
 * ```
 */
export class PolicyError extends PlatformAdsError {
  /** Findings, each with its rule, its change and the allowed values. */
  readonly findings: readonly Finding[];

  /** Stores all findings; the message shows the first few. */
  constructor(message: string, findings: readonly Finding[], options?: ErrorOptions) {
    super(message, options);
    this.findings = findings;
  }
}

const MAX_SHOWN = 5;

export function policyRefusal(findings: readonly Finding[]): PolicyError {
  const denied = findings.some(({ level }) => level === "deny");
  const lead = denied ? "Denied by the policy" : "The policy asks for a person's approval";
  const shown = findings.slice(0, MAX_SHOWN).map(({ message, allowed }) =>
    `\n  ${message}${allowed === undefined ? "" : ` (allowed: ${allowed})`}`
  );
  const more = findings.length > MAX_SHOWN ? `\n  and ${findings.length - MAX_SHOWN} more` : "";
  const next = denied ? "\nPlan again without these changes, or change the policy" : "";
  return new PolicyError(`${lead}, so nothing was sent:${shown.join("")}${more}${next}`, findings);
}
