import config from "../../deno.json" with { type: "json" };
import { type BenchLine, benchLine, milliseconds } from "./bench.ts";

/** What each lane may take on two idle cores, in seconds. */
const LANES = [
  { task: "test", processor: 450, wall: 240 },
  { task: "test:long", processor: 1200, wall: 600 },
] as const;

/** What the two lanes of tests take, by version: the time of the clock and, on Linux, that of the processor. */
export async function bench(): Promise<BenchLine[]> {
  const lines: BenchLine[] = [];
  for (const { task, processor, wall } of LANES) {
    const name = `deno task ${task} of ${config.version}`;
    const before = await processorSeconds();
    const time = await milliseconds(() => run(task));
    lines.push(benchLine(`${name}, by the clock`, time / 1000, { unit: "s", baseline: wall }));
    if (before === undefined) continue;
    const used = (await processorSeconds() ?? before) - before;
    lines.push(benchLine(`${name}, processor`, used, { unit: "s", baseline: processor }));
  }
  return lines;
}

async function run(task: string): Promise<void> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["task", "-q", task],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  // Standard output is for the lines of the benchmark.
  await child.stdout.pipeTo(Deno.stderr.writable, { preventClose: true });
  const { code } = await child.status;
  if (code !== 0) throw new Error(`"deno task ${task}" ended with ${code}`);
}

/** Processor time of the processes that this one has started and that have ended, theirs included. */
async function processorSeconds(): Promise<number | undefined> {
  if (Deno.build.os !== "linux") return undefined;
  const stat = await Deno.readTextFile("/proc/self/stat");
  const [user = 0, system = 0] = stat.slice(stat.lastIndexOf(")") + 2).split(" ").slice(13, 15).map(Number);
  return (user + system) / TICKS;
}

/** Ticks of the kernel's clock in a second. */
const TICKS = 100;
