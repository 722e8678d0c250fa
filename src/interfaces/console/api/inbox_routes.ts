import { bySeverity } from "../../../automation/watch/alert.ts";
import { alertDays } from "../../../automation/watch/alert_figures.ts";
import { type KeptAlert, WatchState } from "../../../automation/watch/watch_state.ts";
import type { ConsoleContext } from "../http/console_context.ts";
import { ensureStore, hasStore, withState, withStore } from "../http/open_store.ts";
import { spendWeight } from "../../../base/markets/market_limits.ts";
import { addDays, dayIn } from "../../../base/time/calendar.ts";
import { decimalsOf, marketOf, timeZoneOf } from "../../../base/markets/markets.ts";
import { ATTRIBUTION_DAYS } from "../../../store/figures/immature_note.ts";
import type { InputOf } from "../../../operations/model/field.ts";
import { listAlerts, type ListedAlerts } from "../../../operations/reads/alerts.ts";
import { jsonInput } from "../../../operations/model/field_schema.ts";
import { markAlerts, missingAlertsText } from "../../../operations/automation/mark_alerts.ts";
import { describedRoute } from "../http/operation_route.ts";
import { ApiProblem, refusingBadInput } from "../http/responses.ts";
import type { ApiCall, Route } from "../http/route.ts";

/** Open alerts that require action; notes are only for information. */
export const NEEDS_WORK: InputOf<typeof listAlerts.input> = {
  state: ["open"],
  severity: ["urgent", "warning"],
};

export const INBOX_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/api/alerts",
    about: "Lists the alerts of all stored profiles, newest first, with their state",
    gives:
      "`alerts`, each with a `mark`: new, seen, snoozed or closed, the names and ids that it is `about`, and the cost of a day of that (`cost_a_day`; null if unknown); `notes` if there are more",
    run: async ({ context }) => {
      // A thousand newer notes must not hide what has to be done.
      const listed = [await listedAlerts(context, NEEDS_WORK), await listedAlerts(context)];
      const alerts = new Map(listed.flatMap(({ alerts }) => alerts).map((alert) => [alert.id, alert]));
      return {
        alerts: [...alerts.values()].toSorted((a, b) => b.at.localeCompare(a.at)).map((
          { facts, ...alert },
        ) => ({
          ...alert,
          ...costOf({ facts, ...alert }),
          about: aboutOf(facts),
        })),
        notes: listed.some(({ isCut }) => isCut)
          ? ["Only the newest alerts are here: adsctl auto alerts --since lists those of other days"]
          : [],
        now: new Date(context.now()).toISOString(),
      };
    },
  },
  {
    method: "GET",
    path: "/api/alerts/:id",
    about: "Returns one alert, with figures by day",
    gives: "`alert`, `days` with clicks, cost, orders and sales of four weeks up to its day, `immature_from`",
    run: async (call) => {
      const alert = await found(call);
      return {
        alert: { ...alert, ...costOf(alert), about: aboutOf(alert.facts) },
        time_zone: timeZoneOf({ countryCode: alert.countryCode }),
        days: await withStore(call.context, (store) => alertDays(alert, store)),
        immature_from: addDays(alert.at.slice(0, 10), -ATTRIBUTION_DAYS),
      };
    },
  },
  {
    ...describedRoute(markAlerts, "/api/alerts/mark"),
    gives: "`marked` and `missing` ids",
    changes: true,
    run: async ({ context, body }) => {
      const input = await refusingBadInput(() => jsonInput(markAlerts, body));
      // A store that does not exist is not made by marking.
      ensureStore(context);
      const at = { place: context.storePlace, now: context.now(), by: "a person in the console" };
      const result = await markAlerts.run(at, input);
      const { marked, missing } = result;
      if (marked.length === 0) throw new ApiProblem(404, "NO_ALERT", missingAlertsText(result, at.place));
      context.events.send({ event: "plan", data: { id: "" } });
      return { marked, missing };
    },
  },
];

/** Daily cost behind an alert, with its currency; `null` if the alert's rule uses no figures. */
export function costOf(
  { facts, countryCode }: Pick<KeptAlert, "facts" | "countryCode">,
): {
  readonly cost_a_day: number | null;
  /** Cost made comparable across currencies, for sorting only. */
  readonly weight: number;
  readonly currency: string | null;
  readonly decimals: number;
} {
  const { cost_a_day: cost } = facts;
  const known = typeof cost === "number" ? cost : null;
  return {
    cost_a_day: known,
    weight: spendWeight(known ?? 0, countryCode),
    currency: marketOf(countryCode)?.currency ?? null,
    decimals: decimalsOf(countryCode),
  };
}

function aboutOf(facts: KeptAlert["facts"]): Record<string, string | null> {
  const names = ["campaign_id", "campaign", "ad_group_id", "ad_group", "keyword_id", "search_term"];
  return Object.fromEntries(
    names.map((name) => [name, facts[name] === undefined ? null : String(facts[name])]),
  );
}

async function found({ context, params }: ApiCall): Promise<KeptAlert> {
  const [alert] = !hasStore(context) ? [] : await withState(
    () => WatchState.open(context.storePlace),
    (state) => state.list({ id: params["id"] ?? "", now: context.now() }),
  );
  if (alert !== undefined) return alert;
  throw new ApiProblem(
    404,
    "NO_ALERT",
    `There is no alert "${params["id"]}" among those of the stored profiles`,
  );
}

export async function listedAlerts(
  context: ConsoleContext,
  input: InputOf<typeof listAlerts.input> = {},
): Promise<ListedAlerts> {
  if (!hasStore(context)) return { alerts: [], isCut: false };
  const now = context.now();
  const at = { place: context.storePlace, today: dayIn("UTC", now), now };
  return await listAlerts.run(at, input);
}

/** Sorts alerts by severity, urgent ones first, and then by descending cost. */
export function byUrgency(a: KeptAlert, b: KeptAlert): number {
  return bySeverity(a, b) || costOf(b).weight - costOf(a).weight;
}
