import { dayIn } from "../../internal/calendar.ts";
import { timeZoneOf } from "../../markets.ts";
import type { Route } from "../http/route.ts";
import { listPlans } from "../plans/list_plans.ts";
import { hasStore, withStore } from "../store/open_store.ts";
import { spendByDay } from "../store/spend_by_day.ts";

const DAYS = 30;

/** Route for the first page. */
export const OVERVIEW_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/api/overview",
    about: "Sums up what needs attention, and spend and sales of 30 days of each stored profile",
    gives:
      "`plans` by state, `asking` plans, `consent_days`, `gaps` of the store, reports whose oldest missing days are `expiring` today, `spend` by profile and day",
    run: async ({ context }) => {
      const plans = await listPlans(context);
      const waiting = plans.filter(({ state }) => state === "waiting" || state === "unfinished");
      const asking = waiting.filter((plan) => ["approve", "deny"].includes(String(plan["highest_finding"])));
      const counts = Map.groupBy(plans, ({ state }) => state);
      const common = {
        plans: Object.fromEntries([...counts].map(([state, members]) => [state, members.length])),
        asking: asking.length,
        waiting: waiting.slice(0, 10),
        consent_days: context.ads.daysUntilExpiry ?? null,
      };
      if (!hasStore(context)) return { ...common, store: false, gaps: [], expiring: [], spend: [] };
      return await withStore(context, async (store) => {
        const coverage = await store.coverage();
        const gaps = coverage.filter((line) => line.gaps.length > 0 || line.available.length > 0);
        const expiring = coverage.filter(({ countryCode, fetchBy }) =>
          fetchBy !== null && fetchBy <= dayIn(timeZoneOf({ countryCode }), context.now())
        );
        const spend = await spendByDay(store, { coverage, days: DAYS, now: context.now() });
        return { ...common, store: true, gaps, expiring, spend };
      });
    },
  },
];
