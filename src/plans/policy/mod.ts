/**
 * Policy as code: one file of rules that judges every write before it is sent.
 *
 * @module
 */

export { loadPolicy, type LoadPolicyOptions } from "./load_policy.ts";
export { parsePolicy } from "./parse_policy.ts";
export type { LastChanges } from "../model/amount_changes.ts";
export type { Policy, PolicyContext, PolicyRuleName, PolicySources } from "./policy.ts";
export type {
  DayEntry,
  DayLedger,
  EndReservation,
  LedgerAttempt,
  Reservation,
  SentPlan,
  SentWrite,
} from "../state/day_ledger.ts";
export { FolderLedger } from "./folder_ledger.ts";
export type { DayField, DayTotals, FirstValue, WriteTotals } from "../state/day_totals.ts";
export { type PolicyTestResult, testPolicy } from "./test_policy.ts";
export { type AccountFigures, suggestPolicy } from "./suggest_policy.ts";
