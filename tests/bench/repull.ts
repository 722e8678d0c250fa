import { DatabaseSync } from "node:sqlite";
import { addDays } from "../../src/base/time/calendar.ts";
import type { ReportRow } from "../../src/client/reports/file/report_row.ts";
import { encodeRow } from "../../src/store/model/encode_rows.ts";
import { reportLayout, Warehouse } from "../../src/store/mod.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { type BenchLine, benchLine, median, processorTime } from "./bench.ts";

const DAYS = 42;
const ROWS_A_DAY = 800;
const ROWS = DAYS * ROWS_A_DAY;
const ROUNDS = 5;
const LAYOUT = reportLayout("sp_targeting");
const RANGE = { start: "2026-08-01", end: addDays("2026-08-01", DAYS - 1) };

/**
 * Measures, by the processor's time, pulling 42 days again of which 5 % of the rows changed, against deleting and inserting
 * the same rows in a table made by hand.
 */
export async function bench(): Promise<BenchLine[]> {
  const folder = await temporaryFolder();
  try {
    let now = Date.parse("2026-09-30T00:00:00Z");
    const store = await Warehouse.open(folder.file("store.sqlite"), { now: () => now });
    const what = { profileId: "1", countryCode: "US", report: "sp_targeting", ...RANGE };
    const hand = handMade(folder.file("hand.sqlite"));
    const [ours, bare]: [number[], number[]] = [[], []];
    await store.replace(what, batches(rowsOf(0)));
    replaceBare(hand, rowsOf(0));
    for (let round = 1; round <= ROUNDS; round++) {
      now += 86_400_000;
      const rows = rowsOf(round);
      ours.push(ROWS / await processorTime(() => store.replace(what, batches(rows))) * 1000);
      bare.push(ROWS / await processorTime(() => replaceBare(hand, rows)) * 1000);
    }
    hand.close();
    await store.close();
    return [
      benchLine("pull 42 days again, 5 % of rows changed", median(ours), {
        unit: "rows/s",
        baseline: median(bare),
      }),
    ];
  } finally {
    await folder.remove();
  }
}

/** Rows as a report has them; each round changes every twentieth. */
function rowsOf(round: number): ReportRow[] {
  const rows = Array.from({ length: ROWS }, (_, n): ReportRow => {
    const keyword = n % ROWS_A_DAY;
    const row: ReportRow = { date: addDays(RANGE.start, Math.floor(n / ROWS_A_DAY)) };
    for (const [index, { name, type, key }] of LAYOUT.columns.entries()) {
      if (name === "date") continue;
      row[name] = key
        ? String(987_654_321_012_000 + (name === "adGroupId" ? keyword % 50 : keyword))
        : type === "text"
        ? `Text ${name} ${keyword % 97}`
        : (n * (index + 7)) % 1000 + (n % 20 === 0 && name === "sales14d" ? round : 0);
    }
    return row;
  });
  return JSON.parse(JSON.stringify(rows));
}

function* batches(rows: readonly ReportRow[]): Generator<readonly ReportRow[]> {
  for (let at = 0; at < rows.length; at += 500) yield rows.slice(at, at + 500);
}

/** What one would make by hand: a table with the report's columns and key. */
function handMade(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  const key = LAYOUT.columns.filter((column) => column.key).map(({ name }) => `"${name}"`);
  database.exec("PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  database.exec(
    `CREATE TABLE rows (profile_id TEXT, ${
      LAYOUT.columns.map(({ name, type }) => `"${name}" ${type}`).join(", ")
    }, extra TEXT, PRIMARY KEY (profile_id, ${key.join(", ")})) WITHOUT ROWID`,
  );
  return database;
}

function replaceBare(database: DatabaseSync, rows: readonly ReportRow[]): void {
  const insert = database.prepare(
    `INSERT INTO rows VALUES (?, ${LAYOUT.columns.map(() => "?").join(", ")}, ?)`,
  );
  database.exec("BEGIN IMMEDIATE");
  database.prepare("DELETE FROM rows WHERE profile_id = ? AND date BETWEEN ? AND ?").run(
    "1",
    RANGE.start,
    RANGE.end,
  );
  for (const row of rows) insert.run("1", ...encodeRow(LAYOUT, row));
  database.exec("COMMIT");
}
