import { decideScheduleBase } from "./automation/decide_base.ts";
import { learnSchedule } from "./automation/learn_schedule.ts";
import { markAlerts } from "./automation/mark_alerts.ts";
import { planPacing, showPacing } from "./automation/pacing.ts";
import { testRules } from "./automation/test_rules.ts";
import { planSchedules } from "./automation/plan_schedules.ts";
import { measureSchedule } from "./automation/measure_schedule.ts";
import { showService } from "./automation/service_status.ts";
import { schedulesStatus } from "./automation/schedules_status.ts";
import { planBids } from "./jobs/plan_bids.ts";
import { planBudgets } from "./jobs/plan_budgets.ts";
import { planGoals } from "./jobs/plan_goals.ts";
import { planHarvest } from "./jobs/plan_harvest.ts";
import { planNegatives } from "./jobs/plan_negatives.ts";
import { accountCopy } from "./plans/account_copy.ts";
import { accountDiff, planFrom } from "./plans/account_files.ts";
import { sheetPlan } from "./plans/sheet_plan.ts";
import { planHeldBack } from "./plans/plan_held_back.ts";
import { planFromHistory } from "./plans/plan_from_history.ts";
import { planCall } from "./plans/plan_call.ts";
import { planApply } from "./plans/plan_apply.ts";
import { planApprove } from "./plans/plan_approve.ts";
import { planPart } from "./plans/plan_part.ts";
import { planResume } from "./plans/plan_resume.ts";
import { planUndo } from "./plans/plan_undo.ts";
import { planArchive, planCreate, planUpdate } from "./plans/plan_writes.ts";
import { accountPull } from "./reads/account_pull.ts";
import { importReports } from "./reads/import_files.ts";
import { sheetOutcome } from "./reads/sheet_outcome.ts";
import { sheetPull } from "./reads/sheet_pull.ts";
import { listAlerts } from "./reads/alerts.ts";
import { callOperation } from "./reads/call.ts";
import { cleanRoomDrift, cleanRoomInstances, cleanRoomQueries, cleanRoomRun } from "./reads/clean_rooms.ts";
import { comparePeriods } from "./reads/compare_periods.ts";
import { drift } from "./reads/drift.ts";
import { findWaste } from "./reads/find_waste.ts";
import { goalsOutcome } from "./reads/goals_outcome.ts";
import { goalsShow } from "./reads/goals_show.ts";
import { goalsSimulate } from "./reads/goals_simulate.ts";
import { history } from "./reads/history.ts";
import { jobCancel, jobDownload, jobList, jobRun, jobStatus, jobWait } from "./reads/jobs.ts";
import { accountLabels } from "./reads/labels.ts";
import { list } from "./reads/list.ts";
import { opsSearch } from "./reads/ops_search.ts";
import { opsShow } from "./reads/ops_show.ts";
import { planList } from "./reads/plan_list.ts";
import { planExperiments } from "./reads/plan_experiments.ts";
import { planPower } from "./reads/plan_power.ts";
import { planOutcome } from "./reads/plan_outcome.ts";
import { reportCreate, reportDelete, reportDownload, reportStatus } from "./reads/report_requests.ts";
import { runReport } from "./reads/run_report.ts";
import { recommendations } from "./reads/recommendations.ts";
import { keywordBids, targetBids } from "./reads/suggested_bids.ts";
import { newBids } from "./reads/suggested_bids_new.ts";
import { storeQuery } from "./reads/store_query.ts";
import { storeCoverage } from "./reads/store_coverage.ts";
import { sync } from "./reads/sync.ts";
import { sumFigures } from "./reads/sum_figures.ts";
import { productProblems } from "./reads/product_problems.ts";
import type { AnyOperation } from "./model/operation.ts";

export const OPERATIONS: readonly AnyOperation[] = [
  list,
  history,
  drift,
  accountPull,
  accountDiff,
  accountCopy,
  runReport,
  reportCreate,
  reportStatus,
  reportDownload,
  reportDelete,
  comparePeriods,
  findWaste,
  sumFigures,
  sync,
  importReports,
  storeCoverage,
  storeQuery,
  productProblems,
  accountLabels,
  recommendations,
  keywordBids,
  targetBids,
  newBids,
  planOutcome,
  planPower,
  planExperiments,
  planList,
  goalsOutcome,
  goalsShow,
  goalsSimulate,
  listAlerts,
  markAlerts,
  testRules,
  decideScheduleBase,
  showService,
  schedulesStatus,
  planSchedules,
  showPacing,
  planPacing,
  learnSchedule,
  measureSchedule,
  cleanRoomInstances,
  cleanRoomQueries,
  cleanRoomDrift,
  cleanRoomRun,
  opsSearch,
  opsShow,
  callOperation,
  jobRun,
  jobStatus,
  jobWait,
  jobDownload,
  jobCancel,
  jobList,
  planUpdate,
  planCreate,
  planArchive,
  planCall,
  planBids,
  planHarvest,
  planNegatives,
  planBudgets,
  planGoals,
  planFrom,
  sheetPull,
  sheetPlan,
  sheetOutcome,
  planFromHistory,
  planHeldBack,
  planPart,
  planApprove,
  planApply,
  planResume,
  planUndo,
];
