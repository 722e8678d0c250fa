import type { HeldElsewhere } from "../plans/experiment/experiment.ts";
import type { PlanReview, ReviewOptions } from "../plans/review/review_plan.ts";
import type { JudgeablePlan } from "../plans/write_policy.ts";
import type { ProfileScope } from "../transport/profile_scope.ts";

/** A profile for resources: how requests are sent for it, and how plans for it are reviewed. */
export interface ResourceScope extends ProfileScope {
  /** Entities that running experiments hold back, which new plans leave alone; absent where none are known. */
  readonly heldElsewhere?: (() => Promise<HeldElsewhere>) | undefined;
  /** Judges and weighs a plan for its reader; absent where nothing does. */
  readonly review?:
    | ((plan: JudgeablePlan, options: Pick<ReviewOptions, "account" | "signal">) => Promise<PlanReview>)
    | undefined;
}
