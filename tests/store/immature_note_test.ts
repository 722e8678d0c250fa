import { test } from "node:test";
import { deepEqual, match } from "../support/assert.ts";
import { immatureNote } from "../../src/store/figures/immature_note.ts";
import { Warehouse } from "../../src/store/warehouse/warehouse.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const TODAY = "2026-09-03";
const NOW = Date.parse("2026-09-03T12:00:00Z");

test("a result with young days says how much of their sales is still to come", async () => {
  const folder = await temporaryFolder();
  let now = NOW;
  const store = await Warehouse.open(folder.file("ads.sqlite"), { now: () => now });
  const stored = async (day: string, age: number, sales: number): Promise<void> => {
    now = Date.parse(`${day}T12:00:00Z`) + age * 86_400_000;
    const row = { date: day, campaignId: "1", sales14d: sales };
    const what = { profileId: "1", countryCode: "US", report: "sp_campaigns", start: day, end: day };
    await store.replace(what, [row]);
  };
  const note = async (...days: string[]): Promise<string[]> =>
    await immatureNote({ rows: days.map((date) => ({ date, sales14d: 1 })) }, store, { today: TODAY });
  const summed = async (sql: string, params: readonly unknown[] = []): Promise<string[]> =>
    await immatureNote({ rows: [{ acos: 0.3 }], statement: { sql, params } }, store, { today: TODAY });
  try {
    await stored("2026-09-01", 1, 6);
    await stored("2026-08-25", 9, 6);
    deepEqual(await note("2026-09-01"), [
      "Days after 2026-08-20 are immature: orders are attributed for 14 days after a click, and figures are restated " +
      "for 42 days",
    ]);
    await stored("2026-07-01", 1, 60);
    await stored("2026-07-01", 9, 100);
    now = NOW;
    await store.judgeMaturity();
    deepEqual(await note("2026-09-01", "2026-08-25"), [
      "Immature: share of sales still to come, estimated from the final days of this store: " +
      "2026-09-01 40 %",
    ]);
    deepEqual(await note("2026-08-25"), [], "nothing more is to come of a day at this age");
    deepEqual(await note("2026-07-01"), []);

    const sums = "SELECT sum(cost) / sum(sales14d) AS acos FROM sp_campaigns";
    const [line = ""] = await summed(sums);
    match(line, /^Immature \(where included\): .*: 2026-09-01 40 %$/);
    deepEqual(await summed(`${sums} WHERE date >= '2026-08-01'`), [line], "without an end it reaches today");
    deepEqual(await summed(`${sums} WHERE date BETWEEN ? AND ?`, ["2026-08-01", "2026-09-02"]), [line]);
    deepEqual(await summed(`${sums} WHERE date <= '2026-08-31'`), []);
    deepEqual(await summed(`${sums} WHERE date < ?`, ["2026-08-31"]), []);
    const ofOther = "SELECT sum(sales14d) AS sales FROM sp_targeting";
    match((await summed(ofOther)).join(), /^Days after 2026-08-20 are immature \(where included\):/);
    const at = { today: TODAY };
    const clicks = { sql: "SELECT sum(clicks) AS clicks FROM sp_campaigns", params: [] };
    deepEqual(await immatureNote({ rows: [{ clicks: 1 }], statement: clicks }, store, at), [], "no sales");
    const week = { days: { start: "2026-08-28", end: "2026-09-02" } };
    deepEqual(await immatureNote(week, store, at), await note("2026-09-01"));
    match((await immatureNote(week, undefined, at)).join(), /^Days after 2026-08-20 are immature:/);
    deepEqual(await immatureNote({ days: { start: "2026-07-01", end: "2026-08-20" } }, undefined, at), []);
    deepEqual(await immatureNote(week, undefined, { ...at, asOf: "2026-11-01T00:00:00Z" }), []);
  } finally {
    await store.close();
    await folder.remove();
  }
});
