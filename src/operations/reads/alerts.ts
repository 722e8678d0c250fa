import type { KeptAlert } from "../../automation/watch/watch_state.ts";
import { readDay } from "../../base/time/moment.ts";
import { defineOperation } from "../model/operation.ts";

export interface AlertsContext {
  /** Absent for all stored profiles. */
  readonly profileId?: string;
  readonly today: string;
  readonly place: string;
  /** Current time in epoch milliseconds, for checking if a snooze is over. */
  readonly now: number;
}

export interface ListedAlerts {
  /** Newest first. */
  readonly alerts: readonly KeptAlert[];
  /** True if there are more. */
  readonly isCut: boolean;
}

const MAX_ALERTS = 1000;

export const listAlerts = defineOperation<AlertsContext, ListedAlerts>()({
  name: "auto alerts",
  effect: "read",
  tool: "list_alerts",
  title: "List alerts",
  summary: "List the alerts of a profile, newest first",
  details: "Alerts of rules, pacing and scripts, with channels not reached yet.",
  brief:
    "Alerts for a profile on figures, late reports, outside changes and plans, newest first, with ids of " +
    "proposed plans. get_alert shows one in full.",
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
    const first = since === undefined ? undefined : readDay(since, "since", today);
    const marks = states?.flatMap((one) => one === "open" ? OPEN_MARKS : [one]);
    const state = await WatchState.open(place);
    const alerts = await state
      .list({ profileId, since: first, severity, rule, state: marks, limit: MAX_ALERTS + 1, now })
      .finally(() => state.close());
    return { alerts: alerts.slice(0, MAX_ALERTS), isCut: alerts.length > MAX_ALERTS };
  },
  lines: ({ isCut }) =>
    isCut
      ? [`Only the newest ${MAX_ALERTS} alerts are here: choose a severity, a rule or a first day for others`]
      : [],
});
