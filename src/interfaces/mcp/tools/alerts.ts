import * as z from "zod";
import { ConfigurationError } from "../../../errors.ts";
import { visibleText } from "../../../base/text/visible_text.ts";
import { ROW_ARGS, ROWS, takeRows } from "../tooling/rows.ts";
import type { Row } from "../calls/text_table.ts";
import { operationTool } from "../tooling/operation_tool.ts";
import type { ProfileClient } from "../../../client/profile_client.ts";
import type { InputOf } from "../../../operations/model/field.ts";
import { testRules } from "../../../operations/automation/test_rules.ts";
import { listAlerts, type ListedAlerts } from "../../../operations/reads/alerts.ts";
import { MARKET, type Tool, tool, type ToolCall } from "../tooling/tool.ts";

export const listAlertsTool: Tool = operationTool(listAlerts, {
  output: ROWS,
  sets: ["store"],
  more: ROW_ARGS,
  answer: async (profile, input, call, { limit, offset }) => {
    const listed = await alertsOf(profile, call, input);
    const rows = listed.alerts.map(({ id, day, severity, rule, title, planId }) => ({
      id,
      day,
      severity,
      rule,
      title,
      plan_id: planId,
    }));
    return await takeRows(rows, { noun: "alerts", limit, offset, notes: () => notesOf(listed) }, call);
  },
});

export const getAlert: Tool = tool({
  name: "get_alert",
  title: "Show an alert",
  description: "One alert in full: period, daily cost, figures, plans, advice and delivery.",
  input: z.strictObject({
    market: MARKET,
    id: z.string().regex(/^[0-9a-f]{12}$/, "Expected an id of list_alerts"),
  }),
  output: z.object({ alert: z.record(z.string(), z.unknown()) }),
  effect: "read",
  sets: ["store"],
  async run({ market, id }, call) {
    const { WatchState } = await import("../../../automation/watch/watch_state.ts");
    const { context: { store, now }, signal } = call;
    const { profileId: owner } = await call.context.profile(market, signal);
    const state = await WatchState.open(store!.place);
    const [alert] = await state.list({ profileId: owner, id, now: now() }).finally(() => state.close());
    if (alert === undefined) {
      throw new ConfigurationError(`Cannot find alert "${id}": list_alerts lists those of ${market}`);
    }
    const { profileId, countryCode, planId, ...others } = alert;
    const lines = [`${alert.severity.toUpperCase()} ${alert.title}`, ...alert.text.split("\n")];
    return {
      text: lines.map((line) => visibleText(line)).join("\n"),
      data: { alert: { ...others, profile_id: profileId, country_code: countryCode, plan_id: planId } },
    };
  },
});

export const watchRules: Tool = tool({
  name: "watch_rules",
  title: "Watch rules",
  description: "Rules that raised alerts for a profile, and how many are open.",
  input: z.strictObject({ market: MARKET, ...ROW_ARGS }),
  output: ROWS,
  effect: "read",
  sets: ["store"],
  async run({ market, limit, offset }, call) {
    const listed = await alertsOf(await call.context.profile(market, call.signal), call);
    const note =
      `Counts are of the newest ${listed.alerts.length} alerts: list_alerts has the others by rule`;
    const options = { noun: "rules", limit, offset, notes: () => listed.isCut ? [note] : [] };
    return await takeRows(await rulesOf(listed), options, call);
  },
});

export const testRulesTool: Tool = operationTool(testRules, {
  output: ROWS,
  sets: ["store"],
  more: ROW_ARGS,
  answer: async (profile, input, call, { limit, offset }) => {
    const { context, signal } = call;
    const tested = await context.store!.use((store) => testRules.run({ profile, store, signal }, input));
    const rows = tested.map(({ rule, over, alerts, days, unjudged, problem }): Row => ({
      rule,
      over,
      alerts: problem === null ? alerts.length : null,
      days: [...new Set(alerts.map(({ day }) => day))].slice(-10).join(", "),
      example: alerts.at(-1)?.title ?? "",
      judged_days: days,
      not_judged: problem ?? unjudged[0]?.why ?? "",
    }));
    return await takeRows(rows, { noun: "rules", limit, offset }, call);
  },
});

function notesOf(listed: ListedAlerts): readonly string[] {
  return listAlerts.lines?.(listed) ?? [];
}

async function rulesOf({ alerts }: ListedAlerts): Promise<Row[]> {
  const { OPEN_MARKS } = await import("../../../automation/watch/watch_state.ts");
  const byRule = Map.groupBy(alerts, ({ rule }) => rule);
  return [...byRule].map(([rule, own]) => ({
    rule,
    over: own[0]!.over,
    severity: own[0]!.severity,
    alerts: own.length,
    open: own.filter(({ mark }) => OPEN_MARKS.includes(mark.state)).length,
    last_day: own[0]!.day,
  }));
}

async function alertsOf(
  { profileId, reports: { today } }: ProfileClient,
  { context }: ToolCall,
  input: InputOf<typeof listAlerts.input> = {},
): Promise<ListedAlerts> {
  return await listAlerts.run({ profileId, today, place: context.store!.place, now: context.now() }, input);
}
