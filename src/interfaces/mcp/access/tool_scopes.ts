import type { ScopeChallengeHandler } from "@modelcontextprotocol/server";
import { ConfigurationError } from "../../../errors.ts";
import { type Identity, identityOf, type Scope, SCOPES } from "./identity.ts";

/**
 * The scope that each tool needs: `read` where it changes nothing, `plan` where it writes files or stores of the server,
 * `apply` where it changes the account.
 */
export const TOOL_SCOPES: Readonly<Record<string, Scope>> = {
  api_notes: "read",
  call_operation: "read",
  call_tool: "read",
  compare_periods: "read",
  describe_operation: "read",
  find_waste: "read",
  get_alert: "read",
  watch_rules: "read",
  get_change_history: "read",
  get_plan: "read",
  get_schedules: "read",
  get_suggested_bids: "read",
  get_suggested_bids_for_new: "read",
  list_alerts: "read",
  list_entities: "read",
  list_plans: "read",
  list_profiles: "read",
  query_reports: "read",
  query_result: "read",
  report_coverage: "read",
  report_fields: "read",
  run_report: "read",
  search_operations: "read",
  search_tools: "read",
  plan_archive: "plan",
  plan_bids: "plan",
  plan_call: "plan",
  plan_create: "plan",
  plan_budgets: "plan",
  plan_harvest: "plan",
  plan_negatives: "plan",
  plan_restore_from_history: "plan",
  plan_schedule: "plan",
  plan_update: "plan",
  save_result: "plan",
  sync_reports: "plan",
  apply_plan: "apply",
};

/** The tool that calls others, which need scopes of their own. */
const CALLER_OF_OTHERS = "call_tool";

/** Scope that a tool needs; an unclassified tool needs the one that changes the account. */
function scopeOf(tool: string): Scope {
  return TOOL_SCOPES[tool] ?? "apply";
}

/** True when a caller may use a tool. */
export function mayUse(identity: Identity, tool: string): boolean {
  return identity.may(scopeOf(tool));
}

/**
 * Refuses a tool to a caller who lacks its scope, wherever the call comes from.
 *
 * @throws {ConfigurationError} that names the scope.
 */
export function ensureMayUse(identity: Identity, tool: string): void {
  if (mayUse(identity, tool)) return;
  throw new ConfigurationError(`Cannot call ${tool}: your token lacks the scope "${scopeOf(tool)}"`);
}

/** Refuses calls of a tool to those who lack its scope, with the scope to get, before the tool has them. */
export function toolChallenge(tool: string): ScopeChallengeHandler {
  return ({ request, authInfo }) => challenge(neededScopes(tool, request.params), identityOf(authInfo));
}

/** Refuses what only reads to those who may not read. */
export const readChallenge: ScopeChallengeHandler = ({ authInfo }) =>
  challenge(["read"], identityOf(authInfo));

/** Scopes that one call needs: approving a plan in answer to a question needs `approve` besides. */
function neededScopes(tool: string, params: Readonly<Record<string, unknown>> = {}): Scope[] {
  const args = params["arguments"];
  const inner = tool === CALLER_OF_OTHERS && typeof args === "object" && args !== null && "tool" in args &&
      typeof args.tool === "string"
    ? TOOL_SCOPES[args.tool]
    : undefined;
  const isAnswer = params["requestState"] !== undefined || params["inputResponses"] !== undefined;
  return [scopeOf(tool), ...(inner === undefined ? [] : [inner]), ...(isAnswer ? ["approve" as const] : [])];
}

function challenge(needed: readonly Scope[], identity: Identity | undefined) {
  if (identity === undefined || needed.every((scope) => identity.may(scope))) return undefined;
  // A client asks for exactly these, so what the token has already is among them.
  const [first, ...rest] = SCOPES.filter((scope) => needed.includes(scope) || identity.may(scope));
  const missing = needed.filter((scope) => !identity.may(scope)).join(" ");
  return { scopes: [first ?? "read", ...rest] as const, errorDescription: `This needs the scope ${missing}` };
}
