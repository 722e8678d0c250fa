import { PlatformAdsError } from "../../errors.ts";
import type { Finding } from "./finding.ts";

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
