import { cpus } from "node:os";
import type { BenchLine } from "./bench.ts";

const PATH = new URL("figures.jsonl", import.meta.url);

/** When and where a run was made. */
export interface BenchRun {
  /** Day, `YYYY-MM-DD`. */
  readonly date: string;
  /** Version of Deno. */
  readonly deno: string;
  /** Operating system and processor family. */
  readonly system: string;
  /** The processor. */
  readonly processor: string;
  /** How many of them. */
  readonly cores: number;
}

/** A line of a run that was kept. */
export interface RecordedLine extends BenchLine {
  /** The benchmark that printed it: what `deno task bench` is given to run it again. */
  readonly bench: string;
  /** Day on which it was measured, where that is another than that of the run. */
  readonly date?: string;
}

/** Keeps the lines of some benchmarks in place of those that they had before. */
export async function updateRecord(lines: readonly RecordedLine[]): Promise<void> {
  const { run, lines: before } = await readRecord();
  const names = new Set(lines.map(({ bench }) => bench));
  const renewed = new Set(lines.map(({ name }) => name));
  const date = today();
  const measured = lines.map((line) => ({ ...line, ...(date === run.date ? {} : { date }) }));
  const all = [
    ...before.filter((line) => isOfVersion(line) ? !renewed.has(line.name) : !names.has(line.bench)),
    ...measured,
  ];
  all.sort((a, b) => a.bench < b.bench ? -1 : a.bench > b.bench ? 1 : 0);
  await write(run, all);
}

/** Keeps a run in place of the one before. */
export async function writeRecord(lines: readonly RecordedLine[]): Promise<void> {
  const run: BenchRun = {
    date: today(),
    deno: Deno.version.deno,
    system: `${Deno.build.os} ${Deno.build.arch}`,
    processor: cpus()[0]?.model ?? "unknown",
    cores: navigator.hardwareConcurrency,
  };
  const renewed = new Set(lines.map(({ name }) => name));
  const older = (await readRecord()).lines.filter((line) => isOfVersion(line) && !renewed.has(line.name));
  await write(run, [...older, ...lines]);
}

/** True of figures of one version, which stay beside those of the next, so that growth is seen. */
function isOfVersion({ bench }: RecordedLine): boolean {
  return bench === "suite";
}

async function write(run: BenchRun, lines: readonly RecordedLine[]): Promise<void> {
  await Deno.writeTextFile(PATH, [run, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(""));
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** The run that is kept. */
export async function readRecord(): Promise<{ run: BenchRun; lines: RecordedLine[] }> {
  const [run, ...lines] = (await Deno.readTextFile(PATH)).trimEnd().split("\n").map((line) =>
    JSON.parse(line)
  );
  return { run, lines };
}
