import { ChangePlan } from "../change_plan.ts";
import { type PlanReview, type ReviewOptions, withReview } from "./review_plan.ts";

/** Options for judging, weighing and holding back a new plan. */
export type PlanningOptions = Pick<
  ReviewOptions,
  "figures" | "known" | "signal" | "holdBack" | "heldElsewhere"
>;

/** A profile that may be able to judge and weigh plans. */
export interface PlanReviewer {
  /** Judges and weighs a plan for its reader; absent where nothing does. */
  readonly review?:
    | ((
      plan: ChangePlan,
      options: PlanningOptions,
    ) => Promise<PlanReview>)
    | undefined;
}

/** A plan with what its profile says of it: findings, money and evidence. An empty one stays as it is. */
export async function reviewed(
  plan: ChangePlan,
  reviewer: PlanReviewer,
  options: PlanningOptions,
): Promise<ChangePlan> {
  const { holdBack } = options;
  if (reviewer.review === undefined && holdBack !== undefined) {
    throw new TypeError("Cannot hold back a part of the plan: its profile cannot weigh plans");
  }
  if (reviewer.review === undefined || plan.changes.length === 0) return plan;
  return new ChangePlan(withReview(plan, await reviewer.review(plan, options)));
}
