import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { writeBigReport } from "../bench/support/big_report.ts";
import type { ParseFigures } from "../bench/support/parse_process.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { longFile } from "../support/long.ts";

longFile();

const MEGABYTES = process.env["RELIABILITY"] === "full" ? 300 : 40;
const MAX_MEMORY = 100;
const READER = fileURLToPath(new URL("../bench/support/parse_process.ts", import.meta.url));

test(`a report of ${MEGABYTES} MB is read and stored within ${MAX_MEMORY} MB of memory above idle`, async () => {
  const folder = await temporaryFolder();
  try {
    const path = folder.file("report.json.gz");
    const rows = await writeBigReport(path, MEGABYTES);
    for (const way of ["scanner", "store"]) {
      const runtime = "Deno" in globalThis ? ["run", "-A", "-q"] : [];
      // A machine that is busy collects garbage late: the lower of two peaks is what the work needs.
      const peaks: number[] = [];
      while (peaks.length === 0 || (peaks.length === 1 && peaks[0]! >= MAX_MEMORY)) {
        const { stdout } = await promisify(execFile)(process.execPath, [...runtime, READER, way, path]);
        const figures = JSON.parse(stdout) as ParseFigures;
        assert.equal(figures.rows, rows, way);
        peaks.push(figures.peakMb);
      }
      assert(Math.min(...peaks) < MAX_MEMORY, `${way} needed ${peaks.map((peak) => peak.toFixed(0))} MB`);
    }
  } finally {
    await folder.remove();
  }
});
