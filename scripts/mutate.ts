/**
 * Changes a folder's sources in small ways, one at a time, and prints the changes that no test notices.
 *
 *     deno task mutate FOLDER [--tests PATH]... [--limit N] [--seed N]
 *
 * FOLDER is a folder below src. The tests are those of the folder of the same name below tests, unless `--tests` names
 * others. `--limit` tries a random choice of so many changes, and `--seed` makes the choice again. Works on a copy, in
 * one process at a time. Survivors that are accepted stand in scripts/mutate/accepted.ts, with why. Exit 1 when a
 * survivor is not accepted.
 */
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ACCEPTED } from "./mutate/accepted.ts";
import { type Mutant, mutantsOf } from "./mutate/mutants.ts";

/** What the tests of a folder may read. */
const COPIED = [
  "src",
  "tests",
  "catalog",
  "docs",
  "scripts",
  "mod.ts",
  "cli.ts",
  "mcp.ts",
  "deno.json",
  "deno.lock",
  "README.md",
];
/** A run that takes so much longer than the first one never ends. */
const MAX_SLOWDOWN = 5;

const { values, positionals } = parseArgs({
  options: {
    tests: { type: "string", multiple: true },
    limit: { type: "string" },
    seed: { type: "string" },
  },
  allowPositionals: true,
});
const root = resolve(import.meta.dirname!, "..");
const folder = (positionals[0] ?? "").replace(/\/$/, "");
if (!/^src\/\w/.test(folder)) {
  console.error(`Cannot mutate "${folder}": expected a folder below src, for example src/batch`);
  Deno.exit(2);
}
const tests = values.tests ?? [`tests/${basename(folder)}`];
const copy = await Deno.makeTempDir({ prefix: "mutate-" });
try {
  for (const path of COPIED) await copyTree(join(root, path), join(copy, path));
  const first = await runTests(600);
  if (!first.passed) {
    console.error(
      `Cannot mutate ${folder}: ${tests.join(" ")} fails before anything is changed\n${first.output}`,
    );
    Deno.exit(2);
  }
  const seconds = Math.max(10, first.seconds * MAX_SLOWDOWN);
  const mutants = chosen(await allMutants());
  console.log(
    `${mutants.length} changes of ${folder}, tried with ${tests.join(" ")} (${
      first.seconds.toFixed(1)
    } s each)`,
  );
  const survivors: Mutant[] = [];
  for (const mutant of mutants) if (await survives(mutant, seconds)) survivors.push(mutant);
  const isAccepted = ({ path, before, after }: Mutant): boolean =>
    ACCEPTED.some((one) => one.path === path && one.before === before && one.after === after);
  const open = survivors.filter((mutant) => !isAccepted(mutant));
  for (const mutant of open) console.log(described(mutant));
  const noticed = mutants.length - survivors.length;
  const percent = mutants.length === 0 ? 100 : (100 * noticed) / mutants.length;
  console.log(
    `${noticed} of ${mutants.length} noticed (${percent.toFixed(1)} %), ${
      survivors.length - open.length
    } accepted, ${open.length} open`,
  );
  if (open.length > 0) Deno.exitCode = 1;
} finally {
  await Deno.remove(copy, { recursive: true });
}

async function allMutants(): Promise<Mutant[]> {
  const found: Mutant[] = [];
  for (const path of (await filesBelow(folder)).sort()) {
    found.push(...mutantsOf(path, await Deno.readTextFile(join(root, path))));
  }
  return found;
}

async function filesBelow(path: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(root, path))) {
    if (isDirectory) found.push(...await filesBelow(`${path}/${name}`));
    else if (/\.ts$/.test(name) && !/\.d\.ts$/.test(name)) found.push(`${path}/${name}`);
  }
  return found;
}

/** A random choice of so many mutants as `--limit` says, in the order of the sources. */
function chosen(mutants: readonly Mutant[]): readonly Mutant[] {
  const limit = Number(values.limit ?? mutants.length);
  if (limit >= mutants.length) return mutants;
  const seed = Number(values.seed ?? crypto.getRandomValues(new Uint32Array(1))[0]);
  console.log(`Seed ${seed}`);
  let state = seed;
  const random = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0);
  const ranked = mutants.map((mutant, index) => ({ mutant, index, rank: random() }));
  const best = ranked.sort((a, b) => a.rank - b.rank).slice(0, limit);
  return best.sort((a, b) => a.index - b.index).map(({ mutant }) => mutant);
}

async function survives(mutant: Mutant, seconds: number): Promise<boolean> {
  const { path, start, end, after } = mutant;
  const text = await Deno.readTextFile(join(root, path));
  await Deno.writeTextFile(join(copy, path), text.slice(0, start) + after + text.slice(end));
  try {
    return (await runTests(seconds)).passed;
  } finally {
    await Deno.writeTextFile(join(copy, path), text);
  }
}

async function runTests(seconds: number): Promise<{ passed: boolean; seconds: number; output: string }> {
  const began = performance.now();
  const run = new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "-q", "--no-check", "--fail-fast", ...tests],
    cwd: copy,
    env: { NO_COLOR: "1" },
    stdin: "null",
    signal: AbortSignal.timeout(seconds * 1000),
  });
  const { success, stdout, stderr } = await run.output();
  const decoder = new TextDecoder();
  const output = (decoder.decode(stdout) + decoder.decode(stderr)).slice(-2000);
  return { passed: success, seconds: (performance.now() - began) / 1000, output };
}

function described({ path, line, before, after }: Mutant): string {
  const short = (text: string): string => {
    const flat = text.replace(/\s+/g, " ");
    return flat.length > 60 ? `${flat.slice(0, 57)}...` : flat;
  };
  return `${path}:${line} ${short(before)} -> ${after === ";" ? "(removed)" : short(after)}`;
}

async function copyTree(from: string, to: string): Promise<void> {
  const { isDirectory } = await Deno.stat(from);
  if (!isDirectory) return await Deno.copyFile(from, to);
  await Deno.mkdir(to, { recursive: true });
  for await (const { name } of Deno.readDir(from)) await copyTree(join(from, name), join(to, name));
}
