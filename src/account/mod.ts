/**
 * The whole account: its campaigns as files, differences, copies, bulk sheets and weekly jobs.
 *
 * @module
 */

export { type AccountLabel, readLabels } from "./jobs/account_labels.ts";
export {
  type AccountRecommendation,
  readRecommendations,
  type RecommendationOptions,
  type RecommendationText,
  type RecommendedAction,
  type RecommendedObject,
} from "./jobs/account_recommendations.ts";
export { type AccountDrift, accountDrift, type AccountDriftOptions } from "./diff/account_drift.ts";
export { type ChangesSince, changesSince } from "./diff/changes_since.ts";
export type { DriftEntry, DriftMaker } from "./diff/drift_entry.ts";
export type { AppliedPlanData, AppliedPlanNote, AppliedPlanSource } from "./diff/plan_record.ts";
export { AccountDiff, type DiffPlanOptions } from "./diff/account_diff.ts";
export { AccountFiles, type SavedFiles } from "./files/account_files.ts";
export type { AccountLock, LockedEntity, LockedFile, LockedProfile } from "./files/account_lock.ts";
export type { ReadAccountOptions } from "./files/account_reading.ts";
export type { AccountSettings } from "./files/account_settings.ts";
export { copyCampaigns, type CopyCampaignsOptions } from "./diff/copy_campaigns.ts";
export { diffAccount, type DiffAccountOptions } from "./diff/diff_account.ts";
export type { DiffEntry } from "./diff/diff_entries.ts";
export { AccountFilesError, type FileProblem } from "./files/file_problem.ts";
export { pullAccount, type PullAccountOptions } from "./diff/pull_account.ts";
export { planHeldBack, type PlanHeldBackOptions } from "./jobs/plan_held_back.ts";
export { costWithoutSales, type JobPlanOptions, type JobResult, type LeftOut } from "./jobs/job_result.ts";
export { countReasons } from "./jobs/left_out_data.ts";
export type { FigureOptions, StoredReports } from "./jobs/ensure_stored.ts";
export { BID_KINDS, type BidKind, type BidsOptions, checkBidsOptions, planBids } from "./jobs/plan_bids.ts";
export { BID_PRESETS, type BidPreset } from "./jobs/bid_presets.ts";
export { findWaste, type Waste, type WasteOptions } from "./jobs/find_waste.ts";
export {
  type AdvertisedIn,
  findIneligibleProducts,
  type IneligibleProduct,
  type IneligibleProductsOptions,
  type IneligibleReason,
} from "./jobs/ineligible_products.ts";
export type { SearchTermFigures } from "./jobs/search_terms.ts";
export { type NegativesOptions, type NegativesResult, planNegatives } from "./jobs/plan_negatives.ts";
export { type HarvestOptions, type HarvestResult, planHarvest } from "./jobs/plan_harvest.ts";
export type { NamedTerm } from "./jobs/search_terms.ts";
export type { HarvestLine } from "./jobs/harvest_map.ts";
export type { HarvestSuggestion } from "./jobs/suggest_harvest_targets.ts";
export { type BudgetsOptions, type BudgetsResult, planBudgets } from "./jobs/plan_budgets.ts";
export { type GoalsOptions, type GoalsResult, planGoals } from "./goals/plan_goals.ts";
export type { CampaignSelect } from "../plans/policy/campaign_select.ts";
export {
  type Goal,
  type GoalBounds,
  type GoalKind,
  type GoalsFile,
  loadGoals,
  parseGoals,
} from "./goals/goals_file.ts";
export type { BudgetKind, BudgetPressure } from "./jobs/budget_pressure.ts";
export { snapshotAccount, type SnapshotOptions } from "./rollout/snapshot_account.ts";
export { packSnapshot, unpackSnapshot } from "./rollout/snapshot_file.ts";
export { type CopyDifference, type RehearsedPlan, rehearsePlan } from "./rollout/rehearse_plan.ts";
export type { AccountCopy, ProfileCopy } from "../emulator/state/account_copy.ts";
export type { ShopperLevel, TrafficLevels } from "../emulator/state/traffic_levels.ts";
export {
  type ApplyRolloutOptions,
  Rollout,
  type RolloutEntry,
  type RolloutResult,
} from "./rollout/rollout.ts";
export type { NewRolloutOptions } from "./rollout/new_rollout.ts";
export type { ProfileWithoutPlan, RolloutData } from "./rollout/rollout_file.ts";
export type { Portion } from "./rollout/stages.ts";
export {
  type ImportedFile,
  importFiles,
  type ImportOptions,
  type ImportResult,
} from "./imports/import_files.ts";
export { type ImportedAccount, importedAccount } from "./imports/imported_account.ts";
export { type ImportProblem, ImportProblemsError } from "./imports/import_problem.ts";
export type { ImportHints } from "./imports/open_file.ts";
export type { ReadingHints } from "./imports/reading_hints.ts";
export type { DayOrder, DecimalMark } from "./tables/cell_formats.ts";
export type { HeaderMap } from "./imports/recognize_table.ts";
export type { FileProduct } from "./tables/console_headers.ts";
export { type PlanSheet, sheetOfPlan } from "./sheets/sheet_of_plan.ts";
export { planSheet, type PlanSheetOptions, type SheetPlan } from "./sheets/plan_sheet.ts";
export { type PulledSheet, pullSheet, type PullSheetOptions } from "./sheets/pull_sheet.ts";
export { SheetProblemsError } from "./sheets/sheet_problems_error.ts";
export { SheetFileError } from "./tables/sheet_lines.ts";
export type { SheetFile } from "./tables/open_tables.ts";
export type { RowPlace, RowProblem } from "./sheets/sheet_row.ts";
export type { SheetReadingHints } from "./sheets/sheet_rows.ts";
export type { BulkHints } from "./sheets/bulk_table.ts";
export type { WordMap } from "./tables/words.ts";
export { type SheetResult, sheetResult } from "./sheets/sheet_result.ts";
export type { RowStatus, RowStatusWord } from "./sheets/sheet_result.ts";
export type { ComparedBy } from "./jobs/read_parts.ts";
export {
  type CompareOptions,
  comparePeriods,
  type Comparison,
  type Moved,
  type MovedPart,
  type PeriodFigures,
} from "./jobs/compare_periods.ts";
export { type ComparisonRow, comparisonRows } from "./jobs/comparison_rows.ts";
export { periodBefore } from "./jobs/compare_periods.ts";
export { bestTargetDays, bestTargets, type BestTargetsOptions } from "./jobs/best_targets.ts";
export { loadWorkflows } from "./runs/load_workflows.ts";
export { syncWorkflows, type SyncWorkflowsOptions, type WorkflowOutcome } from "./runs/sync_workflows.ts";
export { parseWorkflow, type WorkflowFile, type WorkflowSync } from "./runs/workflow_file.ts";
export {
  compareWorkflows,
  type CompareWorkflowsOptions,
  planWorkflows,
  type PlanWorkflowsOptions,
  type WorkflowDifference,
} from "./runs/plan_workflows.ts";
export { type JobReportRow } from "./runs/run_job_report.ts";
export {
  JOB_REPORTS,
  type JobReport,
  type JobReportColumnType,
  type JobReportGroup,
  type JobReportName,
  jobReportsNamed,
} from "./runs/job_reports.ts";
export { runJobReport, type RunJobReportOptions } from "./runs/run_job_report.ts";
export {
  type JobReportOutcome,
  syncJobReports,
  type SyncJobReportsOptions,
} from "./runs/sync_job_reports.ts";
