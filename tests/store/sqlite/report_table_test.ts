import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { reportLayout } from "../../../src/store/report_layout.ts";
import { addReport, migrate } from "../../../src/store/sqlite/schema.ts";
import { storedDays } from "../../../src/store/sqlite/tables/report_table.ts";

test("a stored day of a report without cost costs 0", () => {
  const layout = reportLayout("sp_campaigns");
  const free = {
    ...{ ...layout, report: "free", table: "rows_free", view: "free" },
    columns: layout.columns.filter(({ name }) => name !== "cost"),
  };
  const database = new DatabaseSync(":memory:");
  migrate(database, []);
  addReport(database, free);
  database.exec("INSERT INTO days VALUES ('1', 'free', '2026-09-01', 2, 1, '', NULL, NULL)");
  const days = storedDays(database, {
    ...{ profileId: "1", countryCode: "US", layout: free, start: "2026-09-01", end: "2026-09-02" },
    ...{ reportIds: [], pulledAt: "2026-09-03T00:00:00.000Z", madeAt: null },
  });
  assert.deepEqual(days, [{ day: "2026-09-01", rows: 2, cost: 0, madeAt: null }]);
});
