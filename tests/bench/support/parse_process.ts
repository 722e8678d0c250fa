/**
 * Reads a report file in one of several ways in a process of its own, and prints how long it took, how many rows there
 * were, and the most memory it needed above what an idle process has.
 *
 *     deno run -A parse_process.ts scanner|run|plain|store FILE
 *
 * @module
 */
import { createReadStream } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import process from "node:process";
import { gunzipSync } from "node:zlib";
import { readRows } from "../../../src/client/reports/file/read_rows.ts";
import { peakMemory } from "./peak_memory.ts";
import { Warehouse } from "../../../src/store/mod.ts";

/** What one reading took. */
export interface ParseFigures {
  /** Milliseconds. */
  readonly ms: number;
  /** Rows. */
  readonly rows: number;
  /** Megabytes of memory above idle at the peak. */
  readonly peakMb: number;
}

const WAYS: Readonly<Record<string, (path: string) => Promise<number>>> = {
  scanner: async (path) => {
    let rows = 0;
    for await (const batch of readRows(createReadStream(path))) rows += batch.length;
    return rows;
  },
  // As `run()` does, which keeps every row.
  run: async (path) => {
    const rows: unknown[] = [];
    for await (const batch of readRows(createReadStream(path))) for (const row of batch) rows.push(row);
    return rows.length;
  },
  // The plainest code, which needs the whole file at once; ids past 2^53 lose digits.
  plain: async (path) =>
    (JSON.parse(new TextDecoder().decode(gunzipSync(await readFile(path)))) as unknown[]).length,
  store: async (path) => {
    const place = `${path}.sqlite`;
    const store = await Warehouse.open(place);
    const what = {
      profileId: "1",
      countryCode: "US",
      report: "sp_targeting",
      start: "2026-08-01",
      end: "2026-08-31",
    };
    const rows = await store.replace(what, readRows(createReadStream(path)));
    await store.close();
    for (const ending of ["", "-wal", "-shm"]) await rm(`${place}${ending}`, { force: true });
    return rows;
  },
};

if (process.argv.length > 3) {
  const [way, path] = process.argv.slice(2) as [string, string];
  const idle = process.memoryUsage().rss;
  const began = performance.now();
  const rows = await WAYS[way]!(path);
  const ms = performance.now() - began;
  const figures: ParseFigures = { ms, rows, peakMb: (peakMemory() - idle) / 1e6 };
  console.log(JSON.stringify(figures));
}
