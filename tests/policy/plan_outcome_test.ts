import { deepEqual, equal, rejects } from "../support/assert.ts";
import { ChangePlan } from "../../mod.ts";
import { addDays } from "../../src/base/time/calendar.ts";
import type { AppliedRecord } from "../../src/plans/store/applied_record.ts";
import { planOutcome } from "../../src/store/figures/plan_outcome.ts";
import { Warehouse } from "../../src/store/warehouse/warehouse.ts";

const PROFILE = { profileId: "1001", countryCode: "US" } as const;
const APPLIED = "2026-11-08T20:00:00Z";
const DAY = "2026-11-08";

/** A store in which a campaign spends 10 a day, then 16, and a keyword in it 1, then 4. */
async function withStore(step: (store: Warehouse) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  const store = await Warehouse.open(`${folder}/ads.sqlite`);
  const days = Array.from({ length: 21 }, (_, at) => addDays(DAY, at - 10));
  const figures = (cost: number) => ({
    impressions: 100,
    clicks: 2,
    cost,
    sales14d: 2 * cost,
    purchases14d: 1,
  });
  const range = { start: days[0]!, end: days.at(-1)! };
  try {
    await store.replace(
      { ...PROFILE, report: "sp_campaigns", ...range },
      days.map((date) => ({ date, campaignId: "5", ...figures(date > DAY ? 16 : 10) })),
    );
    await store.replace(
      { ...PROFILE, report: "sp_targeting", ...range },
      days.map((date) => ({ date, adGroupId: "6", keywordId: "9", ...figures(date > DAY ? 4 : 1) })),
    );
    await step(store);
  } finally {
    await store.close();
    await Deno.remove(folder, { recursive: true });
  }
}

const BID = {
  kind: "sp.keywords",
  op: "update",
  id: "9",
  before: { bid: 1 },
  after: { bid: 2 },
  label: "shoes",
  campaignId: "5",
} as const;
const BUDGET = {
  kind: "sp.campaigns",
  op: "update",
  id: "5",
  before: { budget: { budget: 10, budgetType: "DAILY" } },
  after: { budget: { budget: 20, budgetType: "DAILY" } },
  label: "Campaign",
} as const;

function planOf(changes: readonly (typeof BID | typeof BUDGET)[], low: number, high: number): ChangePlan {
  const money = { currency: "USD", perDay: { low, high }, known: changes.length, unknown: 0, basis: [] };
  return new ChangePlan({ ...PROFILE, changes, money });
}

function applied(plan: ChangePlan, outcome: "done" | "refused" = "done"): AppliedRecord {
  const changes = plan.changes.map(({ id }) => ({ id, outcome }));
  return { appliedAt: APPLIED, ok: true, summary: "", changes, override: undefined };
}

const now = Date.parse("2026-11-19T12:00:00Z");

Deno.test("a keyword is compared over as many days on both sides, without the day of the application", () =>
  withStore(async (store) => {
    const plan = planOf([BID], 0, 3.5);
    const outcome = await planOutcome(store, { plan, applied: applied(plan), now, days: 7 });
    deepEqual(outcome.before, { start: "2026-11-01", end: "2026-11-07" });
    deepEqual(outcome.after, { start: "2026-11-09", end: "2026-11-15" });
    deepEqual(outcome.immature, { from: "2026-11-09", days: 7 });
    const [{ before, after }] = outcome.changes as [typeof outcome.changes[number]];
    deepEqual([before?.cost, before?.cost_per_day, before?.acos], [7, 1, 0.5]);
    deepEqual([after?.cost, after?.clicks, after?.orders], [28, 14, 7]);
    deepEqual([outcome.estimate?.actual, outcome.estimate?.verdict], [3, "within"]);
  }));

Deno.test("days are mature once orders can no longer be attributed to them", () =>
  withStore(async (store) => {
    const plan = planOf([BID], 0, 3.5);
    const at = async (day: string) => {
      const later = { plan, applied: applied(plan), now: Date.parse(`${day}T20:00:00Z`), days: 7 };
      return (await planOutcome(store, later)).immature;
    };
    deepEqual(await at("2026-11-26"), { from: "2026-11-12", days: 4 });
    deepEqual(await at("2026-12-15"), { from: null, days: 0 });
  }));

Deno.test("the spend of what is in a changed campaign is counted once, and a range that was missed is named", () =>
  withStore(async (store) => {
    const verdict = async (low: number, high: number) => {
      const plan = planOf([BID, BUDGET], low, high);
      const { estimate } = await planOutcome(store, { plan, applied: applied(plan), now, days: 7 });
      return [estimate?.actual, estimate?.measured, estimate?.verdict];
    };
    deepEqual(await verdict(0, 10), [6, 1, "within"]);
    deepEqual(await verdict(0, 5), [6, 1, "above"]);
    deepEqual(await verdict(7, 10), [6, 1, "below"]);
  }));

Deno.test("what is not stored is unknown and not 0, and what was refused is not measured", () =>
  withStore(async (store) => {
    const plan = planOf([BID], 0, 1);
    const late = { plan, applied: applied(plan), now: Date.parse("2026-12-24T12:00:00Z"), days: 30 };
    const { changes, estimate } = await planOutcome(store, late);
    deepEqual([changes[0]?.before, changes[0]?.after, estimate?.verdict], [null, null, "unknown"]);
    const refused = await planOutcome(store, { plan, applied: applied(plan, "refused"), now, days: 7 });
    deepEqual([refused.estimate?.measured, refused.estimate?.actual], [0, null]);
  }));

Deno.test("before a complete day has passed nothing is compared, and what to do is said", () =>
  withStore(async (store) => {
    const plan = planOf([BID], 0, 1);
    const early = { plan, applied: applied(plan), now: Date.parse("2026-11-09T20:00:00Z") };
    await rejects(planOutcome(store, early), /applied on 2026-11-08, and no complete day has passed/);
    equal((await planOutcome(store, { ...early, now: Date.parse("2026-11-10T20:00:00Z") })).days, 1);
  }));
