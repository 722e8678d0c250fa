import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { type BenchLine, benchLine, median } from "./bench.ts";
import { writeBigReport } from "./support/big_report.ts";
import type { ParseFigures } from "./support/parse_process.ts";

const MEGABYTES = 300;
const ROUNDS = 3;

/** Measures reading a 300 MB report against unpacking it whole and parsing it at once, each in a process of its own. */
export async function bench(): Promise<BenchLine[]> {
  const path = `${tmpdir()}/platform-ads-bench-${crypto.randomUUID()}.json.gz`;
  try {
    const rows = await writeBigReport(path, MEGABYTES);
    const figures: Record<string, ParseFigures[]> = { scanner: [], run: [], plain: [], store: [] };
    for (let round = 0; round < ROUNDS; round++) {
      for (const [way, list] of Object.entries(figures)) list.push(await measure(way, path));
    }
    if (Object.values(figures).flat().some((one) => one.rows !== rows)) throw new Error("Rows went missing");
    const ms = (way: string): number => median(figures[way]!.map((one) => one.ms));
    const peak = (way: string): number => Math.max(...figures[way]!.map((one) => one.peakMb));
    return [
      benchLine("parse a 300 MB report", ms("scanner"), { unit: "ms", baseline: ms("plain") }),
      benchLine("parse a 300 MB report, peak memory above idle", peak("scanner"), {
        unit: "MB",
        baseline: peak("plain"),
      }),
      benchLine("read a 300 MB report into a list, as run() does", ms("run"), {
        unit: "ms",
        baseline: ms("plain"),
      }),
      benchLine("read a 300 MB report into a list, peak memory above idle", peak("run"), {
        unit: "MB",
        baseline: peak("plain"),
      }),
      benchLine("parse and store a 300 MB report", ms("store"), { unit: "ms" }),
      benchLine("parse and store a 300 MB report, peak memory above idle", peak("store"), {
        unit: "MB",
        baseline: 100,
      }),
    ];
  } finally {
    await rm(path, { force: true });
  }
}

async function measure(way: string, path: string): Promise<ParseFigures> {
  const script = new URL("./support/parse_process.ts", import.meta.url).href;
  const args = ["run", "-A", "-q", script, way, path];
  const { stdout, success, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}
