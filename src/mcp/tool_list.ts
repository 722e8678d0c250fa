import type { McpContext } from "./mcp_context.ts";
import type { Tool } from "./tool.ts";
import { isOffered } from "./toolsets.ts";
import { apiNotes } from "./tools/api_notes.ts";
import { applyPlan } from "./tools/apply_plan.ts";
import { callOperation } from "./tools/call_operation.ts";
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
    searchOperations,
    describeOperation,
    callOperation,
    listPlans,
    getPlan,
    ...(store === undefined ? [] : [queryReports(store.dialect), reportCoverage]),
  ];
  const writing = [
    planUpdate,
    planCreate,
    planArchive,
    planCall,
    planRestoreFromHistory,
    applyPlan,
    ...(settings.saveFolder === undefined ? [] : [saveResult]),
    ...(store === undefined ? [] : [syncReports]),
  ];
  const tools = settings.readOnly ? reading : [...reading, ...writing];
  return tools.filter(({ name }) => isOffered(name, settings.toolsets));
}
