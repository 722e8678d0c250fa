import type { KeptAlert } from "../../automation/watch/watch_state.ts";
import { readDay } from "../../base/time/moment.ts";
import { defineOperation } from "../model/operation.ts";

export interface AlertsContext {
  readonly profileId: string;
  readonly today: string;
  readonly place: string;
  /** Current time in epoch milliseconds, for checking if a snooze is over. */
  readonly now: number;
}

const MAX_ALERTS = 1000;

export const listAlerts = defineOperation<AlertsContext, readonly KeptAlert[]>()({
  name: "auto alerts",
  effect: "read",
  tool: "list_alerts",
  title: "List alerts",
  summary: "List the alerts of a profile, newest first",
  details: "Alerts of rules, pacing and scripts, with channels not reached yet.",
  brief:
    "Alerts for a profile on figures, late reports, outside changes and plans, newest first, with ids of " +
    "proposed plans. get_alert shows one with figures and advice.",
  examples: [
    { input: { state: ["open"] }, about: "list alerts that are neither closed nor, for now, snoozed" },
    { input: { severity: ["urgent", "warning"], since: "-7" }, about: "list those of a week that matter" },
  ],
  library: "await state.list({ profileId })",
  input: {
    since: { type: "day", help: "first day: YYYY-MM-DD, or -N (days before today)", brief: "first day" },
    severity: {
      type: "choices",
      choices: ["urgent", "warning", "note"],
      help: "only these severities: urgent, warning, note",
    },
    rule: { type: "text", help: "only alerts of this rule" },
    state: {
      type: "choices",
      choices: ["new", "seen", "snoozed", "closed", "open"],
      value: "states",
      isRare: true,
      help: "only alerts with these states: new, seen, snoozed, closed, or open",
    },
  },
  async run({ profileId, today, place, now }, { since, severity, rule, state: states }) {
    const { OPEN_MARKS, WatchState } = await import("../../automation/watch/watch_state.ts");
    const first = since === undefined ? "" : readDay(since, "since", today);
    const state = await WatchState.open(place);
    const marks = states?.flatMap((one) => one === "open" ? OPEN_MARKS : [one]);
    const alerts = await state.list({ profileId, limit: MAX_ALERTS, now, state: marks })
      .finally(() => state.close());
    return alerts.filter((alert) =>
      alert.day >= first && (severity?.includes(alert.severity) ?? true) &&
      (rule === undefined || alert.rule === rule)
    );
  },
});
