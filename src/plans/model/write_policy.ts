import type { AmountChange } from "./amount_changes.ts";
import type { PriorState } from "./prior_state.ts";
import type { Finding } from "./finding.ts";
import type { PlanData } from "./plan_data.ts";
import type { Judgement, JudgeRequest, PlanTarget } from "./plan_target.ts";

/** The fields of a plan needed to judge it. */
export type JudgeablePlan = Pick<PlanData, "profileId" | "countryCode" | "changes" | "note" | "reverses">;

/** A plan that is judged in part. */
export interface WholePlan {
  /** The plan with all of its changes. */
  readonly plan: PlanData;
  /** Positions of the changes that are judged. */
  readonly open: ReadonlySet<number>;
  /** True if applying the plan was started before. */
  readonly resumes: boolean;
}

/** Input of a review, in addition to the plan. */
export interface ReviewContext {
  /** The account, as just read. @default it is read */
  readonly account?: PriorState | undefined;
  /**
   * The whole plan, if an earlier attempt may already have reserved part of the day's limits for it.
   *
   * @default a new plan
   */
  readonly partOf?: WholePlan | undefined;
  /** Aborts reading the account and its figures for the rules. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Judges every write before it is sent. Given to a client as `policy`; `loadPolicy` of `@platform/ads/policy` makes one
 * from a file.
 */
export interface WritePolicy {
  /** Judges a plan for review. Sends nothing. */
  review(
    plan: JudgeablePlan,
    client: PlanTarget,
    options?: ReviewContext,
  ): Promise<readonly Finding[]>;
  /**
   * Judges a plan right before it is sent, against the current account, and reserves what the plan needs from the
   * day's limits.
   *
   * @throws {PolicyError} when it may not be sent. Nothing was sent.
   */
  admit(request: JudgeRequest): Promise<Judgement>;
  /** True when a rule needs the bids below campaigns and ad groups. @default false */
  readonly judgesBelow?: boolean;
  /** Accepted form of a person's approval: only signed, or also through a client's form. @default "signed" */
  readonly approval?: "signed" | "client";
  /** True for an operation that may be called although its effect cannot be judged. */
  allowsOperation(id: string): boolean;
  /** True for a watch rule with plans that may be applied without a person, subject to all other rules. */
  allowsAuto?(rule: string): boolean;
  /** Returns changes of bids and budgets since a moment, in milliseconds, that are recorded in the policy's ledger. */
  changesSince?(profileId: string, since: number): Promise<readonly AmountChange[]>;
}
