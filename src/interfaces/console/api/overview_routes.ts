import { outOfBudget } from "../../../account/jobs/budget_pressure.ts";
import { addDays, dayIn } from "../../../base/time/calendar.ts";
import { timeZoneOf } from "../../../base/markets/markets.ts";
import { ScheduleState } from "../../../automation/schedules/schedule_state.ts";
import type { Coverage } from "../../../store/model/coverage.ts";
import type { Warehouse } from "../../../store/warehouse/warehouse.ts";
import type { KeptAlert } from "../../../automation/watch/watch_state.ts";
import type { ConsoleContext } from "../http/console_context.ts";
import type { Route } from "../http/route.ts";
import { listPlans } from "../plans/list_plans.ts";
import type { PlanSummary } from "../plans/plan_summary.ts";
import { byUrgency, costOf, listedAlerts, NEEDS_WORK } from "./inbox_routes.ts";
import { marketFigures } from "../../../store/figures/market_figures.ts";
import { expiresSoon } from "../../../operations/reads/store_coverage.ts";
import { hasStore, withState, withStore } from "../http/open_store.ts";
import { begunExperiments } from "./experiment_routes.ts";

const NAMED = 5;

export const OVERVIEW_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/api/overview",
    about:
      "Sums up items that need attention, recent events, and figures of 7 and 30 days of each stored profile",
    gives:
      "`markets`, one for each profile, with figures by day, sums and sums before, and the products that are stored for other days `apart`; `plans` by state, `waiting` plans, `alerts`, `expiring` and incomplete reports (`gaps`), campaigns that run `out_of_budget`, values that schedules leave alone (`kept`), `experiments` that ended, `events`, `consent_days`",
    run: async ({ context }) => await overview(context),
  },
  {
    method: "GET",
    path: "/api/counts",
    about: "Counts open items",
    gives: "`plans` that are waiting or interrupted, open `alerts` without notes",
    run: async ({ context }) => ({
      plans: (await listPlans(context)).filter(waits).length,
      alerts: (await listedAlerts(context, NEEDS_WORK)).alerts.length,
    }),
  },
];

function waits({ next }: PlanSummary): boolean {
  return next === "apply" || next === "resume";
}

async function overview(context: ConsoleContext): Promise<unknown> {
  const plans = await listPlans(context);
  const waiting = plans.filter(waits);
  const asking = waiting.filter((plan) => ["approve", "deny"].includes(String(plan["highest_finding"])));
  const counts = Map.groupBy(plans, ({ state }) => state);
  const alerts = (await listedAlerts(context, NEEDS_WORK)).alerts.toSorted(byUrgency);
  const common = {
    plans: Object.fromEntries([...counts].map(([state, members]) => [state, members.length])),
    asking: asking.length,
    waiting: waiting.slice(0, NAMED),
    consent_days: context.ads.daysUntilExpiry ?? null,
    alerts: {
      count: alerts.length,
      first: alerts.slice(0, NAMED).map((one) => ({ ...one, ...costOf(one) })),
    },
    experiments: await endedExperiments(context),
    events: eventsOf(plans, alerts),
  };
  if (!hasStore(context)) {
    return { ...common, store: false, markets: [], gaps: [], expiring: [], out_of_budget: [], kept: [] };
  }
  return await withStore(context, async (store) => {
    const coverage = await store.coverage();
    return {
      ...common,
      store: true,
      gaps: coverage.filter((line) => line.gaps.length > 0),
      expiring: coverage.filter((line) => expiresSoon(line, context.now())),
      out_of_budget: (await outOfBudget(store, context.now())).map((one) => ({
        ...one,
        ...costOf({ facts: { cost_a_day: one.cost_a_day }, countryCode: one.country_code }),
      })),
      kept: await keptBack(coverage, context.storePlace),
      ...await markets(store, { coverage, now: context.now() }),
    };
  });
}

/** Returns figures by market, or the reason why there are none: a file may hold only one sum for many days. */
async function markets(store: Warehouse, request: Parameters<typeof marketFigures>[1]): Promise<object> {
  try {
    return { markets: await marketFigures(store, request) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { markets: [], markets_problem: error.message };
  }
}

async function keptBack(coverage: readonly Coverage[], place: string): Promise<unknown> {
  const profiles = new Map(coverage.map(({ profileId, countryCode }) => [profileId, countryCode]));
  return await withState(() => ScheduleState.open(place), async (state) => {
    const found = [];
    for (const [profileId, countryCode] of profiles) {
      const kept = (await state.bases(profileId)).filter((base) => base.kept !== null);
      const [first] = kept;
      if (first === undefined) continue;
      found.push({
        profile_id: profileId,
        country_code: countryCode,
        count: kept.length,
        schedule: first.schedule,
      });
    }
    return found;
  });
}

async function endedExperiments(context: ConsoleContext): Promise<unknown> {
  const today = dayIn("UTC", context.now());
  const { plans } = await begunExperiments(context);
  return plans.filter(({ state, until }) => state === "ended" && until >= addDays(today, -14))
    .map(({ planId, note, countryCode, rollout, until }) => ({
      plan_id: planId,
      note,
      country_code: rollout === null ? countryCode : null,
      until,
    }));
}

function eventsOf(plans: readonly PlanSummary[], alerts: readonly KeptAlert[]): unknown {
  const events = [
    ...plans.flatMap((plan) =>
      [
        { at: plan["created_at"], what: "made", plan },
        ...(plan["changed_at"] === undefined ? [] : [{ at: plan["changed_at"], what: plan.state, plan }]),
      ].map(({ at, what }) => ({
        at: String(at),
        what,
        id: plan.id,
        title: plan["note"] ?? `Plan ${plan.id}`,
        maker: plan["maker"],
        country_code: plan["country_code"],
        time_zone: plan["time_zone"],
        changes: plan["changes"],
      }))
    ),
    ...alerts.map(({ at, id, title, countryCode }) => ({
      at,
      what: "alert",
      id,
      title,
      country_code: countryCode,
      time_zone: timeZoneOf({ countryCode }),
    })),
  ];
  return events.sort((a, b) => a.at < b.at ? 1 : a.at > b.at ? -1 : 0).slice(0, 8);
}
