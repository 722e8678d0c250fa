import { hasPostgres, makeDatabase, testServer } from "../support/postgres.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { type BenchLine, benchLine } from "./bench.ts";
import { copied, fillPlacements, published } from "./support/lake_rows.ts";

/** Rows without the option `--rows=N`. 30 million need 15 GB of disk for some minutes. */
const ROWS = 300_000;
/** Rows after which a line says how far it is. */
const SAID = 5_000_000;

/**
 * Rows a second from PostgreSQL into a lake of Parquet files, against COPY of the same rows to one CSV file, and the most
 * memory that each process needs: above that of an open connection, and as a whole.
 */
export async function bench(options: readonly string[] = []): Promise<BenchLine[]> {
  if (!hasPostgres || Deno.build.os !== "linux") return [];
  const wanted = options.find((word) => word.startsWith("--rows="))?.slice("--rows=".length);
  const rows = wanted === undefined ? ROWS : Number(wanted.replaceAll("_", ""));
  if (!Number.isSafeInteger(rows) || rows < 1) throw new TypeError(`Cannot publish ${wanted} rows`);
  const count = rows.toLocaleString("en");
  const began = performance.now();
  const tell = (text: string): void => {
    if (rows >= SAID) console.error(`${((performance.now() - began) / 1000).toFixed(0)} s: ${text}`);
  };
  const server = await testServer();
  await using folder = await temporaryFolder();
  try {
    const address = await makeDatabase(server);
    await fillPlacements(address, rows, (done) => {
      if (done % SAID === 0 || done === rows) tell(`${done.toLocaleString("en")} of ${count} rows stored`);
    });
    const csv = await copied(address, folder.file("rows.csv"));
    await Deno.remove(folder.file("rows.csv"));
    tell("copied to CSV");
    const lake = await published(address, folder.file("lake"));
    tell("published");
    for (const made of [csv, lake]) {
      if (made.rows !== rows) throw new Error(`${made.rows} of ${rows} rows were written`);
    }
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
      benchLine(`whole process that publishes ${count} rows from PostgreSQL`, lake.wholeMb, {
        unit: "MB",
        baseline: csv.wholeMb,
      }),
    ];
  } finally {
    await server.stop();
  }
}
