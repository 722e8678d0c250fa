/**
 * Watches an account: rules on stored figures, late reports, outside changes and plans, the alerts they raise, and the
 * channels that deliver the alerts.
 *
 * @module
 */

export type { Alert } from "./alert.ts";
export { type DeadRule, deadRules } from "./dead_rules.ts";
export type { FindOptions } from "./find_alerts.ts";
export type { TimerRun } from "./live_facts.ts";
export { type Replay, replayRule } from "./replay_rule.ts";
export { READY_RULES } from "./ready_rules.ts";
export { runWatch, type WatchOptions, type WatchResult } from "./run_watch.ts";
export {
  type AlertSeverity,
  loadWatch,
  parseWatch,
  type WatchChannel,
  type WatchFile,
  type WatchJob,
  type WatchProposal,
  type WatchRule,
} from "./watch_file.ts";
export type { OpenFacts } from "../../plans/policy/only_rises.ts";
export type { WatchCondition, WatchFigure, WatchOver } from "./watch_names.ts";
export {
  type AlertMark,
  type AlertMarking,
  type AlertMarkState,
  type KeptAlert,
  type RaisedAlert,
  type WaitingAlert,
  WatchState,
} from "./watch_state.ts";
