/**
 * Changes sources in small ways, one at a time, and prints the changes that no test notices.
 *
 *     deno task mutate PATH... [--tests PATH]... [--then PATH]... [--limit N] [--seed N]
 *
 * PATH is a folder or a file below src. The tests are those of the folder of the same name below tests, or of the
 * nearest one above it, unless `--tests` names others. Each file of tests is run once to learn which lines it reaches,
 * which is kept in the folder for temporary files; a change is then tried with the files that reach its line, first by the
 * tests that noticed another change of the same source, then the quickest file first, and where none of them notices it
 * with those of `--then`. `--limit` tries a random choice of so many changes, and `--seed` makes the choice again. Works
 * on a copy, in one process at a time. Survivors that are accepted stand below scripts/mutate/accepted, with why. Exit 1
 * when a survivor is not accepted.
 */
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ACCEPTED } from "./mutate/accepted.ts";
import { type Mutant, mutantsOf } from "./mutate/mutants.ts";
import { type KnownTests, measureTests } from "./mutate/known_tests.ts";
import { runTests } from "./mutate/test_run.ts";

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
/** Tests that take so much longer than before the change, and so many seconds more where nothing else runs, never end. */
const [MAX_SLOWDOWN, MIN_TIME] = [3, 10];
/** Tests of a file that are tried first because they noticed other changes. */
const MAX_FIRST = 12;

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
const sources = positionals.map((path) => path.replace(/\/$/, ""));
if (sources.length === 0 || !sources.every((path) => /^src\/\w/.test(path))) {
  console.error(`Cannot mutate "${sources.join(" ")}": expected paths below src, for example src/batch`);
  Deno.exit(2);
}
const tests = values.tests ?? [...new Set(await Promise.all(sources.map(testsOf)))];
/** Names of tests that noticed a change, the newest first: by the source, then by the file of tests. */
const noticing = new Map<string, Map<string, string[]>>();
let stopped = 0;
let known: readonly KnownTests[] = [];
let knownLater: readonly KnownTests[] | undefined;
const copy = await Deno.makeTempDir({ prefix: "mutate-" });
try {
  for (const path of COPIED) await copyTree(join(root, path), join(copy, path));
  known = await knownTests(tests);
  const mutants = chosen(await allMutants());
  console.log(
    `${mutants.length} changes of ${sources.join(" ")}, tried with ${known.length} files of ${
      tests.join(" ")
    }`,
  );
  const isAccepted = ({ path, context, before, after }: Mutant): boolean =>
    ACCEPTED.some((one) =>
      one.path === path && one.before === before && one.after === after && context.includes(one.within ?? "")
    );
  let [accepted, open] = [0, 0];
  for (const mutant of mutants) {
    if (!await survives(mutant, known)) continue;
    knownLater ??= await knownTests(values.then ?? []);
    if (!await survives(mutant, knownLater)) continue;
    if (isAccepted(mutant)) {
      accepted++;
      continue;
    }
    open++;
    const isReached = [...known, ...knownLater].some((one) => one.lines.has(`${mutant.path}:${mutant.line}`));
    console.log(`${described(mutant)}${isReached ? "" : " (no test runs this line)"}`);
  }
  const noticed = mutants.length - accepted - open;
  const percent = mutants.length === 0 ? 100 : (100 * noticed) / mutants.length;
  console.log(
    `${noticed} of ${mutants.length} noticed (${
      percent.toFixed(1)
    } %), ${stopped} of them because tests did not end; ` +
      `${accepted} accepted, ${open} open`,
  );
  if (open > 0) Deno.exitCode = 1;
} finally {
  await Deno.remove(copy, { recursive: true });
}

/** The folder of tests that mirrors a source, or the nearest one above it. */
async function testsOf(source: string): Promise<string> {
  let path = source.replace(/^src/, "tests");
  const isFolder = (): Promise<boolean> =>
    Deno.stat(join(root, path)).then(({ isDirectory }) => isDirectory, () => false);
  while (path !== "tests" && !await isFolder()) path = dirname(path);
  return path;
}

async function allMutants(): Promise<Mutant[]> {
  const found: Mutant[] = [];
  const paths = new Set((await Promise.all(sources.map(filesBelow))).flat());
  for (const path of [...paths].sort()) {
    found.push(...mutantsOf(path, await Deno.readTextFile(join(copy, path))));
  }
  return found;
}

/** The TypeScript files of a folder, or the file itself. */
async function filesBelow(path: string): Promise<string[]> {
  if ((await Deno.stat(join(copy, path))).isFile) return [path];
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(copy, path))) {
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
  const text = await Deno.readTextFile(join(copy, path));
  await Deno.writeTextFile(join(copy, path), text.slice(0, start) + after + text.slice(end));
  try {
    const first = reaching.flatMap((one) => {
      const names = noticing.get(path)?.get(one.file);
      return names === undefined ? [] : [{ ...one, names }];
    });
    for (const one of [...first, ...reaching]) if (await isNoticed(path, one)) return false;
    return true;
  } finally {
    await Deno.writeTextFile(join(copy, path), text);
  }
}

/** Runs a file of tests, or some of them, over the changed copy. */
async function isNoticed(
  path: string,
  { file, seconds, names }: KnownTests & { readonly names?: readonly string[] },
): Promise<boolean> {
  const busy = Math.max(1, (Deno.loadavg()[0] ?? 0) / navigator.hardwareConcurrency);
  const run = await runTests(copy, file, { seconds: busy * MIN_TIME + seconds * MAX_SLOWDOWN, names });
  if (run.isStopped) stopped++;
  const { failed } = run;
  if (failed !== undefined) {
    const ofSource = noticing.get(path) ?? new Map<string, string[]>();
    const others = (ofSource.get(file) ?? []).filter((name) => name !== failed);
    ofSource.set(file, [failed, ...others].slice(0, MAX_FIRST));
    noticing.set(path, ofSource);
  }
  return !run.passed;
}

/** The files of tests, the quickest first. Ends the program where one fails before anything is changed. */
async function knownTests(paths: readonly string[]): Promise<KnownTests[]> {
  const measuredTests: KnownTests[] = [];
  const isTest = (path: string): boolean => path.endsWith("_test.ts");
  for (const path of paths) {
    for (const file of isTest(path) ? [path] : (await filesBelow(path)).filter(isTest).sort()) {
      const measured = await measureTests(copy, file);
      if (typeof measured !== "string") measuredTests.push(measured);
      else {
        console.error(
          `Cannot mutate ${sources.join(" ")}: ${file} fails before anything is changed\n${measured}`,
        );
        await Deno.remove(copy, { recursive: true });
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
