/**
 * Changes a folder's sources in small ways, one at a time, and prints the changes that no test notices.
 *
 *     deno task mutate FOLDER [--tests PATH]... [--then PATH]... [--limit N] [--seed N]
 *
 * FOLDER is a folder below src. The tests are those of the folder of the same name below tests, unless `--tests` names
 * others. Each file of tests is run once to learn which lines it reaches; a change is then tried with the files that
 * reach its line, the quickest first, and where none of them notices it with those of `--then`. `--limit` tries a random choice of so many changes, and `--seed` makes the choice
 * again. Works on a copy, in one process at a time. Survivors that are accepted stand in scripts/mutate/accepted.ts,
 * with why. Exit 1 when a survivor is not accepted.
 */
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ACCEPTED } from "./mutate/accepted.ts";
import { type Mutant, mutantsOf } from "./mutate/mutants.ts";
import { type KnownTests, measureTests, runTests } from "./mutate/test_run.ts";

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
/** Tests that take so much longer than before the change never end. */
const MAX_SLOWDOWN = 5;

const { values, positionals } = parseArgs({
  options: {
    tests: { type: "string", multiple: true },
    then: { type: "string", multiple: true },
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
let known: readonly KnownTests[] = [];
let knownLater: readonly KnownTests[] | undefined;
const copy = await Deno.makeTempDir({ prefix: "mutate-" });
try {
  for (const path of COPIED) await copyTree(join(root, path), join(copy, path));
  known = await knownTests(tests);
  const mutants = chosen(await allMutants());
  console.log(
    `${mutants.length} changes of ${folder}, tried with ${known.length} files of ${tests.join(" ")}`,
  );
  const survivors: Mutant[] = [];
  for (const mutant of mutants) {
    if (!await survives(mutant, known)) continue;
    knownLater ??= await knownTests(values.then ?? []);
    if (await survives(mutant, knownLater)) survivors.push(mutant);
  }
  const isAccepted = ({ path, before, after }: Mutant): boolean =>
    ACCEPTED.some((one) => one.path === path && one.before === before && one.after === after);
  const open = survivors.filter((mutant) => !isAccepted(mutant));
  for (const mutant of open) {
    const isReached = [...known, ...knownLater ?? []].some((one) =>
      one.lines.has(`${mutant.path}:${mutant.line}`)
    );
    console.log(`${described(mutant)}${isReached ? "" : " (no test runs this line)"}`);
  }
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

async function survives(mutant: Mutant, among: readonly KnownTests[]): Promise<boolean> {
  const { path, line, start, end, after } = mutant;
  const reaching = among.filter((one) => one.lines.has(`${path}:${line}`));
  const text = await Deno.readTextFile(join(root, path));
  await Deno.writeTextFile(join(copy, path), text.slice(0, start) + after + text.slice(end));
  try {
    for (const { file, seconds } of reaching) {
      const run = await runTests(copy, file, { seconds: Math.max(10, seconds * MAX_SLOWDOWN) });
      if (!run.passed) return false;
    }
    return true;
  } finally {
    await Deno.writeTextFile(join(copy, path), text);
  }
}

/** The files of tests, the quickest first. Ends the program where one fails before anything is changed. */
async function knownTests(paths: readonly string[]): Promise<KnownTests[]> {
  const measuredTests: KnownTests[] = [];
  const isTest = (path: string): boolean => path.endsWith("_test.ts");
  for (const path of paths) {
    for (const file of isTest(path) ? [path] : (await filesBelow(path)).filter(isTest).sort()) {
      const measured = await measureTests(copy, file, folder);
      if (typeof measured !== "string") measuredTests.push(measured);
      else {
        console.error(`Cannot mutate ${folder}: ${file} fails before anything is changed\n${measured}`);
        Deno.exit(2);
      }
    }
  }
  return measuredTests.sort((a, b) => a.seconds - b.seconds);
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
