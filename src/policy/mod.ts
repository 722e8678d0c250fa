/**
 * Policy as code: one file of rules that judges every write before it is sent.
 *
 * @module
 */

export { loadPolicy, type LoadPolicyOptions } from "./load_policy.ts";
export { parsePolicy } from "./parse_policy.ts";
export type { Policy, PolicyContext, PolicyRuleName, PolicySources } from "./policy.ts";
export { type DayEntry, type DayLedger, type FirstValue, FolderLedger } from "./day_ledger.ts";
export type { DayTotals, WriteTotals } from "./day_totals.ts";
export { type PolicyTestResult, testPolicy } from "./test_policy.ts";
export { type AccountFigures, suggestPolicy } from "./suggest_policy.ts";
