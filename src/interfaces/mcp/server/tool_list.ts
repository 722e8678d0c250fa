import type { McpContext } from "../context/mcp_context.ts";
import type { Tool } from "../tooling/tool.ts";
import { getAlert, listAlertsTool, testRulesTool, watchRules } from "../tools/alerts.ts";
import { apiNotes } from "../tools/api_notes.ts";
import { applyPlan } from "../tools/apply_plan.ts";
import { callOperationTool, describeOperation, searchOperations } from "../tools/operations.ts";
import { callTool, searchTools } from "../tools/find_tools.ts";
import { comparePeriodsTool, findWasteTool, sumFiguresTool } from "../tools/figures.ts";
import {
  goalsShowTool,
  planBidsTool,
  planBudgetsTool,
  planGoalsTool,
  planHarvestTool,
  planNegativesTool,
} from "../tools/plan_jobs.ts";
import { findProductProblems, listEntities, listLabels, listProfiles } from "../tools/entities.ts";
import { queryResult, saveResult } from "../tools/kept_results.ts";
import { sharesStore } from "../context/mcp_context.ts";
import { getChangeHistory, planRestoreFromHistory } from "../tools/change_history.ts";
import { getPlan, getUndoPlan, listPlans, planOutcomeTool, planPartTool } from "../tools/plans.ts";
import {
  getSuggestedBids,
  getSuggestedBidsForNew,
  getSuggestedBidsForTargets,
} from "../tools/suggested_bids.ts";
import {
  compareAccountFiles,
  planAccountFiles,
  planArchiveTool,
  planCallTool,
  planCreateTool,
  planUpdateTool,
} from "../tools/plan_changes.ts";
import { queryReports, reportCoverage, syncReports } from "../tools/stored_reports.ts";
import { getSchedules, planSchedule } from "../tools/schedules.ts";
import { reportFieldsTool } from "../tools/report_fields.ts";
import {
  compareCleanRoomQueries,
  listCleanRoomQueries,
  listCleanRooms,
  runCleanRoomQuery,
} from "../tools/clean_rooms.ts";
import { pacingShow, planPacingTool } from "../tools/pacing.ts";
import { runJobTool } from "../tools/run_job.ts";
import { runReportTool } from "../tools/run_report.ts";

/**
 * Tools whose requests can name other accounts of the login. They are hidden from callers who may see only some
 * profiles.
 */
const ACROSS_PROFILES: readonly string[] = [
  callOperationTool,
  listLabels,
  planCallTool,
  runJobTool,
  listCleanRooms,
  listCleanRoomQueries,
  compareCleanRoomQueries,
  runCleanRoomQuery,
].map(({ name }) => name);

/** Tools that read the whole store, regardless of profile. */
const OF_WHOLE_STORE: readonly string[] = ["query_reports", reportCoverage.name];

/** Unlisted tools are found by `search_tools` and called by `call_tool`. */
export function toolList(context: Pick<McpContext, "settings" | "store">): readonly Tool[] {
  const { settings } = context;
  const tools = everyTool(context);
  const { toolsets } = settings;
  if (toolsets !== undefined) {
    return tools.filter(({ sets }) => sets === undefined || sets.some((set) => toolsets.includes(set)));
  }
  const listed = tools.filter(({ isListed }) => isListed);
  const rest = tools.filter(({ isListed }) => !isListed);
  return [...listed, searchTools(rest, listed), callTool({ listed, rest }, settings)];
}

export function everyTool({ settings, store }: Pick<McpContext, "settings" | "store">): readonly Tool[] {
  const all = [
    apiNotes,
    listProfiles,
    listEntities,
    getSuggestedBids,
    getSuggestedBidsForTargets,
    getSuggestedBidsForNew,
    findProductProblems,
    listLabels,
    getChangeHistory,
    runReportTool,
    runJobTool,
    listCleanRooms,
    listCleanRoomQueries,
    compareCleanRoomQueries,
    runCleanRoomQuery,
    reportFieldsTool,
    comparePeriodsTool,
    findWasteTool,
    sumFiguresTool,
    queryResult,
    searchOperations,
    describeOperation,
    callOperationTool,
    listPlans,
    getPlan,
    ...(store === undefined ? [] : [
      queryReports(store.dialect),
      reportCoverage,
      listAlertsTool,
      getAlert,
      watchRules,
      testRulesTool,
      planOutcomeTool,
      goalsShowTool,
      getSchedules,
      syncReports,
      planSchedule,
      pacingShow,
      planPacingTool,
    ]),
    planUpdateTool,
    planCreateTool,
    planArchiveTool,
    planBidsTool,
    planHarvestTool,
    planNegativesTool,
    planBudgetsTool,
    planGoalsTool,
    planCallTool,
    compareAccountFiles,
    planAccountFiles,
    planRestoreFromHistory,
    getUndoPlan,
    planPartTool,
    applyPlan,
    ...(settings.saveFolder === undefined ? [] : [saveResult]),
  ];
  return all.filter(({ name, effect }) =>
    (!settings.readOnly || effect === "read") &&
    (settings.profiles === undefined || !ACROSS_PROFILES.includes(name)) &&
    !(sharesStore(settings) && OF_WHOLE_STORE.includes(name))
  );
}
