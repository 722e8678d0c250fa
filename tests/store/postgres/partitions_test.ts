import assert from "node:assert/strict";
import { test } from "node:test";
import type { DayRange } from "../../../src/base/time/calendar.ts";
import type { Database } from "../../../src/store/postgres/database.ts";
import { Partitions } from "../../../src/store/postgres/partitions.ts";
import { sqlOver } from "../../../src/store/tables/postgres_sql.ts";
import { reportLayout } from "../../../src/store/model/report_layout.ts";

/** A database that has some partitions, and remembers what it was asked. */
class FakeDatabase {
  readonly attached = new Set<string>();
  readonly made: string[] = [];
  looks = 0;
  /** Made by another process between the look and the lock. */
  rival: string | undefined;

  readonly sql = sqlOver(({ text, values }) => {
    if (text.includes("pg_inherits")) {
      this.looks++;
      return Promise.resolve(this.attached.has(String(values[1])) ? [{}] : []);
    }
    if (text.includes("pg_advisory_xact_lock")) {
      if (this.rival !== undefined) this.attached.add(this.rival);
    } else {
      this.made.push(text.replace(/\s+/g, " ").trim());
    }
    return Promise.resolve([]);
  });

  readonly transaction = (work: (sql: unknown) => Promise<void>): Promise<void> => work(this.sql);
}

function partitions(database: FakeDatabase): (table: string, days: DayRange) => Promise<void> {
  const ensured = new Partitions(database as unknown as Database);
  const layout = reportLayout("sp_placement");
  return (table, days) => ensured.ensure({ ...layout, table }, days);
}

const SEPTEMBER = { start: "2026-09-01", end: "2026-09-30" };

test("each table of a report gets a partition for each month of a range, made and then attached", async () => {
  const database = new FakeDatabase();
  const ensure = partitions(database);
  await ensure("rows_x", { start: "2026-12-31", end: "2027-01-01" });
  const names = database.made.map((text) => /^CREATE TABLE (\w+)/.exec(text)?.[1]);
  assert.deepEqual(names.slice(0, 4), [
    "rows_x_2026_12",
    "rows_x_2027_01",
    "rows_x_history_2026_12",
    "rows_x_history_2027_01",
  ]);
  assert.equal(
    database.made[0],
    "CREATE TABLE rows_x_2026_12 (LIKE rows_x INCLUDING ALL); ALTER TABLE rows_x ATTACH PARTITION rows_x_2026_12 " +
      "FOR VALUES FROM ('2026-12-01') TO ('2027-01-01')",
  );
  const { looks } = database;
  await ensure("rows_x", { start: "2026-12-01", end: "2027-01-31" });
  assert.deepEqual([database.looks, database.made.length], [looks, names.length], "known from then on");
});

test("a partition that is there, or that another process makes at the same time, is not made again", async () => {
  const database = new FakeDatabase();
  database.attached.add("rows_x_2026_09");
  database.rival = "rows_x_history_2026_09";
  await partitions(database)("rows_x", SEPTEMBER);
  assert(
    !database.made.some((text) => /CREATE TABLE rows_x_(?:history_)?2026_09 /.test(text)),
    database.made.join(),
  );
});

test("a name that PostgreSQL would cut is shortened in the way that stores have it", async () => {
  const nameOf = async (table: string): Promise<string> => {
    const database = new FakeDatabase();
    await partitions(database)(table, SEPTEMBER);
    return /^CREATE TABLE (\w+)/.exec(database.made[0]!)![1]!;
  };
  const longest = "r".repeat(55);
  assert.equal(await nameOf(longest), `${longest}_2026_09`, "63 characters");
  // Another name would be another table over the same days, which PostgreSQL refuses.
  assert.equal(await nameOf(`${longest}r`), `${"r".repeat(46)}_72b9610e_2026_09`);
});
