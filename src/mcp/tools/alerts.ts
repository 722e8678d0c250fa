import * as z from "zod";
import { ConfigurationError } from "../../errors.ts";
import { visibleText } from "../../internal/visible_text.ts";
import type { KeptAlert } from "../../watch/watch_state.ts";
import { lazyImport } from "../lazy_import.ts";
import { ROW_ARGS, ROWS, takeRows } from "../results/rows.ts";
import { MARKET, type Tool, tool, type ToolCall } from "../calls/tool.ts";

/** Alerts that are looked through, newest first. */
const MAX_ALERTS = 1000;

/** Tool for the alerts of a profile. */
export const listAlerts: Tool = tool({
  name: "list_alerts",
  title: "List alerts",
  description:
    "Alerts that rules over figures, late reports, changes of others and plans have raised for a profile, newest first, " +
    "with the proposed plan's id. get_alert gives figures and advice of one.",
  input: z.strictObject({
    market: MARKET,
    since: z.iso.date().optional().describe("first day"),
    severity: z.array(z.enum(["urgent", "warning", "note"])).optional(),
    rule: z.string().optional(),
    ...ROW_ARGS,
  }),
  output: ROWS,
  hints: { readOnlyHint: true, openWorldHint: true },
  async run({ market, since = "", severity, rule, limit, offset }, call) {
    const alerts = (await alertsOf(market, call)).filter((alert) =>
      alert.day >= since && (severity?.includes(alert.severity) ?? true) &&
      (rule === undefined || alert.rule === rule)
    );
    const rows = alerts.map(({ id, day, severity, rule, title, planId }) => ({
      id,
      day,
      severity,
      rule,
      title,
      plan_id: planId,
    }));
    return await takeRows(rows, { noun: "alerts", limit, offset }, call);
  },
});

/** Tool for one alert, with everything that is known of it. */
export const getAlert: Tool = tool({
  name: "get_alert",
  title: "Show an alert",
  description:
    "One alert whole: the days that were seen, the cost a day, figures, plans applied before it, advice, and which " +
    "channels have it.",
  input: z.strictObject({
    market: MARKET,
    id: z.string().regex(/^[0-9a-f]{12}$/, "Expected an id of list_alerts"),
  }),
  output: z.object({ alert: z.record(z.string(), z.unknown()) }),
  hints: { readOnlyHint: true, openWorldHint: true },
  async run({ market, id }, call) {
    const alert = (await alertsOf(market, call)).find((one) => one.id === id);
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

async function alertsOf(market: string, { context, signal }: ToolCall): Promise<KeptAlert[]> {
  const { profileId } = await context.profile(market, signal);
  // Makes the store first, where the server has one that nothing was stored in yet.
  await context.store!.warehouse();
  const { WatchState } = await lazyImport<typeof import("../../watch/watch_state.ts")>(
    "../watch/watch_state",
  );
  const state = await WatchState.open(context.store!.place);
  try {
    return await state.list({ profileId, limit: MAX_ALERTS });
  } finally {
    await state.close();
  }
}
