import type { McpContext } from "./mcp_context.ts";
import type { Tool } from "./tool.ts";
import { isListedFirst, isOffered } from "./toolsets.ts";
import { getAlert, listAlerts } from "./tools/alerts.ts";
import { apiNotes } from "./tools/api_notes.ts";
import { applyPlan } from "./tools/apply_plan.ts";
import { callOperation } from "./tools/call_operation.ts";
import { callTool } from "./tools/call_tool.ts";
import { searchTools } from "./tools/search_tools.ts";
import { comparePeriodsTool } from "./tools/compare_periods.ts";
import { findWasteTool } from "./tools/find_waste.ts";
import { planBidsTool } from "./tools/plan_bids.ts";
import { planHarvestTool } from "./tools/plan_harvest.ts";
import { queryResult } from "./tools/query_result.ts";
import { describeOperation } from "./tools/describe_operation.ts";
import { getChangeHistory } from "./tools/get_change_history.ts";
import { getPlan } from "./tools/get_plan.ts";
import { getSuggestedBids } from "./tools/get_suggested_bids.ts";
import { getSuggestedBidsForNew } from "./tools/get_suggested_bids_for_new.ts";
import { listEntities } from "./tools/list_entities.ts";
import { listPlans } from "./tools/list_plans.ts";
import { listProfiles } from "./tools/list_profiles.ts";
import { planCall } from "./tools/plan_call.ts";
import { planArchive } from "./tools/plan_archive.ts";
import { planCreate } from "./tools/plan_create.ts";
import { planRestoreFromHistory } from "./tools/plan_restore_from_history.ts";
import { planUpdate } from "./tools/plan_update.ts";
import { queryReports } from "./tools/query_reports.ts";
import { reportCoverage } from "./tools/report_coverage.ts";
import { runReport } from "./tools/run_report.ts";
import { saveResult } from "./tools/save_result.ts";
import { searchOperations } from "./tools/search_operations.ts";
import { syncReports } from "./tools/sync_reports.ts";

/** Tools whose requests can name other accounts of the login: none for those who may see some profiles alone. */
const ACROSS_PROFILES: readonly string[] = [callOperation.name, planCall.name];

/** The tools that a server with these settings, with or without a store, has. */
export function toolList({ settings, store }: Pick<McpContext, "settings" | "store">): readonly Tool[] {
  const reading = [
    apiNotes,
    listProfiles,
    listEntities,
    getSuggestedBids,
    getSuggestedBidsForNew,
    getChangeHistory,
    runReport,
    comparePeriodsTool,
    findWasteTool,
    queryResult,
    searchOperations,
    describeOperation,
    callOperation,
    listPlans,
    getPlan,
    ...(store === undefined ? [] : [queryReports(store.dialect), reportCoverage, listAlerts, getAlert]),
  ];
  const writing = [
    planUpdate,
    planCreate,
    planArchive,
    planBidsTool,
    planHarvestTool,
    planCall,
    planRestoreFromHistory,
    applyPlan,
    ...(settings.saveFolder === undefined ? [] : [saveResult]),
    ...(store === undefined ? [] : [syncReports]),
  ];
  const all = settings.readOnly ? reading : [...reading, ...writing];
  const tools = settings.profiles === undefined
    ? all
    : all.filter(({ name }) => !ACROSS_PROFILES.includes(name));
  if (settings.toolsets !== undefined) return tools.filter(({ name }) => isOffered(name, settings.toolsets));
  const rest = tools.filter(({ name }) => !isListedFirst(name));
  return [...tools.filter(({ name }) => isListedFirst(name)), searchTools(rest), callTool(rest, settings)];
}
