import { test } from "node:test";
import { deepEqual, equal, ok } from "../../support/assert.ts";
import { addDays } from "../../../src/base/time/calendar.ts";
import { judgeMaturity, maturity } from "../../../src/store/views/maturity.ts";
import type { Maturity } from "../../../src/store/model/maturity_share.ts";
import { reportLayout } from "../../../src/store/model/report_layout.ts";
import { SqliteDriver } from "../../../src/store/sqlite/sqlite_driver.ts";
import type { DriverQuery, StoreDriver } from "../../../src/store/model/store_driver.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import { makeEmptySqlite } from "../../support/empty_sqlite.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

const DAY = 86_400_000;
const TODAY = "2026-11-23";
/** The newest day that is final. */
const FINAL = addDays(TODAY, -42);
const NOW = Date.parse(`${TODAY}T12:00:00Z`);

type Row = Readonly<Record<string, unknown>>;

/** A driver that says when maturity was judged last, how many rows of each market are stored, and what changed at which age. */
class Judged {
  readonly dialect = "SQLite";
  readonly layouts = [reportLayout("sp_placement")];
  readonly statements: string[] = [];
  readonly kept: [shares: readonly Maturity[], at: string][] = [];
  at: string | null = null;
  markets: readonly Row[] = [];
  changes: readonly Row[] = [];

  readonly query = (sql: string, _options: DriverQuery): Promise<{ rows: readonly Row[] }> => {
    this.statements.push(sql);
    const rows = sql.includes("FROM maturity")
      ? [{ judged: this.at }]
      : sql.includes("AS stored")
      ? this.markets
      : this.changes;
    return Promise.resolve({ rows });
  };

  readonly replaceMaturity = (shares: readonly Maturity[], at: string): Promise<void> => {
    this.kept.push([shares, at]);
    return Promise.resolve();
  };

  get driver(): StoreDriver {
    return this as unknown as StoreDriver;
  }
}

test("maturity is judged where it never was, and again after 20 hours", async () => {
  const hours = async (ago: number | undefined): Promise<boolean> => {
    const store = new Judged();
    store.at = ago === undefined ? null : new Date(NOW - ago * 3600_000).toISOString();
    await judgeMaturity(store.driver, NOW);
    deepEqual(store.kept, store.kept.length === 0 ? [] : [[[], `${TODAY}T12:00:00.000Z`]]);
    return store.kept.length > 0;
  };
  equal(await hours(undefined), true);
  equal(await hours(19.99), false);
  equal(await hours(20), true);
});

test("the share of an age is what was known then of all that was reported, to four digits", async () => {
  const store = new Judged();
  const none = { impressions: 0, clicks: 0, cost: 0, orders: 0 };
  const change = (age: number, sales: number, fields: Row = {}): Row => (
    { country_code: "US", age, days: 1, ...none, sales, ...fields }
  );
  store.markets = [{ country_code: "US", stored: 3 }];
  store.changes = [
    change(0, 1),
    change(1, 1, { days: 2, clicks: 4 }),
    change(5, 2),
    change(42, -1),
    change(60, 0, { clicks: -1 }),
  ];
  const found = await maturity(store.driver, TODAY);
  const shares = (metric: string): Map<number, number> =>
    new Map(found.filter((one) => one.metric === metric).map(({ age, share }) => [age, share]));
  deepEqual([...new Set(found.map(({ metric }) => metric))], ["clicks", "sales"], "no share of nothing");
  const sales = shares("sales");
  deepEqual([...sales.keys()], Array.from({ length: 42 }, (_, at) => at + 1));
  deepEqual([1, 4, 5, 41, 42].map((age) => sales.get(age)), [0.6667, 0.6667, 1.3333, 1.3333, 1]);
  equal(shares("clicks").get(42), 1.3333, "more than all, as some were taken back later");
  ok(
    found.every(({ days, report, country_code: country }) =>
      days === 2 && report === "sp_placement" && country === "US"
    ),
  );
});

test("of a report that is too long, days are judged that are not all of one weekday", async () => {
  const store = new Judged();
  const steps = async (stored: number, limit?: { rows: number; ofMarket: number }): Promise<unknown> => {
    store.markets = [{ country_code: "US", stored }];
    await maturity(store.driver, TODAY, limit);
    const list = /date IN \(([^)]*)\)/.exec(store.statements.at(-1) ?? "")?.[1];
    const days = list?.split(", ").map((day) => day.slice(1, -1));
    ok(days === undefined || days[0] === FINAL && days.at(-1)! >= addDays(FINAL, -90), list);
    return days && [(Date.parse(days[0]!) - Date.parse(days[1]!)) / DAY, days.length];
  };
  const limit = { rows: 100, ofMarket: 10 };
  equal(await steps(100, limit), undefined, "all days");
  deepEqual(await steps(101, limit), [2, 46]);
  deepEqual(await steps(600, limit), [6, 16]);
  deepEqual(await steps(700, limit), [8, 12]);
  deepEqual(await steps(1400, limit), [15, 7]);
  equal(await steps(1_000_000), undefined, "a million rows where nothing else is said");
  deepEqual(await steps(1_000_001), [2, 46]);
});

test("a small market is judged by as many rows as are enough for one", async () => {
  const store = new Judged();
  const leavesOut = async (stored: number): Promise<readonly boolean[]> => {
    store.markets = [{ country_code: "DE", stored }, { country_code: "US", stored: 10_000_000 - stored }];
    await maturity(store.driver, TODAY);
    const parts = (store.statements.at(-1) ?? "").match(/country_code = \?[^)]*/g)?.slice(0, 2) ?? [];
    return parts.map((part) => part.includes("date IN"));
  };
  deepEqual(await leavesOut(100_000), [false, true]);
  deepEqual(await leavesOut(100_001), [true, true]);
});

test("days are judged that were stored within three days, from 90 days before the newest final one on", async () => {
  await using folder = await temporaryFolder();
  const path = folder.file("ads.sqlite");
  await makeEmptySqlite(path);
  let now = 0;
  await using store = new Warehouse(await SqliteDriver.open(path), { now: () => now });
  const pull = async (countryCode: string, date: string, age: number): Promise<void> => {
    now = Date.parse(`${date}T12:00:00Z`) + age * DAY;
    const what = { profileId: String(now), countryCode, report: "sp_placement", start: date, end: date };
    await store.replace(what, [{ date, campaignId: "1", clicks: 1 }]);
  };
  await pull("US", FINAL, 3);
  await pull("CA", FINAL, 4);
  await pull("MX", addDays(FINAL, 1), 3);
  await pull("DE", addDays(FINAL, -90), 3);
  await pull("FR", addDays(FINAL, -91), 3);
  now = NOW;
  const found = await store.maturity();
  deepEqual([...new Set(found.map(({ country_code: country }) => country))], ["DE", "US"]);
  deepEqual([2, 3].map((age) => found.find((one) => one.age === age)?.share), [0, 1]);
});
