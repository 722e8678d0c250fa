import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { type BenchLine, benchLine } from "./bench.ts";
import type { GrowthFigures } from "./support/growth_process.ts";
import { startKeywordServer } from "./support/start_keyword_server.ts";

const ENTITIES = [1_000, 10_000, 100_000, 1_000_000];
const PROFILES = [10, 100, 300];
const PROCESS = fileURLToPath(new URL("support/growth_process.ts", import.meta.url));

/**
 * How time and memory grow with the account: lists of entities, and syncs of three reports of a month for so many
 * profiles. Time is the processor's, which a machine that is busy with something else changes little.
 */
export async function bench(): Promise<BenchLine[]> {
  const lines: BenchLine[] = [];
  for (const size of ENTITIES) {
    await using server = await startKeywordServer(size, 1000);
    lines.push(...linesOf("list", "entities", size, await measured("entities", size, server.url)));
  }
  const folder = await temporaryFolder();
  try {
    for (const size of PROFILES) {
      lines.push(
        ...linesOf("sync", "profiles x 3 reports", size, await measured("profiles", size, folder.path)),
      );
    }
  } finally {
    await folder.remove();
  }
  return lines;
}

function linesOf(work: string, what: string, size: number, { cpuMs, peakMb }: GrowthFigures): BenchLine[] {
  const name = `${work} ${size.toLocaleString("en-US")} ${what}`;
  return [
    benchLine(`${name}, processor time`, cpuMs / 1000, { unit: "s" }),
    benchLine(`${name}, peak memory above idle`, peakMb, { unit: "MB" }),
  ];
}

async function measured(work: string, size: number, place: string): Promise<GrowthFigures> {
  const args = ["run", "-A", "-q", "--no-check", PROCESS, work, String(size), place];
  const { code, stdout } = await new Deno.Command(Deno.execPath(), { args, stderr: "inherit" }).output();
  if (code !== 0) throw new Error(`${work} ${size} ended with ${code}`);
  return JSON.parse(new TextDecoder().decode(stdout));
}
