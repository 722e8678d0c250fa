import { PlatformAdsError } from "../../errors.ts";

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
