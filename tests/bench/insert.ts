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
      bare.push(
        ROWS / await milliseconds(() => bareInserts(folder.file(`bare-${round}.sqlite`), rows)) * 1000,
      );
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

/** What one would write by hand: a table with the report's columns and key, one prepared statement, one transaction. */
function bareInserts(path: string, rows: readonly Record<string, unknown>[]): void {
  const { columns } = reportLayout("sp_targeting");
  const names = columns.map(({ name }) => name);
  const key = columns.filter((column) => column.key).map(({ name }) => name);
  const database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  database.exec(
    `CREATE TABLE rows (profile_id TEXT NOT NULL, ${
      columns.map(({ name, type }) => `${name} ${type}`).join(", ")
    }, PRIMARY KEY (profile_id, ${key.join(", ")}))`,
  );
  const insert = database.prepare(
    `INSERT INTO rows (profile_id, ${names.join(", ")}) VALUES (?, ${names.map(() => "?").join(", ")})`,
  );
  database.exec("BEGIN IMMEDIATE");
  for (const row of rows) insert.run("1", ...names.map((name) => row[name] as string | number | null));
  database.exec("COMMIT");
  database.close();
}
