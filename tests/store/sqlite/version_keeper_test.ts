import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { Cell } from "../../../src/store/model/encode_rows.ts";
import { type ReportLayout, reportLayout } from "../../../src/store/model/report_layout.ts";
import { addReport, migrate } from "../../../src/store/sqlite/schema.ts";
import { type StoredRow, VersionKeeper } from "../../../src/store/sqlite/row_writer.ts";

const METRICS = Array.from({ length: 9 }, (_, number) => `m${number}`);

/** A report with nine metrics. */
const LAYOUT: ReportLayout = {
  ...reportLayout("sp_campaigns"),
  report: "few",
  table: "rows_few",
  view: "few",
  columns: [
    { name: "date", type: "date", key: true },
    { name: "campaignId", type: "text", key: true },
    ...METRICS.map((name) => ({ name, type: "integer", key: false } as const)),
  ],
};

/** What keeps versions in a store in memory, and how often it has prepared a statement that changes rows. */
function makeKeeper(): { keeper: VersionKeeper; database: DatabaseSync; prepared: () => number } {
  const database = new DatabaseSync(":memory:");
  migrate(database, []);
  addReport(database, LAYOUT);
  let prepared = 0;
  const prepare = database.prepare.bind(database);
  database.prepare = (sql) => {
    if (sql.startsWith("UPDATE rows_few AS rows")) prepared++;
    return prepare(sql);
  };
  const keeper = new VersionKeeper(database, { layout: LAYOUT, profileId: "1" }, 5);
  return { keeper, database, prepared: () => prepared };
}

const ROW: StoredRow = {
  cells: ["2026-09-01", "1", ...METRICS.map(() => 0), null],
  repeat: 0,
  knownFrom: 1,
  ref: null,
};

/** The row with 1 in the metrics whose bits are set. */
function changed(bits: number): Cell[] {
  const metrics = METRICS.map((_, number) => (bits >> number) % 2);
  return ["2026-09-01", "1", ...metrics, null];
}

test("a row whose cells are equal is left alone", () => {
  const { keeper, database, prepared } = makeKeeper();
  keeper.change(ROW, ["2026-09-01", "1", -0, ...METRICS.slice(1).map(() => 0), null]);
  keeper.finish();
  assert.equal(prepared(), 0);
  assert.deepEqual(database.prepare("SELECT last FROM row_numbers").get()?.["last"], 0);
});

test("statements are prepared once for each set of columns that change, and kept for 300 sets", () => {
  const { keeper, prepared } = makeKeeper();
  for (let bits = 1; bits <= 300; bits++) keeper.change(ROW, changed(bits));
  keeper.change(ROW, changed(1));
  assert.equal(prepared(), 300);
  keeper.change({ ...ROW, cells: ROW.cells.with(2, null) }, changed(1));
  assert.equal(prepared(), 301, "a cell that was empty is another change");
  keeper.change(ROW, changed(2));
  assert.equal(prepared(), 302, "what was kept before the 301st is forgotten");
});
