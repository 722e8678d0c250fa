import type { ToolSettings } from "./mcp_context.ts";
import type { Tool } from "./tool.ts";
import { applyPlan } from "./tools/apply_plan.ts";
import { callOperation } from "./tools/call_operation.ts";
import { getPlan } from "./tools/get_plan.ts";
import { listEntities } from "./tools/list_entities.ts";
import { listPlans } from "./tools/list_plans.ts";
import { listProfiles } from "./tools/list_profiles.ts";
import { planArchive } from "./tools/plan_archive.ts";
import { planCreate } from "./tools/plan_create.ts";
import { planUpdate } from "./tools/plan_update.ts";
import { searchOperations } from "./tools/search_operations.ts";

/** The tools that a server with these settings has. */
export function toolList(settings: ToolSettings): readonly Tool[] {
  const canSave = settings.saveFolder !== undefined && !settings.readOnly;
  const reading = [listProfiles, listEntities(canSave), searchOperations, callOperation, listPlans, getPlan];
  const writing = [planUpdate, planCreate, planArchive, applyPlan];
  return settings.readOnly ? reading : [...reading, ...writing];
}
