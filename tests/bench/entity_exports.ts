import { copyFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { type BenchLine, benchLine, median } from "./bench.ts";
import type { EntityFigures } from "./support/entity_process.ts";
import { startServer } from "./support/start_server.ts";

const SIZES = [10_000, 100_000];
const ROUNDS = 3;
const PROCESS = fileURLToPath(new URL("support/entity_process.ts", import.meta.url));

/**
 * Reading stored keywords again, of which every hundredth changed: by an export, against lists. Time is the processor's,
 * which a machine that is busy with something else changes little.
 */
export async function bench(): Promise<BenchLine[]> {
  const lines: BenchLine[] = [];
  for (const size of SIZES) lines.push(...await measure(size));
  return lines;
}

async function measure(size: number): Promise<BenchLine[]> {
  await using server = await startServer("export_server.ts", [size]);
  const folder = await temporaryFolder();
  try {
    const stored = folder.file("stored.sqlite");
    await run("list", stored, server.url);
    await fetch(`${server.url}/night`, { method: "POST" });
    const taken: Record<"list" | "export", EntityFigures[]> = { list: [], export: [] };
    for (let round = 0; round < ROUNDS; round++) {
      for (const source of ["list", "export"] as const) {
        const file = folder.file(`${source}_${round}.sqlite`);
        await copyFile(stored, file);
        const figures = await run(source, file, server.url);
        if (figures.changed !== size / 100) {
          throw new Error(`By ${source}, ${figures.changed} keywords changed`);
        }
        taken[source].push(figures);
      }
    }
    const name = `read ${size.toLocaleString("en-US")} stored keywords again by an export, 1 % changed`;
    const line = (what: string, unit: string, of: (figures: EntityFigures) => number): BenchLine =>
      benchLine(`${name}, ${what}`, median(taken.export.map(of)), {
        unit,
        baseline: median(taken.list.map(of)),
      });
    return [
      line("processor time", "s", ({ cpuMs }) => cpuMs / 1000),
      line("requests", "requests", ({ requests }) => requests),
      line("peak memory above idle", "MB", ({ peakMb }) => peakMb),
    ];
  } finally {
    await folder.remove();
  }
}

async function run(source: "list" | "export", file: string, url: string): Promise<EntityFigures> {
  const args = ["run", "-A", "-q", "--no-check", PROCESS, source, file, url];
  const { code, stdout } = await new Deno.Command(Deno.execPath(), { args, stderr: "inherit" }).output();
  if (code !== 0) throw new Error(`Reading by ${source} ended with ${code}`);
  return JSON.parse(new TextDecoder().decode(stdout));
}
