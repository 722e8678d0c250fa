import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { type ReportLayout, reportLayout } from "../../../src/store/model/report_layout.ts";
import { addReport, migrate } from "../../../src/store/sqlite/schema.ts";
import { selectRows, SqliteDriver } from "../../../src/store/sqlite/sqlite_driver.ts";
import { sqliteSql } from "../../../src/store/tables/store_sql.ts";
import { StoreError } from "../../../src/store/model/store_error.ts";
import { storedDays } from "../../../src/store/tables/pulls_table.ts";
import { makeEmptySqlite } from "../../support/empty_sqlite.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

/** A report that is no preset, without cost, and a store in memory that it is added to. */
function storeWithFree(): { layout: ReportLayout; database: DatabaseSync } {
  const preset = reportLayout("sp_campaigns");
  const columns = preset.columns.filter(({ name }) => name !== "cost");
  const layout = { ...preset, report: "free", table: "rows_free", view: "free", columns };
  const database = new DatabaseSync(":memory:");
  migrate(database, []);
  addReport(database, layout);
  return { layout, database };
}

test("a report that is added has its views at once, also where another process has added it", () => {
  const { database, layout } = storeWithFree();
  addReport(database, layout);
  for (const view of ["free", "free_history"]) {
    assert.deepEqual(database.prepare(`SELECT campaign_id FROM ${view}`).all(), []);
  }
});

test("a report that the store has already is not added again", async () => {
  await using folder = await temporaryFolder();
  const path = folder.file("ads.sqlite");
  await makeEmptySqlite(path);
  const driver = await SqliteDriver.open(path);
  const { layout } = storeWithFree();
  const other = new DatabaseSync(path);
  const version = (): unknown => other.prepare("PRAGMA schema_version").get()?.["schema_version"];
  const before = version();
  for (const known of driver.layouts) await driver.addReport(known);
  assert.equal(version(), before);
  await driver.addReport(layout);
  assert.notEqual(version(), before);
  other.close();
  await driver.close();
});

test("a stored day of a report without cost costs 0", async () => {
  const { database, layout } = storeWithFree();
  database.exec("INSERT INTO days VALUES ('1', 'free', '2026-09-01', 2, 1, '', NULL, NULL, NULL, NULL)");
  const days = await storedDays(sqliteSql(database), {
    ...{ profileId: "1", countryCode: "US", layout, start: "2026-09-01", end: "2026-09-02" },
    ...{ reportIds: [], pulledAt: "2026-09-03T00:00:00.000Z", madeAt: null },
  });
  assert.deepEqual(days, [{ day: "2026-09-01", rows: 2, cost: 0, madeAt: null }]);
});

test("the rows of a report are those that were there when they were counted, and fewer are reported", async () => {
  await using folder = await temporaryFolder();
  const path = folder.file("ads.sqlite");
  await makeEmptySqlite(path);
  const other = new DatabaseSync(path);
  other.exec(
    `INSERT INTO profiles VALUES ('1', 'US');
     INSERT INTO days VALUES ('1', 'sp_campaigns', '2026-09-01', 2, 1, '', NULL, NULL, NULL, NULL);
     INSERT INTO report_sp_campaigns (profile_id, date, "campaignId", repeat)
       VALUES ('1', '2026-09-01', '7', 0), ('1', '2026-09-01', '8', 0)`,
  );
  /** Reads the rows while another program removes one of them as soon as they are counted. */
  const read = (): unknown[] => {
    const database = new DatabaseSync(path, { readOnly: true });
    const prepare = database.prepare.bind(database);
    database.prepare = (sql) => {
      const statement = prepare(sql);
      const get = statement.get.bind(statement);
      return Object.assign(statement, {
        get: (...values: string[]) => {
          const counted = get(...values);
          other.exec("DELETE FROM report_sp_campaigns WHERE \"campaignId\" = '7'");
          return counted;
        },
      });
    };
    try {
      return [...selectRows(database, reportLayout("sp_campaigns"), {})].map((row) => row["campaignId"]);
    } finally {
      database.close();
    }
  };
  assert.deepEqual(read(), ["7", "8"]);
  assert.throws(read, (error: Error) => {
    assert(error instanceof StoreError);
    assert.match(error.message, /^Cannot read all of sp_campaigns: got 1 of 2 rows\. The file is damaged$/);
    return true;
  });
  other.close();
});
