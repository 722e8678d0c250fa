import assert from "node:assert/strict";
import type { ReportRow } from "../../../src/client/reports/file/report_row.ts";
import type { StoredMonth } from "../../../src/store/model/store_driver.ts";
import { type AddTest, all, daily, days, DE, entry, everything, plain, T0, US } from "./ground.ts";

const HOUR = 3_600_000;

/** What is put in comes out again, whole days at a time. */
export function keeping(it: AddTest): void {
  it("rows come back as they came, with their country and profile", async ({ store }) => {
    const row = {
      date: "2026-09-01",
      campaignId: "18446744073709551615",
      campaignName: "Größe 日本 👩‍👩‍👧 '\"\\ \u001b[31m",
      placementClassification: "Top of Search",
      campaignStatus: null,
      campaignBudgetAmount: 12.345678901234567,
      impressions: 9007199254740991,
      clicks: -3,
      cost: 0.1,
    };
    assert.equal(await store.replace({ ...US, report: "sp_placement", ...days("2026-09-01") }, [row]), 1);
    const [stored, ...others] = await all(store, "sp_placement");
    assert.deepEqual(others, []);
    const { country_code, profile_id, ...rest } = stored!;
    assert.deepEqual([country_code, profile_id], ["US", "1001"]);
    const given = Object.fromEntries(Object.entries(rest).filter(([column]) => column in row));
    assert.deepEqual(given, row);
    const missing = Object.entries(rest).filter(([column]) => !(column in row));
    assert(missing.length > 5 && missing.every(([, value]) => value === null), "columns it lacks are null");
  });

  it("each day says which reporting API it is from, and since when", async ({ store, driver }) => {
    const put = (reporting: 3 | 1 | undefined, start: string, end = start): Promise<number> =>
      store.replace(
        { ...US, report: "sp_placement", ...days(start, end), reporting },
        daily([start, end], { campaignId: "1", placementClassification: "x", clicks: reporting ?? 0 }),
      );
    await put(undefined, "2026-09-01");
    await put(3, "2026-09-02", "2026-09-04");
    await put(1, "2026-09-03");
    await put(3, "2026-09-04");
    const { rows } = await store.query(
      `SELECT date, reporting, CASE WHEN reporting_since IS NULL THEN 'always' ELSE 'later' END AS since FROM days
       ORDER BY date`,
    );
    assert.deepEqual(rows.map(({ date, reporting, since }) => [String(date).slice(-2), reporting, since]), [
      ["01", null, "always"],
      ["02", 3, "always"],
      ["03", 1, "later"],
      ["04", 3, "always"],
    ]);
    const covered = async (reporting: 3 | 1): Promise<string[]> =>
      (await driver.coveredRanges({ report: "sp_placement", reporting })).map(({ start, end }) =>
        `${start} ${end}`
      );
    assert.deepEqual(await covered(1), ["2026-09-03 2026-09-03"]);
    assert.deepEqual(await covered(3), ["2026-09-02 2026-09-02", "2026-09-04 2026-09-04"]);
    assert.deepEqual((await store.coverage()).map(({ fromReporting1 }) => fromReporting1), [1]);
    assert.deepEqual(await store.restatements({ since: "2020-01-01T00:00:00Z" }), []);
  });

  it("nothing is dropped: unknown columns, and values that do not fit theirs, are kept", async ({ store }) => {
    const row = {
      date: "2026-09-01",
      campaignId: "1",
      placementClassification: "",
      clicks: 1.5,
      impressions: "12345678901234567890",
      cost: "n/a",
      campaignName: true,
      addedLater: { deep: [1, "x"] },
    } as unknown as ReportRow;
    await store.replace({ ...US, report: "sp_placement", ...days("2026-09-01") }, [row]);
    const [stored] = await all(store, "sp_placement");
    for (const [column, value] of Object.entries(row)) assert.deepEqual(stored![column], value, column);
  });

  it("a text with a NUL character is kept whole, U+FFFD in its place", async ({ store }) => {
    const row = {
      date: "2026-09-01",
      campaignId: "1\0x",
      campaignName: "a\0b",
      clicks: "1\0",
      placementClassification: "x",
    };
    await store.replace({ ...US, report: "sp_placement", ...days("2026-09-01") }, [row]);
    const [stored] = await all(store, "sp_placement");
    assert.deepEqual([stored!["campaignId"], stored!["campaignName"]], ["1\uFFFDx", "a\uFFFDb"]);
    assert.equal(stored!["clicks"], "1\0", "what has no column is JSON");
    const { rows } = await store.query('SELECT length("campaignName") AS n FROM sp_placement');
    assert.equal(rows[0]!["n"], 3);
  });

  it("a metric is a number, also one that only Brands reports have", async ({ store }) => {
    const row = {
      date: "2026-09-01",
      campaignId: "1",
      detailPageViews: "12",
      topOfSearchImpressionShare: 0.5,
    };
    await store.replace({ ...US, report: "sb_campaigns", ...days("2026-09-01") }, [row]);
    const { rows } = await store.query(
      `SELECT "detailPageViews" + 1 AS views, "topOfSearchImpressionShare" * 2 AS share FROM sb_campaigns`,
    );
    assert.deepEqual(plain(rows), [{ views: 13, share: 1 }]);
    const [stored] = await all(store, "sb_campaigns");
    assert.equal(stored!["detailPageViews"], 12);
  });

  it("numbers that came as text are numbers in their columns", async ({ store }) => {
    const row = {
      date: "2026-09-01",
      campaignId: "1",
      placementClassification: "x",
      clicks: "7",
      cost: "1.25",
    };
    await store.replace({ ...US, report: "sp_placement", ...days("2026-09-01") }, [row]);
    const { rows } = await store.query("SELECT clicks + 1 AS clicks, cost * 2 AS cost FROM sp_placement");
    assert.deepEqual(plain(rows), [{ clicks: 8, cost: 2.5 }]);
  });

  it("rows that share a key on one day all survive", async ({ store }) => {
    const same = (cost: number): ReportRow => ({
      date: "2026-09-01",
      campaignId: "1",
      placementClassification: "x",
      cost,
    });
    const rows = [same(1), same(2), { ...same(3), date: "2026-09-02" }, same(4), {
      ...same(5),
      campaignId: "",
    }];
    const what = { ...US, report: "sp_placement", ...days("2026-09-01", "2026-09-02") };
    assert.equal(await store.replace(what, rows), 5);
    const stored = await all(store, "sp_placement");
    assert.deepEqual(stored.map(({ cost }) => cost).sort(), [1, 2, 3, 4, 5]);
    const noKey = [
      { date: "2026-09-01", cost: 7 },
      { date: "2026-09-01", cost: 6, campaignId: null },
      same(5),
    ];
    await store.replace({ ...what, ...days("2026-09-01") }, noKey);
    assert.deepEqual(
      (await all(store, "sp_placement")).map(({ cost }) => cost),
      [7, 6, 5, 3],
      "by their keys, then as they came",
    );
  });

  it("a pull replaces its days whole, and nothing else", async ({ store }) => {
    const put = (who: typeof US, range: [string, string?], cost: number): Promise<number> =>
      store.replace(
        { ...who, report: "sp_placement", ...days(...range) },
        daily(range, { campaignId: "1", cost }),
      );
    await put(US, ["2026-09-01", "2026-09-05"], 1);
    await put(DE, ["2026-09-01", "2026-09-05"], 2);
    await store.replace(
      { ...US, report: "sp_campaigns", ...days("2026-09-03") },
      daily(["2026-09-03"], { cost: 3 }),
    );
    await put(US, ["2026-09-02", "2026-09-04"], 9);
    await store.replace({ ...US, report: "sp_placement", ...days("2026-09-04") }, []);
    const costs = (await all(store, "sp_placement")).map((
      row,
    ) => [row.date.slice(-2), row.country_code, row.cost]);
    assert.deepEqual(costs, [
      ["01", "US", 1],
      ["01", "DE", 2],
      ["02", "US", 9],
      ["02", "DE", 2],
      ["03", "US", 9],
      ["03", "DE", 2],
      ["04", "DE", 2],
      ["05", "US", 1],
      ["05", "DE", 2],
    ]);
    assert.equal((await all(store, "sp_campaigns")).length, 1);
  });

  it("a pull that breaks off leaves everything as it was", async ({ store, driver }) => {
    const what = { ...US, report: "sp_placement", ...days("2026-09-01", "2026-09-02") };
    await store.replace(what, daily(["2026-09-01", "2026-09-02"], { cost: 1 }));
    await driver.putLedger(entry({ id: "a", state: "building" }));
    const before = await everything(store);
    async function* breaksOff(): AsyncGenerator<ReportRow> {
      yield* daily(["2026-09-01"], { cost: 2 });
      await Promise.resolve();
      throw new Error("cut short");
    }
    await assert.rejects(store.replace({ ...what, ledgerId: "a" }, breaksOff()), /cut short/);
    assert.deepEqual(await everything(store), before);
    const times = ["2026-09-01T00:00:00", "2026-09-01 00:00", "2026-09-0", "2026-09-1x", 20260901, null];
    for (
      const wrong of [{ date: "2026-09-03" }, { date: "2026-08-31" }, {}, ...times.map((date) => ({ date }))]
    ) {
      const rows = [...daily(["2026-09-01"], { cost: 3 }), wrong as ReportRow];
      await assert.rejects(store.replace(what, rows), RangeError, JSON.stringify(wrong));
      assert.deepEqual(await everything(store), before);
    }
    await store.replace(what, []);
    assert.deepEqual(await all(store, "sp_placement"), [], "and it can be written to again");
  });

  it("months are replaced as a whole, each profile for itself", async ({ driver, store }) => {
    const row = (month: string, campaignId: string, clicks: number): StoredMonth => ({
      ...{ month, adProduct: "SPONSORED_PRODUCTS", campaignId, currency: "USD" },
      ...{ impressions: 100, clicks, cost: 1.5, orders: 1, sales: 20 },
    });
    const put = (
      profile: typeof US,
      months: readonly string[],
      rows: readonly StoredMonth[],
      pulledAt = T0,
    ) =>
      driver.replaceMonths({ ...profile, months, pulledAt }, async function* () {
        yield* rows;
      });
    const [may, june, july] = ["2026-05-01", "2026-06-01", "2026-07-01"] as const;
    assert.equal(await put(US, [may, june], [row(may, "1", 3), row(may, "2", 4), row(july, "1", 9)]), 2);
    assert.equal(await put(DE, [may], [row(may, "1", 6)]), 1);
    assert.equal(await put(US, [may], [row(may, "2", 5)], T0 + HOUR), 1);
    const [first, second] = [T0, T0 + HOUR].map((time) => new Date(time).toISOString());
    assert.deepEqual([...await driver.storedMonths(US.profileId)], [[may, second], [june, first]]);
    const { rows } = await store.query(
      "SELECT country_code, date, campaign_id, clicks, cpc, acos FROM performance_monthly ORDER BY country_code",
    );
    assert.deepEqual(plain(rows), [
      { country_code: "DE", date: may, campaign_id: "1", clicks: 6, cpc: 0.25, acos: 0.075 },
      { country_code: "US", date: may, campaign_id: "2", clicks: 5, cpc: 0.3, acos: 0.075 },
    ]);
    const failing = driver.replaceMonths({ ...US, months: [may], pulledAt: T0 }, async function* () {
      yield row(may, "3", 1);
      throw new Error("cut off");
    });
    await assert.rejects(failing, /cut off/);
    assert.equal((await store.query("SELECT * FROM performance_monthly WHERE clicks = 5")).rows.length, 1);
  });
}
