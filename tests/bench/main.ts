/**
 * Runs the benchmarks named on the command line, or every one, in turn and prints their lines. Each runs in a process
 * of its own, so that none is measured on another's heap.
 *
 *     deno task bench
 *     deno task bench list
 */
import type { BenchLine } from "./bench.ts";

const NOT_BENCHMARKS = new Set(["bench.ts", "main.ts"]);

async function allNames(): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of Deno.readDir(new URL(".", import.meta.url))) {
    if (entry.isFile && entry.name.endsWith(".ts") && !NOT_BENCHMARKS.has(entry.name)) {
      names.push(entry.name.replace(/\.ts$/, ""));
    }
  }
  return names.sort();
}

async function runHere(name: string): Promise<void> {
  const { bench } = await import(`./${name}.ts`) as { bench?: () => Promise<BenchLine[]> };
  if (bench === undefined) throw new TypeError(`Cannot run "${name}": the file exports no "bench"`);
  for (const line of await bench()) console.log(JSON.stringify(line));
}

async function runApart(name: string): Promise<boolean> {
  const args = ["run", "-A", "-q", import.meta.url, "--here", name];
  const { success } = await new Deno.Command(Deno.execPath(), { args, stdout: "inherit", stderr: "inherit" })
    .output();
  if (!success) console.error(`The benchmark "${name}" failed`);
  return success;
}

if (Deno.args[0] === "--here") {
  await runHere(Deno.args[1]!);
} else {
  const known = await allNames();
  const unknown = Deno.args.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    console.error(`There is no benchmark "${unknown.join('", "')}". There is ${known.join(", ")}`);
    Deno.exit(2);
  }
  let failed = 0;
  for (const name of Deno.args.length > 0 ? Deno.args : known) if (!await runApart(name)) failed++;
  if (failed > 0) Deno.exitCode = 1;
}
