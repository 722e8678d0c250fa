import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { Cell } from "../../../src/store/model/encode_rows.ts";
import { type ReportLayout, reportLayout } from "../../../src/store/model/report_layout.ts";
import { RowWriter } from "../../../src/store/sqlite/row_writer.ts";
import { addReport, migrate } from "../../../src/store/sqlite/schema.ts";

/** A report of few columns. */
const LAYOUT: ReportLayout = {
  ...reportLayout("sp_campaigns"),
  report: "few",
  table: "rows_few",
  view: "few",
  columns: [
    { name: "date", type: "date", key: true },
    { name: "campaignId", type: "text", key: true },
    { name: "cost", type: "real", key: false },
    { name: "clicks", type: "integer", key: false },
  ],
};
const [FIRST, SECOND] = ["2026-09-01", "2026-09-02"];

/** A store in memory, which notes what is prepared and counts what is written. */
class Store {
  readonly database: DatabaseSync = new DatabaseSync(":memory:");
  prepared: string[] = [];
  #now = 0;

  constructor() {
    migrate(this.database, []);
    addReport(this.database, LAYOUT);
    const prepare = this.database.prepare.bind(this.database);
    this.database.prepare = (sql) => {
      this.prepared.push(sql.replace(/\s+/g, " "));
      return prepare(sql);
    };
  }

  writer(): RowWriter {
    const pull = { profileId: "1", countryCode: "US", layout: LAYOUT, start: FIRST!, end: SECOND! };
    return new RowWriter(
      this.database,
      { ...pull, reportIds: [], pulledAt: "2026-09-03T00:00:00.000Z", madeAt: null },
      ++this.#now,
    );
  }

  /** Brings both days to these rows, as a pull does. */
  pull(...rows: readonly Cell[][]): void {
    const writer = this.writer();
    for (const row of rows) writer.add(row);
    writer.finish();
    for (const day of [FIRST!, SECOND!]) {
      this.database.prepare(
        "INSERT OR REPLACE INTO days VALUES ('1', 'few', ?, ?, 1, '', NULL, NULL, NULL, NULL)",
      )
        .run(day, writer.rowsOn(day));
    }
    this.prepared = [];
  }

  /** What a pull writes of rows, their versions and hashes, and how many days it reads rows of. */
  costOf(...rows: readonly Cell[][]): { written: number; daysRead: number } {
    const writer = this.writer();
    const before = this.#changes();
    for (const row of rows) writer.add(row);
    writer.finish();
    const written = this.#changes() - before;
    const reads = this.prepared.filter((sql) =>
      sql.includes("FROM rows_few WHERE profile_id = ? AND date = ?")
    );
    this.prepared = [];
    return { written, daysRead: reads.length };
  }

  /** Days that have hashes beside them, with the number of these. */
  hashes(): unknown[] {
    return this.database.prepare("SELECT date, length(hashes) / 8 AS n FROM day_hashes ORDER BY date").all()
      .map(({ date, n }) => [date, n]);
  }

  costs(table = "rows_few"): unknown[] {
    return this.database.prepare(`SELECT cost FROM ${table} ORDER BY campaignId, repeat`).all()
      .map(({ cost }) => cost);
  }

  #changes(): number {
    return Number(this.database.prepare("SELECT total_changes() AS n").get()!["n"]);
  }
}

function row(date: string | undefined, campaignId: string, cost: number | null, clicks = 1): Cell[] {
  return [date!, campaignId, cost, clicks, null];
}

test("rows of days that nothing is stored of are written as they come, not held until the last", () => {
  const store = new Store();
  const writer = store.writer();
  writer.add(row(FIRST, "1", 5));
  assert.deepEqual(store.costs(), [5]);
  assert.deepEqual([writer.rows, writer.rowsOn(FIRST!), writer.rowsOn(SECOND!)], [1, 1, 0]);
});

test("days that come as they are stored are told by the hashes beside them: nothing is read of them or written", () => {
  const store = new Store();
  const rows = [row(FIRST, "1", 5), row(FIRST, "2", 6), row(SECOND, "1", 7)];
  store.pull(...rows);
  assert.deepEqual(store.hashes(), [[FIRST, 2], [SECOND, 1]]);
  assert.deepEqual(store.costOf(...rows), { written: 0, daysRead: 0 });
});

test("a changed day is compared by what came of it, and other days stay as they are", () => {
  const store = new Store();
  store.pull(row(FIRST, "1", 5), row(FIRST, "2", 6), row(SECOND, "1", 7));
  // The row, its version, the number that it is found by, and the hashes of its day.
  const changed = [row(FIRST, "1", 9), row(FIRST, "2", 6), row(SECOND, "1", 7)];
  assert.deepEqual(store.costOf(...changed), { written: 4, daysRead: 0 });
  assert.deepEqual(store.costOf(...changed), { written: 0, daysRead: 0 });
});

test("a day that rows vanished from is compared by what is left of it, and an empty one by nothing", () => {
  const store = new Store();
  store.pull(row(FIRST, "1", 5), row(FIRST, "2", 6), row(SECOND, "1", 7));
  // The day is read to find the row, which goes into the history; then the hashes.
  assert.deepEqual(store.costOf(row(FIRST, "2", 6), row(SECOND, "1", 7)), { written: 3, daysRead: 1 });
  assert.deepEqual([store.hashes(), store.costs("rows_few_history")], [[[FIRST, 1], [SECOND, 1]], [5]]);
  store.pull(row(SECOND, "1", 7));
  assert.deepEqual([store.hashes(), store.costs()], [[[SECOND, 1]], [7]]);
});

test("a day without hashes that fit its rows is read, and has them from then on", () => {
  for (const spoil of ["DELETE FROM day_hashes", "UPDATE day_hashes SET hashes = zeroblob(8)"]) {
    const store = new Store();
    const rows = [row(FIRST, "1", 5), row(FIRST, "2", 6)];
    store.pull(...rows);
    store.database.exec(spoil);
    assert.deepEqual(store.costOf(...rows), { written: 1, daysRead: 1 }, spoil);
    assert.deepEqual(store.hashes(), [[FIRST, 2]]);
    assert.deepEqual(store.costOf(...rows), { written: 0, daysRead: 0 });
  }
});

test("new rows are written in the order of the table, those of one key in the order that they came", () => {
  const store = new Store();
  store.pull(row(FIRST, "0", 1), row(SECOND, "0", 1));
  store.database.exec(
    `CREATE TABLE written (text TEXT);
     CREATE TRIGGER note AFTER INSERT ON rows_few BEGIN
       INSERT INTO written VALUES (NEW.date || ' ' || NEW.campaignId || ' ' || NEW.cost);
     END`,
  );
  const added = [
    row(SECOND, "1", 4),
    row(SECOND, "1", 3),
    row(FIRST, "3", 1),
    row(FIRST, "2", 7),
    row(FIRST, "2", 5),
  ];
  store.pull(row(FIRST, "0", 1), ...added, row(SECOND, "0", 1));
  const written = store.database.prepare("SELECT text FROM written").all().map(({ text }) => text);
  const wanted = [`${FIRST} 2 7.0`, `${FIRST} 2 5.0`, `${FIRST} 3 1.0`, `${SECOND} 1 4.0`, `${SECOND} 1 3.0`];
  assert.deepEqual(written, wanted);
  assert.deepEqual(store.costs(), [1, 1, 4, 3, 7, 5, 1]);
});
