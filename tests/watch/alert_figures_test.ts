import { alertCosts, alertDays } from "../../src/automation/watch/alert_figures.ts";
import { Warehouse } from "../../src/store/mod.ts";
import { deepEqual, equal } from "../support/assert.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const DAY = "2026-11-20";
const ROW = { date: "2026-11-19", impressions: 100, clicks: 10, purchases14d: 2, sales14d: 40 };

Deno.test("the days behind an alert are those of its campaign, and a day that is not stored is not free", async () => {
  const folder = await temporaryFolder();
  const store = await Warehouse.open(folder.file("ads.sqlite"), { now: () => Date.parse("2026-11-23") });
  try {
    const report = { profileId: "1", countryCode: "US", report: "sp_campaigns" } as const;
    await store.replace({ ...report, start: "2026-11-18", end: DAY }, [
      { ...ROW, campaignId: "7", campaignName: "C", cost: 10 },
      { ...ROW, campaignId: "8", campaignName: "D", cost: 1 },
    ]);
    const alert = { over: "campaign", facts: { campaign_id: "7" }, profileId: "1", day: DAY } as const;
    deepEqual(await alertDays(alert, store), [
      { date: "2026-11-19", clicks: 10, cost: 10, orders: 2, sales: 40 },
    ]);
    const costs = await alertCosts(alert, store);
    deepEqual([costs?.from, costs?.to, costs?.costs.length], ["2026-11-07", DAY, 14]);
    deepEqual(costs?.costs.slice(-4), [undefined, 0, 10, 0]);
    for (const other of [{ ...alert, facts: {} }, { ...alert, over: "pacing" as const }]) {
      equal(await alertDays(other, store), null);
      equal(await alertCosts(other, store), undefined);
    }
  } finally {
    await store.close();
    await folder.remove();
  }
});
