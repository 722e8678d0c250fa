/**
 * Changes sources in small ways, one at a time, and prints the changes that no test notices.
 *
 *     deno task mutate PATH... [--tests PATH]... [--limit N] [--seed N] [--jobs N] [--all]
 *     deno task mutate PATH... --tests [--limit N] [--seed N] [--jobs N]
 *     deno task mutate --tests [--jobs N]
 *     deno task mutate PATH... --lanes [--limit N] [--seed N] [--jobs N] [--all]
 *
 * PATH is a folder or a file below src. The tests are those of the folder of the same name below tests, or of the
 * nearest one above it, unless `--tests` names others. Works on a copy that holds all changes, each asleep until its
 * turn. Every test runs twice in it to learn which changes it reaches and how long it takes; a change is then tried
 * with the tests that reach it, in the same process, first those that noticed another change of the source, then the
 * quickest. What none of them notices is tried once more in a new process, where it is active while modules are
 * loaded. Neither programs that tests start are changed, nor do leaks count that only `deno test` finds. `--limit`
 * tries a random choice of so many changes, and `--seed` makes the choice again; `--all` prints what noticed each
 * change too. Survivors that are accepted stand below scripts/mutate/accepted, with why. Exit 1 when a survivor is
 * not accepted.
 *
 * `--tests` without a path tries each change with every file of tests that reaches it, and prints by file what it costs,
 * how many changes it notices, and those that no other file does. Changes count that are active while a test runs.
 * Without any path it asks of each file that costs the everyday tests more than 2 s whether it notices any change of
 * src that no other everyday file does: of 40 changes at most, those first that the fewest other files reach.
 *
 * `--lanes` says what the long tests add: it tries each change with the everyday tests of the folder, those that are not
 * noticed with the nearest 60 files of everyday tests elsewhere, and the rest with the nearest 60 files of long tests.
 */
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { postgresPrograms, startCluster } from "../tests/support/postgres.ts";
import { ACCEPTED } from "./mutate/accepted.ts";
import type { Mutant } from "./mutate/mutant.ts";
import { copyProject, filesBelow } from "./mutate/project_copy.ts";
import { type LaneTests, tryByLane } from "./mutate/by_lane.ts";
import { switchable } from "./mutate/switchable.ts";
import { Trials } from "./mutate/trials.ts";
import { DEAR, MERGE, Worth } from "./mutate/worth.ts";
import { lanesOf } from "./run_tests/lanes.ts";

const weighs = Deno.args.some((word, at) => word === "--tests" && !/^tests\b/.test(Deno.args[at + 1] ?? ""));
const { values, positionals } = parseArgs({
  args: Deno.args.filter((word) => !weighs || word !== "--tests"),
  options: {
    tests: { type: "string", multiple: true },
    limit: { type: "string" },
    seed: { type: "string" },
    jobs: { type: "string" },
    all: { type: "boolean" },
    lanes: { type: "boolean" },
  },
  allowPositionals: true,
});
const root = resolve(import.meta.dirname!, "..");
const sources = positionals.map((path) => path.replace(/\/$/, ""));
const isOfAll = weighs && sources.length === 0;
if (isOfAll) sources.push("src");
else if (sources.length === 0 || !sources.every((path) => /^src\/\w/.test(path))) {
  console.error(
    `Cannot mutate "${sources.join(" ")}": expected paths below src, for example src/platform/batch`,
  );
  Deno.exit(2);
}
const tests = isOfAll ? ["tests"] : values.tests ?? [...new Set(await Promise.all(sources.map(testsOf)))];
const isGiven = Deno.env.has("PLATFORM_ADS_TEST_POSTGRES") || postgresPrograms() === undefined;
const server = isGiven ? undefined : await startCluster();
const copy = await Deno.makeTempDir({ prefix: "mutate-" });
let trials: Trials | undefined;
let cleaning: Promise<void> | undefined;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, () => void cleanUp().finally(() => Deno.exit(130)));
}
try {
  await copyProject(root, copy);
  const files = (await Promise.all(tests.map((path) => filesBelow(copy, path)))).flat()
    .filter((path) => path.endsWith("_test.ts"));
  const mutants = await plantMutants();
  const some = chosen(mutants);
  const measured = async (tests: Partial<LaneTests>): Promise<Trials> => {
    trials = new Trials({
      ...{ copy, files, mutants },
      jobs: Number(values.jobs ?? navigator.hardwareConcurrency),
      env: server === undefined ? {} : { PLATFORM_ADS_TEST_POSTGRES: server.url },
      ...tests,
    });
    for (const failing of await trials.measure()) console.log(`Left out, fails unchanged: ${failing}`);
    return trials;
  };
  console.log(
    `${some.length} of ${mutants.length} changes of ${
      sources.join(" ")
    }, tried with ${files.length} files of ${tests.join(" ")}`,
  );
  if (isOfAll) await findOwnChanges(mutants, files, measured);
  else if (weighs) {
    const trials = await measured({});
    const worth = new Worth(trials.costs());
    await trials.weigh(some, (mutant, noticing) => worth.add(described(mutant), noticing));
    for (const line of worth.lines()) console.log(line);
  } else if (values.lanes) await compareLanes(files, { some, measured });
  else await tryAll(await measured({}), some);
} catch (error) {
  // The processes of the tests were ended with the signal.
  if (cleaning === undefined) throw error;
} finally {
  await cleanUp();
}
Deno.exit();

/** Prints of each dear file of everyday tests a change that it alone notices. */
async function findOwnChanges(
  mutants: readonly Mutant[],
  files: readonly string[],
  measured: (tests: LaneTests) => Promise<Trials>,
): Promise<void> {
  const texts = await Promise.all(files.map((file) => Deno.readTextFile(join(copy, file))));
  const everyday = files.filter((_, at) => lanesOf(texts[at]!).includes("everyday"));
  const trials = await measured({ lane: "everyday", files: everyday, isBrief: true });
  const costs = trials.costs();
  const dear = everyday.filter((file) => costs.get(file)! > DEAR)
    .sort((a, b) => costs.get(b)! - costs.get(a)!);
  await trials.findOwn(dear, { mutants, most: 40 }, (file, { own, tried, noticed }) => {
    const what = own === undefined ? `nothing of its own (${MERGE})` : described(own);
    const cost = (costs.get(file)! / 1000).toFixed(1);
    console.log(`${cost} s, ${noticed} of ${tried} noticed: ${file}: ${what}`);
    if (own === undefined) Deno.exitCode = 1;
  });
}

/** Tries changes with the tests of both lanes, and prints what each noticed. */
async function compareLanes(
  files: readonly string[],
  { some, measured }: {
    readonly some: readonly Mutant[];
    readonly measured: (tests: LaneTests) => Promise<Trials>;
  },
): Promise<void> {
  const { everyday, long, accepted, open } = await tryByLane(some, {
    ...{ files, isAccepted },
    trialsWith: (tests) => {
      console.log(`${tests.files.length} files of ${tests.lane} tests`);
      return measured(tests);
    },
    tell: (mutant, { noticedBy }, lane) => {
      const isWorthALine = values.all || lane === "long" && noticedBy !== undefined;
      if (isWorthALine) console.log(`${described(mutant)}: ${noticedBy ?? "not noticed"} (${lane})`);
    },
  });
  for (const mutant of open) console.log(described(mutant));
  console.log(
    `Everyday tests noticed ${everyday} of ${some.length} (${
      percent(everyday, some)
    } %), with the long ones ${everyday + long} (${
      percent(everyday + long, some)
    } %); ${accepted} accepted, ${open.length} open`,
  );
  if (open.length > 0) Deno.exitCode = 1;
}

/** Tries changes until a test notices each, and prints those that none does. */
async function tryAll(trials: Trials, some: readonly Mutant[]): Promise<void> {
  const counts = { noticed: 0, stopped: 0, accepted: 0, open: 0 };
  await trials.run(some, (mutant, { noticedBy, isStopped, isUnreached }) => {
    if (values.all) console.log(`${described(mutant)}: ${noticedBy ?? "not noticed"}`);
    if (noticedBy !== undefined) {
      counts.noticed++;
      if (isStopped) counts.stopped++;
    } else if (isAccepted(mutant)) counts.accepted++;
    else {
      counts.open++;
      console.log(`${described(mutant)}${isUnreached ? " (no test reaches it)" : ""}`);
    }
  });
  const { noticed, stopped, accepted, open } = counts;
  console.log(
    `${noticed} of ${some.length} noticed (${
      percent(noticed, some)
    } %), ${stopped} of them because a test did not ` +
      `end; ${accepted} accepted (together ${percent(noticed + accepted, some)} %), ${open} open`,
  );
  if (open > 0) Deno.exitCode = 1;
}

function percent(count: number, { length }: readonly Mutant[]): string {
  return (length === 0 ? 100 : 100 * count / length).toFixed(1);
}

/** Ends the processes and removes the copy, once. */
function cleanUp(): Promise<void> {
  return cleaning ??= (async () => {
    await trials?.stop();
    await server?.stop();
    await Deno.remove(copy, { recursive: true });
  })();
}

/** The folder of tests that mirrors a source, below its floor or without it: the one that names most of its path. */
async function testsOf(source: string): Promise<string> {
  const parts = source.split("/").slice(1);
  const isFolder = (path: string): Promise<boolean> =>
    Deno.stat(join(root, path)).then(({ isDirectory }) => isDirectory, () => false);
  for (let end = parts.length; end > 0; end--) {
    for (const begin of [0, 1]) {
      const path = ["tests", ...parts.slice(begin, end)].join("/");
      if (begin < end && await isFolder(path)) return path;
    }
  }
  return "tests";
}

/** Writes the sources of the copy with every change in them. */
async function plantMutants(): Promise<readonly Mutant[]> {
  const found: Mutant[] = [];
  const paths = new Set((await Promise.all(sources.map((path) => filesBelow(copy, path)))).flat());
  for (const path of [...paths].filter((path) => !path.endsWith(".d.ts")).sort()) {
    const place = join(copy, path);
    const { mutants, text } = switchable(path, await Deno.readTextFile(place), found.length + 1);
    const mutantSwitch = relative(dirname(path), "scripts/mutate/mutant_switch.ts");
    await Deno.writeTextFile(place, `import { $mutant } from "${mutantSwitch}"; ${text}`);
    found.push(...mutants);
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
  const ranked = mutants.map((mutant) => ({ mutant, rank: random() }));
  const best = ranked.sort((a, b) => a.rank - b.rank).slice(0, limit);
  return best.map(({ mutant }) => mutant).sort((a, b) => a.id - b.id);
}

function isAccepted({ path, context, before, after }: Mutant): boolean {
  return ACCEPTED.some((one) =>
    one.path === path && one.before === before && one.after === after && context.includes(one.within ?? "")
  );
}

function described({ path, line, column, before, after }: Mutant): string {
  const short = (text: string): string => {
    const flat = text.replace(/\s+/g, " ");
    return flat.length > 60 ? `${flat.slice(0, 57)}...` : flat;
  };
  return `${path}:${line}:${column} ${short(before)} -> ${after === ";" ? "(removed)" : short(after)}`;
}
