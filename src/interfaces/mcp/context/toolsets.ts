import { ConfigurationError } from "../../../errors.ts";

/** The sets that tools belong to, by name, with their tools. `list_profiles` and `api_notes` are in every server. */
const TOOLSETS = {
  read: ["list_entities", "get_suggested_bids", "get_suggested_bids_for_new", "get_change_history"],
  reports: ["run_report", "report_fields", "compare_periods", "find_waste", "query_result", "save_result"],
  store: [
    "query_reports",
    "query_result",
    "report_coverage",
    "list_alerts",
    "get_alert",
    "watch_rules",
    "get_schedules",
    "plan_schedule",
    "sync_reports",
    "save_result",
  ],
  plans: [
    "list_plans",
    "get_plan",
    "plan_update",
    "plan_create",
    "plan_archive",
    "plan_bids",
    "plan_harvest",
    "plan_negatives",
    "plan_budgets",
    "plan_restore_from_history",
    "plan_call",
    "apply_plan",
  ],
  operations: ["search_operations", "describe_operation", "call_operation"],
} as const;

/** Name of a set of tools. */
export type Toolset = keyof typeof TOOLSETS;

/** The tools that a server lists by default; the others are found by search_tools. */
const LISTED_FIRST: readonly string[] = [
  "list_profiles",
  "list_entities",
  "get_change_history",
  "run_report",
  "compare_periods",
  "find_waste",
  "query_result",
  "list_plans",
  "get_plan",
  "plan_update",
  "plan_create",
  "plan_archive",
  "plan_bids",
  "plan_harvest",
  "plan_negatives",
  "apply_plan",
];

/** The name of all sets together. */
const ALL = "all";

const ALWAYS = ["list_profiles", "api_notes"];

/**
 * Reads names of sets, separated by commas, or `all`; `undefined` for no text: then the tools of most jobs are listed
 * and the others are found by a search.
 *
 * @throws {ConfigurationError} that lists the sets, for a name that is not one.
 */
export function readToolsets(text: string | undefined): readonly Toolset[] | undefined {
  if (text === undefined) return undefined;
  const names = text.split(",").map((name) => name.trim()).filter((name) => name !== "");
  if (names.includes(ALL)) return toolsetNames();
  return names.map((name) => {
    const known = toolsetNames().find((one) => one === name);
    if (known !== undefined) return known;
    throw new ConfigurationError(
      `Cannot offer the tools "${name}": expected one or more of ${[...toolsetNames(), ALL].join(", ")}`,
    );
  });
}

/** True when a server with these sets has the tool. */
export function isOffered(tool: string, toolsets: readonly Toolset[] | undefined): boolean {
  if (toolsets === undefined || ALWAYS.includes(tool)) return true;
  return toolsets.some((name) => TOOLSETS[name].some((one) => one === tool));
}

/** True for a tool that is listed by default. */
export function isListedFirst(tool: string): boolean {
  return LISTED_FIRST.includes(tool);
}

export function toolsetNames(): Toolset[] {
  return Object.keys(TOOLSETS).filter((name): name is Toolset => name in TOOLSETS);
}
