/**
 * Runs the benchmarks named on the command line, or every one, in turn and prints their lines. Each runs in a process
 * of its own, so that none is measured on another's heap.
 *
 *     deno task bench
 *     deno task bench list
 *     deno task bench --record     keeps what they printed, for docs/figures.md
 *     deno task bench year --large an option of the benchmark itself
 */
import type { BenchLine } from "./bench.ts";
import { type RecordedLine, updateRecord, writeRecord } from "./record.ts";

const NOT_BENCHMARKS = new Set(["bench.ts", "main.ts", "record.ts"]);

async function allNames(): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of Deno.readDir(new URL(".", import.meta.url))) {
    if (entry.isFile && entry.name.endsWith(".ts") && !NOT_BENCHMARKS.has(entry.name)) {
      names.push(entry.name.replace(/\.ts$/, ""));
    }
  }
  return names.sort();
}

async function runHere(name: string, options: readonly string[]): Promise<void> {
  const { bench } = await import(`./${name}.ts`) as {
    bench?: (options: readonly string[]) => Promise<BenchLine[]>;
  };
  if (bench === undefined) throw new TypeError(`Cannot run "${name}": the file exports no "bench"`);
  for (const line of await bench(options)) console.log(JSON.stringify(line));
}

/** Its lines; `undefined` when it failed. */
async function runApart(name: string, options: readonly string[]): Promise<RecordedLine[] | undefined> {
  const args = ["run", "-A", "-q", import.meta.url, "--here", name, ...options];
  const { success, stdout } = await new Deno.Command(Deno.execPath(), { args, stderr: "inherit" }).output();
  const text = new TextDecoder().decode(stdout);
  await Deno.stdout.write(stdout);
  if (success) {
    return text.trimEnd().split("\n").map((line) => ({ bench: name, ...JSON.parse(line) as BenchLine }));
  }
  console.error(`The benchmark "${name}" failed`);
  return undefined;
}

if (Deno.args[0] === "--here") {
  await runHere(Deno.args[1]!, Deno.args.slice(2));
} else {
  const record = Deno.args.includes("--record");
  const asked = Deno.args.filter((word) => !word.startsWith("--"));
  const options = Deno.args.filter((word) => word.startsWith("--") && word !== "--record");
  const known = await allNames();
  const unknown = asked.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    console.error(`There is no benchmark "${unknown.join('", "')}". There is ${known.join(", ")}`);
    Deno.exit(2);
  }
  const lines: (RecordedLine[] | undefined)[] = [];
  for (const name of asked.length > 0 ? asked : known) lines.push(await runApart(name, options));
  if (lines.includes(undefined)) Deno.exitCode = 1;
  else if (record) await (asked.length > 0 ? updateRecord : writeRecord)(lines.flatMap((some) => some!));
}
