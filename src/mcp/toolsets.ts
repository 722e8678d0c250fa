import { ConfigurationError } from "../errors.ts";

/** The sets that tools belong to, by name, with their tools. `list_profiles` and `api_notes` are in every server. */
export const TOOLSETS = {
  read: ["list_entities", "get_suggested_bids", "get_suggested_bids_for_new", "get_change_history"],
  reports: ["run_report", "save_result"],
  store: ["query_reports", "report_coverage", "sync_reports", "save_result"],
  plans: [
    "list_plans",
    "get_plan",
    "plan_update",
    "plan_create",
    "plan_archive",
    "plan_restore_from_history",
    "plan_call",
    "apply_plan",
  ],
  operations: ["search_operations", "describe_operation", "call_operation"],
} as const;

/** Name of a set of tools. */
export type Toolset = keyof typeof TOOLSETS;

const ALWAYS = ["list_profiles", "api_notes"];

/**
 * Reads names of sets, separated by commas; `undefined`, which means all of them, for no text.
 *
 * @throws {ConfigurationError} that lists the sets, for a name that is not one.
 */
export function readToolsets(text: string | undefined): readonly Toolset[] | undefined {
  if (text === undefined) return undefined;
  const names = text.split(",").map((name) => name.trim()).filter((name) => name !== "");
  return names.map((name) => {
    const known = toolsetNames().find((one) => one === name);
    if (known !== undefined) return known;
    throw new ConfigurationError(
      `Cannot offer the tools "${name}": expected one or more of ${toolsetNames().join(", ")}`,
    );
  });
}

/** True when a server with these sets has the tool. */
export function isOffered(tool: string, toolsets: readonly Toolset[] | undefined): boolean {
  if (toolsets === undefined || ALWAYS.includes(tool)) return true;
  return toolsets.some((name) => TOOLSETS[name].some((one) => one === tool));
}

function toolsetNames(): Toolset[] {
  return Object.keys(TOOLSETS).filter((name): name is Toolset => name in TOOLSETS);
}
