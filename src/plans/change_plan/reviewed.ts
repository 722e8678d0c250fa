import type { ChangePlan } from "./change_plan.ts";
import type { HeldElsewhere } from "../model/experiment.ts";
import type { ChangePlanFields } from "../model/plan_data.ts";
import type { JudgeablePlan } from "../model/write_policy.ts";
import type { PlanReview, ReviewOptions } from "../review/review_plan.ts";

/** Options for reviewing a new plan and holding part of it back. */
export type PlanningOptions = Pick<
  ReviewOptions,
  "figures" | "account" | "sent" | "signal" | "holdBack" | "heldElsewhere" | "changes"
>;

export interface PlanReviewer {
  readonly heldElsewhere?: (() => Promise<HeldElsewhere>) | undefined;
  readonly review?:
    | ((
      plan: JudgeablePlan & Pick<ChangePlanFields, "findings">,
      options: PlanningOptions,
    ) => Promise<PlanReview>)
    | undefined;
}

export async function reviewed(
  fields: ChangePlanFields,
  reviewer: PlanReviewer,
  options: PlanningOptions,
): Promise<ChangePlan> {
  const { ChangePlan } = await import("./change_plan.ts");
  const { holdBack } = options;
  if (reviewer.review === undefined && holdBack !== undefined) {
    throw new TypeError("Cannot hold back a part of the plan: its profile client cannot review plans");
  }
  if (reviewer.review === undefined || fields.changes.length === 0) return new ChangePlan(fields);
  const judged = { note: null, reverses: null, ...fields };
  const { withReview } = await import("../review/review_plan.ts");
  const heldElsewhere = options.heldElsewhere ?? await reviewer.heldElsewhere?.();
  return new ChangePlan(withReview(fields, await reviewer.review(judged, { ...options, heldElsewhere })));
}
