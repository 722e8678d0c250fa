import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReportRow } from "../../src/reports/report_row.ts";
import type { LedgerEntry } from "../../src/store/ledger_entry.ts";
import type { StoreDriver } from "../../src/store/store_driver.ts";
import { QueryError } from "../../src/store/store_error.ts";
import { type StoredRow, Warehouse } from "../../src/store/warehouse.ts";

/** An empty store for one test. */
export interface TestStore {
  /** Opens it; every call is a connection of its own to the same store. */
  open(): Promise<StoreDriver>;
  /** Removes it. */
  remove(): Promise<void>;
}

/** What one test of the contract is given. */
interface Ground {
  readonly driver: StoreDriver;
  readonly store: Warehouse;
  readonly reopen: () => Promise<StoreDriver>;
}

const US = { profileId: "1001", countryCode: "US" };
const DE = { profileId: "2002", countryCode: "DE" };
const T0 = Date.parse("2026-09-30T12:00:00Z");

/**
 * Holds a driver to what `StoreDriver` promises. Every driver runs it.
 *
 * @param name Names the driver in the names of the tests.
 * @param create Makes an empty store.
 */
export function storeContract(name: string, create: () => Promise<TestStore>): void {
  const it = (what: string, run: (ground: Ground) => Promise<void>): void => {
    test(`${name}: ${what}`, async () => {
      const place = await create();
      const open: StoreDriver[] = [];
      const reopen = async (): Promise<StoreDriver> => {
        open.push(await place.open());
        return open.at(-1)!;
      };
      try {
        const driver = await reopen();
        await run({ driver, store: new Warehouse(driver, { now: () => T0 }), reopen });
      } finally {
        for (const driver of open) await driver.close();
        await place.remove();
      }
    });
  };

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
    const noKey = [{ date: "2026-09-01", cost: 6 }, { date: "2026-09-01", cost: 7, campaignId: null }];
    await store.replace({ ...what, ...days("2026-09-01") }, noKey);
    assert.deepEqual((await all(store, "sp_placement")).map(({ cost }) => cost), [6, 7, 3]);
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
    for (
      const wrong of [{ date: "2026-09-03" }, { date: "2026-08-31" }, {}, { date: null }, { date: 20260901 }]
    ) {
      const rows = [...daily(["2026-09-01"], { cost: 3 }), wrong as ReportRow];
      await assert.rejects(store.replace(what, rows), RangeError, JSON.stringify(wrong));
      assert.deepEqual(await everything(store), before);
    }
    await store.replace(what, []);
    assert.deepEqual(await all(store, "sp_placement"), [], "and it can be written to again");
  });

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
    const line = { days: 1, rows: 0, lastPull: at, gaps: [] };
    assert.deepEqual(await store.coverage(), [
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
        gaps: [{ start: "2026-09-03", end: "2026-09-04" }, { start: "2026-09-06", end: "2026-09-06" }],
      },
    ]);
    const newest = await driver.coveredRanges({ profileId: "1001", pulledSince: "2026-09-30T12:00:01.000Z" });
    assert.deepEqual(newest.map(({ start, end }) => [start, end]), [["2026-09-05", "2026-09-05"]]);
  });

  it("the ledger keeps entries, newest first, and one open entry for one question", async ({ driver, reopen }) => {
    const first = entry({ id: "a", askedAt: "2026-09-01T00:00:00.000Z" });
    assert.deepEqual(await driver.openLedger(first), first);
    assert.deepEqual(await driver.openLedger(entry({ id: "b" })), first, "the same question is open already");
    assert.equal((await driver.openLedger(entry({ id: "c", profileId: "2002" }))).id, "c");
    assert.equal((await driver.openLedger(entry({ id: "d", fingerprint: "other" }))).id, "d");
    await driver.putLedger({
      ...first,
      state: "building",
      reportId: "r-1",
      changedAt: "2026-09-01T00:00:01.000Z",
    });
    assert.equal((await driver.openLedger(entry({ id: "e" }))).reportId, "r-1");
    await driver.putLedger({ ...first, state: "failed", problem: "FAILED: out of luck 'x'" });
    assert.equal(
      (await driver.openLedger(entry({ id: "f" }))).id,
      "f",
      "a failed one does not stand in the way",
    );
    const other = await reopen();
    const ids = async (filter: Parameters<StoreDriver["ledger"]>[0]): Promise<string[]> =>
      (await other.ledger(filter)).map(({ id }) => id);
    assert.deepEqual((await ids({})).sort(), ["a", "c", "d", "f"]);
    assert.equal((await ids({})).at(-1), "a");
    assert.deepEqual(await ids({ profileId: "2002" }), ["c"]);
    assert.equal((await ids({ limit: 2 })).length, 2);
    assert.deepEqual((await other.ledger({})).find(({ id }) => id === "a"), {
      ...first,
      state: "failed",
      problem: "FAILED: out of luck 'x'",
    });
  });

  it("a pull makes its ledger entry stored, with its rows, in the same step", async ({ driver, store }) => {
    await driver.putLedger(entry({ id: "a", state: "building", reportId: "r-1" }));
    await driver.putLedger(entry({ id: "b", fingerprint: "other" }));
    const what = { ...US, report: "sp_placement", ...days("2026-09-01"), reportIds: ["r-1"], ledgerId: "a" };
    await store.replace(what, daily(["2026-09-01"], {}));
    const [a] = await driver.ledger({ unfinished: false });
    assert.deepEqual([a!.id, a!.state, a!.rows, a!.changedAt], [
      "a",
      "stored",
      1,
      "2026-09-30T12:00:00.000Z",
    ]);
    assert.deepEqual(
      (await driver.ledger({ unfinished: true, report: "sp_placement" })).map(({ id }) => id),
      ["b"],
    );
    const { rows } = await store.query("SELECT report, rows, report_ids FROM pulls");
    assert.equal(rows.length, 1);
    assert.deepEqual(JSON.parse(String(rows[0]!["report_ids"])), ["r-1"]);
  });

  it("query() reads views by the name of the preset, with placeholders", async ({ store }) => {
    const range: [string, string] = ["2026-09-01", "2026-09-03"];
    for (const [who, cost] of [[US, 1], [DE, 10]] as const) {
      await store.replace(
        { ...who, report: "sp_targeting", ...days(...range) },
        daily(range, { keywordId: "7", cost }),
      );
    }
    const { columns, rows, truncated } = await store.query(
      `SELECT country_code, profile_id, "keywordId", sum(cost) AS total FROM sp_targeting
       WHERE date >= ${name.startsWith("PostgreSQL") ? "$1" : "?"} GROUP BY 1, 2, 3 ORDER BY 1`,
      ["2026-09-02"],
    );
    assert.deepEqual(columns, ["country_code", "profile_id", "keywordId", "total"]);
    assert.deepEqual(plain(rows), [
      { country_code: "DE", profile_id: "2002", keywordId: "7", total: 20 },
      { country_code: "US", profile_id: "1001", keywordId: "7", total: 2 },
    ]);
    assert.equal(truncated, false);
  });

  it("query() keeps to its bound and says so, and keeps every digit", async ({ store }) => {
    const many =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000000) SELECT i FROM n";
    const { rows, truncated } = await store.query(many);
    assert.equal(rows.length, 10_000);
    assert.equal(truncated, true);
    const three = await store.query("SELECT 1 AS i UNION ALL SELECT 2 UNION ALL SELECT 3;", [], {
      maxRows: 3,
    });
    assert.deepEqual([three.rows.length, three.truncated], [3, false]);
    const two = await store.query("SELECT 1 AS i UNION ALL SELECT 2 UNION ALL SELECT 3", [], { maxRows: 2 });
    assert.deepEqual([two.rows.length, two.truncated], [2, true]);
    const long = await store.query(
      "SELECT 9007199254740993 AS long, 9007199254740991 AS short, -9007199254740993 AS low",
    );
    assert.deepEqual(plain(long.rows), [
      { long: "9007199254740993", short: 9007199254740991, low: "-9007199254740993" },
    ]);
    assert.throws(() => store.query("SELECT 1", [], { maxRows: 0 }), RangeError);
  });

  const forbidden = [
    "WITH x AS (SELECT 1) DELETE FROM days",
    "DELETE FROM report_sp_placement",
    "INSERT INTO profiles VALUES ('1', 'US')",
    "UPDATE days SET rows = 0",
    "DROP TABLE days",
    "CREATE TABLE evil (a text)",
    "CREATE TEMPORARY TABLE evil (a text)",
    "ALTER TABLE days ADD COLUMN evil text",
    "BEGIN",
    "COMMIT",
    "SELECT 1; DELETE FROM days",
    "SELECT 1; SELECT 2",
    "VACUUM",
    "SELEC 1",
    "SELECT * FROM no_such_report",
    "SELECT 1) UNION ALL SELECT * FROM (SELECT 2",
    "",
    "  -- nothing here",
    ";",
    "SELECT '\0'",
  ];
  it("query() refuses everything that is not one statement that reads, and changes nothing", async ({ store }) => {
    await store.replace({ ...US, report: "sp_placement", ...days("2026-09-01") }, daily(["2026-09-01"], {}));
    const before = await everything(store);
    for (const sql of forbidden) {
      await assert.rejects(store.query(sql), (error: Error) => {
        assert(error instanceof QueryError, `${sql}: ${error.name} ${error.message}`);
        assert.match(error.message, /^Cannot run the query: /);
        return true;
      }, sql);
    }
    assert.deepEqual(await everything(store), before);
    assert.equal((await store.query("SELECT count(*) AS n FROM sp_placement -- ; fine")).rows[0]!["n"], 1);
  });

  it("two connections that write at the same time both succeed", async ({ driver, reopen }) => {
    const other = await reopen();
    const write = async (one: StoreDriver, who: typeof US): Promise<void> => {
      const store = new Warehouse(one);
      for (let day = 1; day <= 20; day++) {
        const date = `2026-09-${String(day).padStart(2, "0")}`;
        await one.putLedger(entry({ id: `${who.profileId}-${day}`, fingerprint: date, ...who }));
        await store.replace({ ...who, report: "sp_placement", ...days(date) }, daily([date], { cost: day }));
      }
    };
    await Promise.all([write(driver, US), write(other, DE)]);
    const store = new Warehouse(await reopen());
    assert.equal((await all(store, "sp_placement")).length, 40);
    assert.equal((await store.requests()).length, 40);
  });

  it("many pulls at once through one connection do not mix", async ({ store }) => {
    await Promise.all(
      Array.from({ length: 12 }, (_, i) => {
        const who = { profileId: String(i), countryCode: "US" };
        const range: [string, string] = ["2026-09-01", "2026-09-10"];
        const rows = daily(range, { cost: i });
        async function* slowly(): AsyncGenerator<ReportRow> {
          for (const row of rows) {
            await Promise.resolve();
            yield row;
          }
          if (i % 3 === 0) throw new Error(`broken ${i}`);
        }
        return store.replace({ ...who, report: "sp_placement", ...days(...range) }, slowly()).catch(() => 0);
      }),
    );
    const lines = await store.coverage();
    assert.deepEqual(lines.map(({ profileId }) => Number(profileId)).sort((a, b) => a - b), [
      1,
      2,
      4,
      5,
      7,
      8,
      10,
      11,
    ]);
    for (const row of await all(store, "sp_placement")) assert.equal(String(row.cost), row.profile_id);
  });

  it("close() may be called twice", async ({ driver }) => {
    await driver.close();
    await driver.close();
  });
}

function days(start: string, end: string = start): { start: string; end: string } {
  return { start, end };
}

function daily([start, end = start]: readonly [string, string?], fields: ReportRow): ReportRow[] {
  const rows: ReportRow[] = [];
  for (let time = Date.parse(start); time <= Date.parse(end); time += 86_400_000) {
    rows.push({ date: new Date(time).toISOString().slice(0, 10), ...fields });
  }
  return rows;
}

function entry(fields: Partial<LedgerEntry>): LedgerEntry {
  return {
    id: "x",
    ...US,
    report: "sp_placement",
    start: "2026-09-01",
    end: "2026-09-10",
    configuration: {
      adProduct: "SPONSORED_PRODUCTS",
      reportTypeId: "spCampaigns",
      groupBy: ["campaign"],
      columns: ["date"],
    },
    fingerprint: "same",
    state: "asking",
    reportId: null,
    askedAt: "2026-09-02T00:00:00.000Z",
    changedAt: "2026-09-02T00:00:00.000Z",
    rows: null,
    problem: null,
    ...fields,
  };
}

async function all(
  store: Warehouse,
  report: string,
  filter?: Parameters<Warehouse["rows"]>[1],
): Promise<StoredRow[]> {
  const rows: StoredRow[] = [];
  for await (const row of store.rows(report, filter)) rows.push(row);
  return rows;
}

async function everything(store: Warehouse): Promise<unknown> {
  return {
    rows: await all(store, "sp_placement"),
    coverage: await store.coverage(),
    requests: await store.requests(),
  };
}

function plain(rows: readonly Readonly<Record<string, unknown>>[]): Record<string, unknown>[] {
  return rows.map((row) => ({ ...row }));
}
