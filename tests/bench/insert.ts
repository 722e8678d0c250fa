import { DatabaseSync } from "node:sqlite";
import { reportLayout, Warehouse } from "../../src/store/mod.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { type BenchLine, benchLine, median, milliseconds } from "./bench.ts";
import { targetingRow } from "./support/big_report.ts";

const ROWS = 150_000;
const ROUNDS = 3;
const BATCH = 100;
const RANGE = { start: "2026-08-01", end: "2026-08-31" };

/** Measures storing rows against bare prepared inserts of the same rows into a table with the same key. */
export async function bench(): Promise<BenchLine[]> {
  const rows = Array.from({ length: ROWS }, (_, i) => targetingRow(i, ROWS / 31));
  const batches = Array.from({ length: ROWS / BATCH }, (_, i) => rows.slice(i * BATCH, (i + 1) * BATCH));
  const folder = await temporaryFolder();
  const ours: number[] = [];
  const bare: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const hand = handMade(folder.file(`bare-${round}.sqlite`));
      bare.push(ROWS / await milliseconds(() => bareInserts(hand, rows)) * 1000);
      hand.close();
      const store = await Warehouse.open(folder.file(`store-${round}.sqlite`));
      const what = { profileId: "1", countryCode: "US", report: "sp_targeting", ...RANGE };
      ours.push(ROWS / await milliseconds(() => store.replace(what, batches)) * 1000);
      await store.close();
    }
  } finally {
    await folder.remove();
  }
  return [benchLine("store rows", median(ours), { unit: "rows/s", baseline: median(bare) })];
}

const LAYOUT = reportLayout("sp_targeting").columns;
const NAMES = LAYOUT.map(({ name }) => name);

/** What one would make by hand: a table with the report's columns and key. */
function handMade(path: string): DatabaseSync {
  const key = LAYOUT.filter((column) => column.key).map(({ name }) => name);
  const database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  database.exec(
    `CREATE TABLE rows (profile_id TEXT NOT NULL, ${
      LAYOUT.map(({ name, type }) => `${name} ${type}`).join(", ")
    }, PRIMARY KEY (profile_id, ${key.join(", ")}))`,
  );
  return database;
}

/** One prepared statement, one transaction. */
function bareInserts(database: DatabaseSync, rows: readonly Record<string, unknown>[]): void {
  const insert = database.prepare(
    `INSERT INTO rows (profile_id, ${NAMES.join(", ")}) VALUES (?, ${NAMES.map(() => "?").join(", ")})`,
  );
  database.exec("BEGIN IMMEDIATE");
  for (const row of rows) insert.run("1", ...NAMES.map((name) => row[name] as string | number | null));
  database.exec("COMMIT");
}
