import assert from "node:assert/strict";
import type { ReportRow } from "../../../src/client/reports/file/report_row.ts";
import type { Cell } from "../../../src/store/model/encode_rows.ts";
import { reportLayout } from "../../../src/store/model/report_layout.ts";
import type { CoverageFilter, PullRecord, StoredDay } from "../../../src/store/model/store_driver.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import { type AddTest, all, daily, days, DE, T0, US } from "./ground.ts";

/** Rows and coverage tell what is stored. */
export function looking(it: AddTest): void {
  it("rows() narrows by country, profile and days, and a country is found by either spelling", async ({ store }) => {
    const UK = { profileId: "3003", countryCode: "GB" };
    for (const who of [US, DE, UK]) {
      const range: [string, string] = ["2026-09-01", "2026-09-03"];
      await store.replace({ ...who, report: "sp_placement", ...days(...range) }, daily(range, {}));
    }
    const count = async (filter: Parameters<Warehouse["rows"]>[1]): Promise<number> =>
      (await all(store, "sp_placement", filter)).length;
    assert.equal(await count({}), 9);
    assert.equal(await count({ countryCode: "US" }), 3);
    assert.equal(await count({ countryCode: "uk" }), 3);
    assert.equal(await count({ countryCode: "GB", start: "2026-09-02" }), 2);
    assert.equal(await count({ profileId: "2002", end: "2026-09-01" }), 1);
    assert.equal(await count({ start: "2026-09-02", end: "2026-09-02" }), 3);
    assert.equal(await count({ countryCode: "FR" }), 0);
    assert.equal(await count({ countryCode: "US", profileId: "2002" }), 0);
    assert.equal((await all(store, "sp_placement", { countryCode: "UK" }))[0]!.country_code, "UK");
  });

  it("rows() gives what was there when it began, whatever is written meanwhile", async ({ store }) => {
    const what = { ...US, report: "sp_placement", ...days("2026-09-01") };
    const rows = (cost: number): ReportRow[] =>
      Array.from({ length: 50 }, (_, i) => ({ date: "2026-09-01", campaignId: `${i}`, cost }));
    await store.replace(what, rows(1));
    const costs: unknown[] = [];
    for await (const row of store.rows("sp_placement")) {
      if (costs.length === 0) await store.replace(what, rows(2));
      costs.push(row.cost);
    }
    assert.deepEqual(costs, Array(50).fill(1));
    for await (const row of store.rows("sp_placement")) {
      assert.equal(row.cost, 2);
      break;
    }
    await store.replace(what, rows(3));
  });

  it("coverage() tells first and last day, rows, last pull and gaps", async ({ driver, store }) => {
    assert.deepEqual(await store.coverage(), []);
    const later = new Warehouse(driver, { now: () => T0 + 1000 });
    await store.replace(
      { ...US, report: "sp_placement", ...days("2026-08-30", "2026-09-02") },
      daily(["2026-09-01"], {}),
    );
    await later.replace({ ...US, report: "sp_placement", ...days("2026-09-05") }, []);
    await store.replace({ ...US, report: "sp_placement", ...days("2026-09-07") }, daily(["2026-09-07"], {}));
    await store.replace({ ...US, report: "sb_campaigns", ...days("2026-09-07") }, []);
    await store.replace({ ...DE, report: "sp_placement", ...days("2024-02-28", "2024-03-01") }, []);
    const at = "2026-09-30T12:00:00.000Z";
    const line = { days: 1, rows: 0, lastPull: at, fromReporting1: 0, gaps: [] };
    const coverage = await store.coverage();
    assert.deepEqual(coverage.map(({ available: _, lost: __, fetchBy: ___, ...line }) => line), [
      { ...line, ...DE, report: "sp_placement", firstDay: "2024-02-28", lastDay: "2024-03-01", days: 3 },
      { ...line, ...US, report: "sb_campaigns", firstDay: "2026-09-07", lastDay: "2026-09-07" },
      {
        ...US,
        report: "sp_placement",
        firstDay: "2026-08-30",
        lastDay: "2026-09-07",
        days: 6,
        rows: 2,
        lastPull: "2026-09-30T12:00:01.000Z",
        fromReporting1: 0,
        gaps: [{ start: "2026-09-03", end: "2026-09-04" }, { start: "2026-09-06", end: "2026-09-06" }],
      },
    ]);
    const [german, , us] = coverage;
    assert.deepEqual(
      german!.available,
      [{ start: "2026-06-28", end: "2026-09-29" }],
      "what the platform still keeps",
    );
    assert.deepEqual([german!.lost, us!.lost], [[], []]);
    assert.deepEqual(us!.available.slice(0, 2), [
      { start: "2026-06-28", end: "2026-08-29" },
      { start: "2026-09-03", end: "2026-09-04" },
    ]);
    assert.equal(us!.fetchBy, "2026-09-30");
    const inMarch = new Warehouse(driver, { now: () => Date.parse("2027-03-01T12:00:00Z") });
    const late = (await inMarch.coverage())[2]!;
    assert.deepEqual(late.lost, [{ start: "2026-09-03", end: "2026-09-04" }, {
      start: "2026-09-06",
      end: "2026-09-06",
    }]);
    const starts = async (filter: CoverageFilter): Promise<string[]> =>
      (await driver.coveredRanges(filter)).map(({ start }) => start);
    assert.deepEqual(await starts({ profileId: "2002" }), ["2024-02-28"]);
    assert.deepEqual(await starts({ report: "sb_campaigns" }), ["2026-09-07"]);
    assert.deepEqual(await starts({ profileId: "2002", report: "sb_campaigns" }), []);
    const both = await starts({ profileId: ["1001", "2002"], report: ["sb_campaigns", "sp_placement"] });
    assert.deepEqual(both, await starts({}));
    assert.deepEqual(await starts({ profileId: ["1001", "2002"], report: ["sb_campaigns"] }), ["2026-09-07"]);
    assert.deepEqual(await starts({ profileId: [] }), []);
    const known = store.asOf("2027-01-01T00:00:00Z");
    const reportsOf = async (filter: CoverageFilter): Promise<string[]> =>
      (await known.coverage(filter)).map(({ profileId, report }) => `${profileId} ${report}`);
    assert.deepEqual(await reportsOf({ report: "sb_campaigns" }), ["1001 sb_campaigns"]);
    assert.deepEqual(await reportsOf({ profileId: ["2002"], report: ["sb_campaigns"] }), []);
    const newest = await driver.coveredRanges({ profileId: "1001", pulledSince: "2026-09-30T12:00:01.000Z" });
    assert.deepEqual(newest.map(({ start, end }) => [start, end]), [["2026-09-05", "2026-09-05"]]);
  });

  it("the check of a pull is given what was stored of its days, and what it throws undoes the pull", async ({ driver, store }) => {
    const layout = reportLayout("sp_placement");
    const pull = (range: { start: string; end: string }, more: Partial<PullRecord> = {}): PullRecord => ({
      ...{ ...US, layout, ...range, reportIds: [], pulledAt: "2026-09-30T12:00:00.000Z", madeAt: null },
      ...more,
    });
    const cost = layout.columns.findIndex(({ name }) => name === "cost");
    async function* rows(...costs: number[]): AsyncGenerator<Cell[][]> {
      const empty: Cell[] = layout.columns.slice(1).map(({ key }) => key ? "" : null);
      yield costs.map((value): Cell[] => ["2026-09-01", ...empty, null].with(cost, value));
    }
    const madeAt = "2026-09-03T00:00:00.000Z";
    await driver.replace(pull(days("2026-09-01", "2026-09-02"), { madeAt }), rows(1.5, 2));
    await driver.replace(pull(days("2026-09-03")), rows());
    await driver.replace(pull(days("2026-09-01"), DE), rows(40));
    let seen: readonly StoredDay[] = [];
    const check = (before: readonly StoredDay[]): void => {
      seen = before.toSorted((a, b) => a.day < b.day ? -1 : 1);
      throw new Error("not this one");
    };
    const again = pull(days("2026-09-01", "2026-09-04"), { check });
    await assert.rejects(driver.replace(again, rows(7)), /^Error: not this one$/);
    assert.deepEqual(seen.map((day) => ({ ...day })), [
      { day: "2026-09-01", rows: 2, cost: 3.5, madeAt },
      { day: "2026-09-02", rows: 0, cost: 0, madeAt },
      { day: "2026-09-03", rows: 0, cost: 0, madeAt: null },
    ]);
    assert.deepEqual((await all(store, "sp_placement", US)).map(({ cost }) => cost), [1.5, 2]);
  });
}
