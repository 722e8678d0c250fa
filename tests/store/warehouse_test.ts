import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigurationError } from "../../src/errors.ts";
import { presetReport } from "../../src/client/reports/requests/named_report.ts";
import {
  layoutNamed,
  layoutOf,
  type ReportLayout,
  reportLayout,
  storedLayouts,
} from "../../src/store/model/report_layout.ts";
import type { DriverQuery, PullRecord, RowFilter, StoreDriver } from "../../src/store/model/store_driver.ts";
import { Warehouse } from "../../src/store/warehouse/warehouse.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const T0 = Date.parse("2026-09-30T12:00:00Z");
const LAYOUTS = (["sp_placement", "sp_campaigns"] as const).map(reportLayout);

/** A driver that answers as it is told, and remembers what it was asked. */
class Recorder {
  readonly location = "somewhere";
  readonly dialect = "SQLite";
  readonly layouts = LAYOUTS;
  readonly queries: [sql: string, options: DriverQuery][] = [];
  readonly filters: [report: string, filter: RowFilter][] = [];
  readonly pruned: [report: string, before: number, dryRun: boolean][] = [];
  stored: Record<string, unknown>[] = [];
  closed = 0;

  readonly query = (sql: string, options: DriverQuery): Promise<unknown> => {
    this.queries.push([sql, options]);
    return Promise.resolve({ columns: [], rows: [], truncated: false });
  };

  readonly profiles = (): Promise<unknown> => Promise.resolve([{ profileId: "1", countryCode: "DE" }]);

  readonly coveredRanges = (): Promise<unknown> => Promise.resolve([]);

  readonly rows = async function* (this: Recorder, { report }: ReportLayout, filter: RowFilter) {
    this.filters.push([report, filter]);
    yield* this.stored;
  };

  readonly pruneHistory = ({ report }: ReportLayout, before: number, dryRun: boolean): Promise<number> => {
    this.pruned.push([report, before, dryRun]);
    return Promise.resolve(report === "sp_campaigns" ? 1 : 0);
  };

  readonly close = (): Promise<void> => Promise.resolve(void this.closed++);
}

function opened(): { store: Warehouse; driver: Recorder } {
  const driver = new Recorder();
  return { store: new Warehouse(driver as unknown as StoreDriver, { now: () => T0 }), driver };
}

test("a place that is empty, or an address of another kind, is refused", async () => {
  await assert.rejects(Warehouse.open("  "), /^ConfigurationError: Cannot open a store: its path is empty$/);
  for (const place of ["mysql://db/ads", "HTTPS://db/ads", "git+ssh://db"]) {
    await assert.rejects(Warehouse.open(place), (error: Error) => {
      assert(error instanceof ConfigurationError);
      assert.match(
        error.message,
        /^Cannot open a store by a "(mysql|https|git\+ssh)" address: give the path/,
      );
      return true;
    });
  }
});

test("an address of PostgreSQL in either spelling is opened as one, and any other place as a file", async () => {
  for (const place of ["postgres:///ads", "postgresql:///ads", "POSTGRES:///ads"]) {
    // Without a host it is refused before anything is connected; where the packages are not installed, sooner.
    await assert.rejects(
      Warehouse.open(place),
      /its address is not postgres:\/\/USER|the package "pg(-copy-streams)?" is not installed/,
    );
  }
  await using folder = await temporaryFolder();
  const path = folder.file("ads.sqlite");
  await using store = await Warehouse.open(path);
  assert.equal(store.location, path);
});

test("query() hands on the statement, its values and its bound, 10000 rows where none is given", async () => {
  const { store, driver } = opened();
  await store.query("SELECT 1");
  await store.query("SELECT ?", ["a"], { maxRows: 1 });
  await store.query("SELECT 1", [], { maxRows: Infinity });
  assert.deepEqual(driver.queries, [
    ["SELECT 1", { params: [], maxRows: 10_000, views: [] }],
    ["SELECT ?", { params: ["a"], maxRows: 1, views: [] }],
    ["SELECT 1", { params: [], maxRows: Infinity, views: [] }],
  ]);
  for (const maxRows of [0, 0.5, -1, NaN]) {
    assert.throws(
      () => store.query("SELECT 1", [], { maxRows }),
      /^RangeError: Cannot return .* rows: ask for one/,
    );
  }
});

test("query() sees the views of a moment, and refuses to convert amounts that have no rate", async () => {
  const { store, driver } = opened();
  await store.query("SELECT * FROM sp_placement", [], { asOf: "2026-09-01T00:00:00Z" });
  assert.deepEqual(driver.queries[0]?.[1].views?.map(({ name }) => name), ["sp_placement"]);
  assert.match(driver.queries[0]?.[1].views?.[0]?.sql ?? "", new RegExp(`<= ${Date.parse("2026-09-01")}`));
  const conversion = { currency: "USD", rates: [] };
  await assert.rejects(
    store.query("SELECT * FROM performance", [], { conversion }),
    /there is no rate for EUR/,
  );
  await store.query("SELECT * FROM performance", [], {
    conversion: { ...conversion, rates: [{ currency: "EUR", rate: 2 }] },
  });
  assert.deepEqual(driver.queries.at(-1)?.[1].views?.map(({ name }) => name), ["performance"]);
});

test("query() refuses a conversion that makes no sense at once, whether or not the statement reads amounts", () => {
  const { store, driver } = opened();
  const conversion = { currency: "USD", rates: [{ currency: "EUR", rate: 0 }] };
  assert.throws(() => store.query("SELECT 1", [], { conversion }), /the rate 0 is not a number above 0/);
  assert.deepEqual(driver.queries, []);
});

test("rows() narrows by days that are days, by a country in any spelling, and puts what had no column back", async () => {
  const { store, driver } = opened();
  const row = { country_code: "UK", profile_id: "1", date: "2026-09-01", clicks: 1 };
  driver.stored = [{ ...row, extra: '{"odd":[1]}' }, { ...row, extra: null }];
  const rows = await Array.fromAsync(store.rows("SP-Placement ", { countryCode: "gb", start: "2026-09-01" }));
  assert.deepEqual(rows, [{ ...row, odd: [1] }, row]);
  await Array.fromAsync(store.rows("sp_placement", { profileId: "1" }));
  assert.deepEqual(driver.filters, [
    ["sp_placement", { countryCode: "UK", start: "2026-09-01" }],
    ["sp_placement", { profileId: "1" }],
  ]);
  const read = (filter: RowFilter): Promise<unknown> => Array.fromAsync(store.rows("sp_placement", filter));
  await assert.rejects(read({ start: "2026-09-31" }), /Cannot use "2026-09-31" as the first day/);
  await assert.rejects(read({ end: "yesterday" }), /Cannot use "yesterday" as the last day/);
});

test("replace() refuses days that are none or reversed, and takes one day", async () => {
  const { store, driver } = opened();
  const replaced: unknown[] = [];
  Object.assign(driver, { replace: (pull: unknown) => (replaced.push(pull), Promise.resolve(0)) });
  const what = { profileId: "1", countryCode: "gb", report: "sp_placement" };
  const replace = (start: string, end: string): Promise<number> => store.replace({ ...what, start, end }, []);
  assert.throws(
    () => replace("2026-09-02", "2026-09-01"),
    /^RangeError: Cannot replace 2026-09-02 to 2026-09-01/,
  );
  assert.throws(() => replace("2026-9-2", "2026-09-03"), /as the first day/);
  assert.throws(() => replace("2026-09-02", "x"), /as the last day/);
  await replace("2026-09-02", "2026-09-02");
  assert.deepEqual(replaced, [{
    ...{ profileId: "1", countryCode: "UK", layout: LAYOUTS[0], start: "2026-09-02", end: "2026-09-02" },
    ...{
      reportIds: [],
      pulledAt: "2026-09-30T12:00:00.000Z",
      madeAt: null,
      reporting: null,
      ledgerId: undefined,
      check: undefined,
    },
  }]);
});

test("a pull is recorded by the clock of the machine where no other is given", async () => {
  const driver = new Recorder();
  const pulledAt: string[] = [];
  Object.assign(driver, {
    replace: (pull: PullRecord) => (pulledAt.push(pull.pulledAt), Promise.resolve(0)),
  });
  const store = new Warehouse(driver as unknown as StoreDriver);
  const before = new Date().toISOString();
  const day = { start: "2026-09-02", end: "2026-09-02" };
  await store.replace({ profileId: "1", countryCode: "US", report: "sp_placement", ...day }, []);
  assert(pulledAt[0]! >= before && pulledAt[0]! <= new Date().toISOString(), pulledAt[0]);
});

test("restatements() are summed up by report and age where nothing else is asked for", async () => {
  const { store, driver } = opened();
  await store.restatements({ since: "2026-09-01" });
  await store.restatements({ since: "2026-09-01", by: ["country_code"] });
  const groups = driver.queries.map(([sql]) => / GROUP BY (.*)$/.exec(sql)?.[1]);
  assert.deepEqual(groups, ["age", "age", "country_code", "country_code"]);
  const since = "2026-09-01T00:00:00.000Z";
  assert.deepEqual(driver.queries[0]?.[1].params, [since, since]);
});

test("pruneHistory() goes through every report, and counts those that had versions to delete", async () => {
  const { store, driver } = opened();
  const before = Date.parse("2026-09-01");
  assert.deepEqual(await store.pruneHistory("2026-09-01"), { sp_campaigns: 1 });
  await store.pruneHistory("2026-09-01", { dryRun: true });
  assert.deepEqual(driver.pruned, [
    ["sp_placement", before, false],
    ["sp_campaigns", before, false],
    ["sp_placement", before, true],
    ["sp_campaigns", before, true],
  ]);
});

test("grantReader() is refused by a store without roles, and made by one that has them", async () => {
  const { store, driver } = opened();
  await assert.rejects(store.grantReader(), (error: Error) => {
    assert(error instanceof ConfigurationError);
    assert.match(
      error.message,
      /^Cannot grant a reader in somewhere: SQLite has no roles\. Its queries run on a/,
    );
    return true;
  });
  let granted = 0;
  Object.assign(driver, { grantReader: () => Promise.resolve(void granted++) });
  await store.grantReader();
  assert.equal(granted, 1);
});

test("a store is closed at the end of its block", async () => {
  const { store, driver } = opened();
  {
    await using block = store;
    assert.equal(block.location, "somewhere");
  }
  assert.equal(driver.closed, 1);
});

test("a report that the store does not hold is refused with the nearest name, else with all", () => {
  assert.equal(layoutNamed(" SP-campaigns", LAYOUTS), LAYOUTS[1]);
  assert.throws(
    () => layoutNamed("sp_plcement", LAYOUTS),
    /Cannot find a report "sp_plcement"\. Did you mean "placement"\?$/,
  );
  assert.throws(() => layoutNamed("weather", LAYOUTS), /Expected one of placement, campaigns$/);
});

test("a type that is not published any more has no layout, and its table stays without a view", async () => {
  const [found, without] = [
    await storedLayouts(["sd_campaigns_by_matched_target", "gone_type"]),
    await storedLayouts([]),
  ];
  assert.equal(found.length, without.length + 1);
  assert.deepEqual([found.at(-1)?.table, found.at(-1)?.view], [
    "rows_sd_campaigns_by_matched_target",
    "sd_campaigns_by_matched_target",
  ]);
  assert.equal(LAYOUTS[0]?.table, "report_sp_placement");
});

test("a column whose type is not published holds text", () => {
  const source = { ...presetReport("sp_campaigns"), columns: ["cost", "columnOfTomorrow"] };
  assert.deepEqual(layoutOf(source).columns.slice(-2), [
    { name: "cost", type: "real", key: false },
    { name: "columnOfTomorrow", type: "text", key: false },
  ]);
});
