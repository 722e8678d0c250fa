/**
 * Plans: changes, reviews, approvals, journals and results.
 *
 * @module
 */
export type { DriftedField } from "../errors.ts";
export type { ApplyOptions } from "./apply/apply_plan.ts";
export type { JournalFile } from "./apply/journal_file.ts";
export type { CheckOptions } from "./apply/prepare_sending.ts";
export type { ResumeOptions } from "./change_plan/resume_sending.ts";
export { ChangePlan, PlanResult } from "./change_plan/change_plan.ts";
export { resumePlan } from "./change_plan/resume_plan.ts";
export type { SendChangesOptions } from "./apply/send_changes.ts";
export type { Approval } from "./model/approval.ts";
export type { Change, ChangeOperation, ChangeRow, EntityFields, Evidence } from "./model/change.ts";
export type { ChangeOutcome, ChangeResult, PlacedChange } from "./model/change_result.ts";
export type {
  Experiment,
  ExperimentGoal,
  ExperimentUnitKind,
  HeldChange,
  HeldElsewhere,
  HeldSource,
  HoldBack,
  Holder,
} from "./model/experiment.ts";
export type { KeptPart } from "./review/hold_back.ts";
export { type AmountChange, type ChangedPart, type ChangesSource } from "./model/amount_changes.ts";
export { changedIn } from "./store/applied_changes.ts";
export { type BegunExperiment, experimentsIn, heldBy, heldIn } from "./store/running_experiments.ts";
export type { PlanFile, PlanFileChange } from "./change_plan/plan_file.ts";
export type { Finding, FindingLevel, Override } from "./model/finding.ts";
export type { ChangeRef } from "./model/change_ref.ts";
export type { MoneyAtRisk, PlanData, PlanNames } from "./model/plan_data.ts";
export { ApprovalError, PlanStateError, PolicyError } from "./model/plan_errors.ts";
export type { LastChanges } from "./model/amount_changes.ts";
export type {
  GlobalProfile,
  Judgement,
  JudgeRequest,
  PlanCalls,
  PlanResource,
  PlanTarget,
  WriteOptions,
} from "./model/plan_target.ts";
export type { CallState, PlannedCall, PlannedFile, PlannedRows } from "./model/planned_call.ts";
export type { RowVerdict } from "./model/row_verdicts.ts";
export { type BidMove, bidMovesIn } from "./store/bid_moves.ts";
export type { BidResponse, BidResponseSource } from "./review/bid_response.ts";
export type { EntityFigures } from "./review/estimate_money.ts";
export type { FiguresRequest, FiguresSource } from "./review/figures_source.ts";
export type { ScheduledSource } from "./review/read_last_changes.ts";
export type { PlanReview, ReviewOptions } from "./review/review_plan.ts";
export type { PlanningOptions } from "./change_plan/reviewed.ts";
export { type Below, type Looked, type PriorState, Unread } from "./model/prior_state.ts";
export type { AppliedRecord, AppliedVerdict } from "./store/applied_record.ts";
export type { PlanStatus } from "./store/plan_status.ts";
export {
  PlanStore,
  type PlanStoreOptions,
  type StoreApplyOptions,
  type StoredPlan,
  type StoreResumeOptions,
} from "./store/plan_store.ts";
export type { AppliedPlan } from "./store/write_result.ts";
export type { JudgeablePlan, ReviewContext, WholePlan, WritePolicy } from "./model/write_policy.ts";
