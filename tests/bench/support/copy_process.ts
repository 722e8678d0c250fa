/**
 * Copies the placements of a store in PostgreSQL to a CSV file, in a process of its own: the plainest code that takes them
 * out. Prints the same figures as `lake_process.ts`.
 *
 *     deno run -A copy_process.ts STORE FILE
 *
 * @module
 */
import { createWriteStream } from "node:fs";
import process from "node:process";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import type { PublishFigures } from "./lake_rows.ts";
import { peakMemory, resetPeak } from "./peak_memory.ts";

const [, , address = "", path = ""] = process.argv;
const client = new pg.Client({ connectionString: address });
await client.connect();
resetPeak();
const idle = peakMemory();
const began = performance.now();
const copy = client.query(
  copyTo("COPY (SELECT * FROM platform_ads.sp_placement) TO STDOUT WITH (FORMAT csv, HEADER)"),
);
await pipeline(copy, createWriteStream(path));
const figures: PublishFigures = {
  ms: performance.now() - began,
  rows: copy.rowCount ?? 0,
  peakMb: (peakMemory() - idle) / 1e6,
  wholeMb: peakMemory() / 1e6,
};
await client.end();
console.log(JSON.stringify(figures));
