import { deepEqual, equal, match, ok, rejects } from "../../support/assert.ts";
import { comparePeriods, comparisonRows } from "../../../src/account/mod.ts";
import { figures } from "../../../src/store/mod.ts";
import { storedWorld } from "../jobs/stored_world.ts";

const BEFORE = { start: "2026-09-09", end: "2026-09-15" };
const AFTER = { start: "2026-09-16", end: "2026-09-22" };
/** Days whose orders are complete. */
const OLD_BEFORE = { start: "2026-08-26", end: "2026-09-01" };
const OLD_AFTER = { start: "2026-09-02", end: "2026-09-08" };

const near = (a: number, b: number, what: string): void =>
  ok(Math.abs(a - b) < 0.01, `${what}: ${a} and ${b}`);

Deno.test("a comparison adds up: totals to the stored rows, parts to the totals, shares to one", async () => {
  await using at = await storedWorld();
  const { world: { us }, store } = at;
  const { total, costBy, parts, currency, isPerDay } = await comparePeriods(us, {
    store,
    before: OLD_BEFORE,
    after: OLD_AFTER,
  });
  deepEqual([currency, isPerDay], ["USD", false]);
  const stored = async (days: typeof BEFORE): Promise<number> => {
    let sum = 0;
    for (const report of ["sp_campaigns", "sb_campaigns", "sd_campaigns"] as const) {
      for await (const row of store.rows(report, { profileId: us.profileId, ...days })) {
        sum += Number(row["cost"]);
      }
    }
    return sum;
  };
  near(total.before.cost, await stored(OLD_BEFORE), "cost before");
  near(total.after.cost, await stored(OLD_AFTER), "cost after");
  ok(total.change.cost !== 0);
  near(costBy.clicks + costBy.cpc, total.change.cost, "clicks and price are the whole change");
  for (const level of ["campaign", "keyword", "placement"] as const) {
    const list = parts[level]!;
    ok(list.length > 1, level);
    near(list.reduce((sum, { share }) => sum + (share.cost ?? 0), 0), 1, `shares by ${level}`);
    const sizes = list.map(({ change }) => Math.abs(change.cost));
    deepEqual(sizes, [...sizes].sort((a, b) => b - a), "what moved most comes first");
  }
  near(parts.campaign!.reduce((sum, { change }) => sum + change.sales!, 0), total.change.sales!, "sales");
  ok(parts.campaign!.some(({ share }) => (share.cost ?? 0) < 0), "some moved the other way");
  ok(parts.keyword!.every(({ campaignName, name }) => campaignName !== "" && name !== ""));
  const { before: { cost, sales, acos, clicks, cpc } } = parts.campaign![0]!;
  near(acos!, cost / sales, "acos");
  near(cpc!, cost / clicks, "cpc");
});

Deno.test("all campaigns are those of Display too, and sales that still come in tell no change", async () => {
  await using at = await storedWorld();
  const { world: { us }, store } = at;
  await store.sync(us, { reports: ["sp_campaigns", "sb_campaigns"], start: BEFORE.start, end: AFTER.end });
  const options = { store, before: BEFORE, after: AFTER, by: ["campaign"] as const };
  const without = await comparePeriods(us, { ...options, sync: false });
  deepEqual(without.products, ["sp", "sb"]);
  equal(comparisonRows(without, { limit: 1 })[0]?.name, "All of Products and Brands");
  match(without.notes.join("\n"), /Display is left out: its reports are not stored/);
  const whole = await comparePeriods(us, options);
  const [total] = comparisonRows(whole, { limit: 1 });
  equal(total?.name, "All campaigns");
  const { totals: [sums] } = await figures(store, { from: AFTER.start, to: AFTER.end, today: "2026-09-30" });
  near(whole.total.after.cost, sums?.cost ?? 0, "as figures have it");
  ok(whole.total.after.cost > without.total.after.cost);
  match(whole.notes.join("\n"), /Orders and sales cannot be compared yet/);
  deepEqual([whole.total.change.sales, total?.sales_before, total?.sales_change, total?.acos_before], [
    ...[null, null, null, null],
  ]);
});

Deno.test("periods of different lengths are compared by the day, and what had no row before had no cost", async () => {
  await using at = await storedWorld();
  const { world: { us }, store } = at;
  const fortnight = { start: "2026-09-02", end: "2026-09-15" };
  const by = ["campaign"] as const;
  const perDay = await comparePeriods(us, { store, before: fortnight, after: AFTER, by });
  const whole = await comparePeriods(us, { store, before: BEFORE, after: AFTER, by });
  equal(perDay.isPerDay, true);
  near(perDay.total.after.cost, whole.total.after.cost / 7, "an average of a day");
  deepEqual(Object.keys(perDay.parts), ["campaign"]);
  const { campaignId } = (await us.sp.campaigns.list())[0]!;
  const one = await comparePeriods(us, {
    store,
    before: BEFORE,
    after: AFTER,
    by,
    campaignIds: [campaignId],
  });
  deepEqual(one.parts.campaign!.map(({ id }) => id), [campaignId]);
  const none = await comparePeriods(us, { store, before: BEFORE, after: AFTER, by, campaignIds: [] });
  deepEqual([none.parts.campaign, none.total.after.cost, none.total.after.acos], [[], 0, null]);
});

Deno.test("days and breakdowns that make no sense are refused before anything is read", async () => {
  await using at = await storedWorld();
  const { world: { us }, store } = at;
  const options = { store, before: BEFORE, after: AFTER };
  await rejects(
    comparePeriods(us, { ...options, before: { start: "2026-09-02", end: "2026-09-01" } }),
    /is before/,
  );
  await rejects(
    comparePeriods(us, { ...options, after: { start: "2026-02-31", end: "2026-03-01" } }),
    RangeError,
  );
  await rejects(
    comparePeriods(us, { ...options, by: ["product" as "campaign"] }),
    /expected one or more of campaign/,
  );
  equal(at.world.emulator.requests().filter(({ path }) => path.includes("reporting")).length, 0);
  await rejects(comparePeriods(us, { ...options, sync: false }), /the store .* lacks campaigns/);
});

Deno.test("days that the platform no longer keeps are an error that names the first day to choose", async () => {
  await using at = await storedWorld();
  const { world: { us }, store } = at;
  const old = { start: "2026-07-20", end: "2026-07-26" };
  await rejects(
    comparePeriods(us, { store, before: old, after: AFTER, by: ["campaign"] }),
    /brands-campaigns from 2026-07-20 to 2026-07-26 could not be stored, because the platform no longer keeps these days. Choose days from 2026-\d\d-\d\d on$/,
  );
});
