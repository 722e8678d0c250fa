import { hasPostgres, makeDatabase, testServer } from "../support/postgres.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { Warehouse } from "../../src/store/warehouse/warehouse.ts";
import { type BenchLine, benchLine } from "./bench.ts";
import { copied, published, storePlacementsByMonth } from "./support/lake_rows.ts";

/** Rows without the option `--rows=N`; the largest size that was tried is 30 million. */
const ROWS = 300_000;

/**
 * Rows a second from PostgreSQL into a lake of Parquet files, against COPY of the same rows to one CSV file, and the most
 * memory that each needs above that of its process with an open connection.
 */
export async function bench(options: readonly string[] = []): Promise<BenchLine[]> {
  if (!hasPostgres || Deno.build.os !== "linux") return [];
  const wanted = options.find((word) => word.startsWith("--rows="))?.slice("--rows=".length);
  const rows = wanted === undefined ? ROWS : Number(wanted.replaceAll("_", ""));
  if (!Number.isSafeInteger(rows) || rows < 1) throw new TypeError(`Cannot publish ${wanted} rows`);
  const server = await testServer();
  await using folder = await temporaryFolder();
  try {
    const address = await makeDatabase(server);
    const store = await Warehouse.open(address);
    await storePlacementsByMonth(store, rows);
    await store.close();
    const csv = await copied(address, folder.file("rows.csv"));
    await Deno.remove(folder.file("rows.csv"));
    const lake = await published(address, folder.file("lake"));
    for (const made of [csv, lake]) {
      if (made.rows !== rows) throw new Error(`${made.rows} of ${rows} rows were written`);
    }
    const count = rows.toLocaleString("en");
    const perSecond = (ms: number): number => rows / (ms / 1000);
    return [
      benchLine(`publish ${count} rows from PostgreSQL`, perSecond(lake.ms), {
        unit: "rows/s",
        baseline: perSecond(csv.ms),
      }),
      benchLine(`memory of publishing ${count} rows from PostgreSQL`, lake.peakMb, {
        unit: "MB",
        baseline: csv.peakMb,
      }),
    ];
  } finally {
    await server.stop();
  }
}
