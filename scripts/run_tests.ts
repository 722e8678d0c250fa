/**
 * The tests of a lane, told shortly: `deno task test` and `deno task test:long [PATH...] [--filter TEXT] [--all]`.
 *
 * `--changed [REV]` takes the tests nearest to what was changed since a commit, by default since the branch left `main`.
 * `--long` chooses the tests that are tagged by `tests/support/long.ts`, and runs everyday tests of writes once more
 * with a policy; `--policy` does only the latter: see `run_tests/under_policy.ts`. A file that is named runs with all of its tests.
 * Types are not checked here: `deno task check` does that, and `deno task ok` does both.
 * Tests have an empty `HOME`, and a run in which one writes there fails.
 * Ended by a signal, it ends all that the tests started, removes what was made for them, and exits with 130.
 * Prints nothing for what passes, a line for each test that fails as it fails, and at the end the errors, what was
 * skipped and why, and the counts. On a terminal a counter runs below. `--all` prints every line of `deno test`,
 * and `--costs FILE` keeps a JSON line for each test, with its work and the processor time of its thread.
 */
import { existsSync, statSync } from "node:fs";
import { parseArgs } from "node:util";
import type { TestServer } from "../tests/support/postgres.ts";
import { linesIn } from "../src/base/text/lines.ts";
import { changedFiles, moduleTexts, withRevision } from "./run_tests/changed_files.ts";
import { writeEntries } from "./run_tests/entries.ts";
import type { Lane } from "./run_tests/lanes.ts";
import { emptyHome, HIDDEN } from "./run_tests/empty_home.ts";
import { memoryFolder } from "./run_tests/memory_folder.ts";
import { ProcessTime, withStarted } from "./run_tests/process_time.ts";
import { nearestTests, reachedTests } from "./run_tests/reached_tests.ts";
import { readCosts, readStarted, tellCostly, tellDearest, tellUnjudged } from "./run_tests/test_cost.ts";
import { TestOutput } from "./run_tests/test_output.ts";

const GIVEN_SERVER = "PLATFORM_ADS_TEST_POSTGRES";
const GIVEN_STORE = "PLATFORM_ADS_TEST_STORE";

/** The store that adsctl makes in the current folder where none is named. */
const OWN_STORE = "ads.sqlite";

/** Files of long tests that `--changed` names. */
const NEAREST = 3;
/** Milliseconds between two looks at the processes. */
const LOOK_EVERY = 500;

const { values, positionals } = parseArgs({
  args: withRevision(Deno.args, isRevision),
  options: {
    long: { type: "boolean" },
    policy: { type: "boolean" },
    changed: { type: "string" },
    filter: { type: "string" },
    all: { type: "boolean" },
    costs: { type: "string" },
  },
  allowPositionals: true,
});
const missing = positionals.filter((path) => !existsSync(path));
if (missing.length > 0) refuse(`Cannot test ${missing.join(", ")}: there is no such file or folder`);
const lane: Lane | "policy" = values.policy ? "policy" : values.long ? "long" : "everyday";
const chosen = values.changed === undefined
  ? { roots: positionals.length === 0 ? ["."] : positionals }
  : { files: await chooseReached(values.changed) };

// Tests that wait for another process leave a processor idle, so there are more jobs than processors.
const jobs = navigator.hardwareConcurrency + (lane === "long" ? 2 : 1);
const temporary = Deno.env.has("TMPDIR") ? undefined : await memoryFolder();
const entries = await writeEntries({
  lane,
  ...chosen,
  memory: lane === "long" ? temporary?.path : undefined,
});
if (entries.args.length === 0) {
  await entries.remove();
  await temporary?.[Symbol.asyncDispose]();
  refuse(
    `Cannot test ${positionals.join(", ")}: ${
      entries.left === 0 ? "it holds no test files" : `its ${entries.left} files have no ${lane} tests`
    }`,
  );
}
// Programs that long tests start keep theirs on disk: Deno lets those with few rights read nothing below /dev.
if (lane !== "long" && temporary !== undefined) Deno.env.set("TMPDIR", temporary.path);
const storeBefore = storeChanged();
const home = await emptyHome(Deno.env.toObject());
for (const name of home === undefined ? [] : HIDDEN) Deno.env.delete(name);
const server = positionals.length === 0 ? await sharedPostgres() : undefined;
const command = new Deno.Command(Deno.execPath(), {
  args: [
    "test",
    "-A",
    "--no-check",
    "--parallel",
    ...(entries.holdsDocs ? ["--doc"] : []),
    ...(values.filter === undefined ? [] : ["--filter", values.filter]),
    ...entries.args,
  ],
  env: {
    NO_COLOR: "1",
    ...home?.variables,
    DENO_JOBS: Deno.env.get("DENO_JOBS") ?? String(jobs),
    ...(server === undefined ? {} : { [GIVEN_SERVER]: server.url, [GIVEN_STORE]: server.store }),
  },
  stdin: "null",
  stdout: values.all ? "inherit" : "piped",
  stderr: values.all ? "inherit" : "piped",
});
const run = command.spawn();
let isInterrupted = false;
for (const signal of Deno.build.os === "windows" ? ["SIGINT"] as const : ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, () => {
    isInterrupted = true;
    // Browsers have a group of their own, so that no signal of the terminal reaches them.
    for (const pid of withStarted(run.pid)) end(pid);
  });
}
let started = new Map<number, string>();
const processes = new ProcessTime(run.pid, (pid) => started.get(pid));
const looks = setInterval(() => {
  started = readStarted(entries.started);
  processes.look();
}, LOOK_EVERY);
const output = new TestOutput({
  print: (line) => console.log(line),
  ...(Deno.stderr.isTerminal() ? { counter: writeCounter } : {}),
});
if (!values.all) {
  await Promise.all([
    eachLine(run.stdout, (line) => output.line(entries.named(line))),
    eachLine(run.stderr, (line) => output.diagnostic(line)),
  ]);
  output.end();
}
const { code } = await run.status;
clearInterval(looks);
await server?.stop();
const { passed, failed, long } = output.counts;
if (lane === "everyday") {
  for (const line of tellCostly(await readCosts(entries.costs))) console.log(line);
  if (entries.left + long > 0) {
    console.log(`Left to deno task test:long: ${entries.left} files, and ${long} tests of others`);
  }
}
for (const line of tellUnjudged(await readCosts(entries.costs))) console.log(line);
if (lane === "long" || values.all) {
  for (const line of tellDearest(await readCosts(entries.costs), processes.seconds)) console.log(line);
}
const written = await home?.written() ?? [];
if (written.length > 0) {
  console.log(
    `Tests wrote below their home, as they would below yours. Give each a folder: ${written.join(", ")}`,
  );
}
if (storeChanged() !== storeBefore) {
  written.push(OWN_STORE);
  console.log(
    `Tests wrote to the store of this folder, as they would to yours. Give each one of its own: ${OWN_STORE}`,
  );
}
if (values.costs !== undefined && existsSync(entries.costs)) await Deno.copyFile(entries.costs, values.costs);
await entries.remove();
await home?.[Symbol.asyncDispose]();
await temporary?.[Symbol.asyncDispose]();
if (!values.all) console.log(`${passed} passed, ${failed} failed`);
Deno.exit(isInterrupted ? 130 : written.length > 0 ? 1 : code);

function end(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

function storeChanged(): number | undefined {
  return statSync(OWN_STORE, { throwIfNoEntry: false })?.mtimeMs;
}

function refuse(message: string): never {
  console.error(message);
  Deno.exit(1);
}

/** The everyday tests that are nearest to what was changed. Ends the run where there are none. */
async function chooseReached(revision: string): Promise<readonly string[]> {
  const { since, paths, removed } = await changedFiles(revision).catch(({ message }: Error) =>
    refuse(message)
  );
  const reached = reachedTests([...paths, ...removed], await moduleTexts());
  const files = nearestTests(reached);
  const left = reached.everyday.length + reached.rules.length - files.length;
  console.log(
    `${paths.length + removed.length} files changed since ${
      since.slice(0, 12)
    }, ${files.length} test files of those that reach them`,
  );
  if (left > 0 || reached.long.length > 0) {
    console.log(`Left out: ${left} test files that are further away, ${reached.long.length} with long tests`);
  }
  if (reached.long.length > 0) {
    console.log(`Nearest long tests: deno task test ${reached.long.slice(0, NEAREST).join(" ")}`);
  }
  if (reached.untested.length > 0) console.log(`No test depends on ${reached.untested.join(", ")}`);
  if (reached.generators.length > 0) {
    console.log(`Not compared, but by deno task ok --changed: the pages of ${reached.generators.join(", ")}`);
  }
  if (files.length > 0) return files;
  console.log("0 passed, 0 failed");
  Deno.exit(0);
}

/** False for options, and for files and folders to test. */
function isRevision(word: string): boolean {
  return !word.startsWith("-") && !existsSync(word);
}

/** One server with an empty store to copy, for all files; `undefined` where one is given or there is no PostgreSQL. */
async function sharedPostgres(): Promise<TestServer & { readonly store: string } | undefined> {
  if (Deno.env.has(GIVEN_SERVER)) return undefined;
  const { makeEmptyStore, postgresPrograms, startCluster } = await import("../tests/support/postgres.ts");
  if (postgresPrograms() === undefined) return undefined;
  const server = await startCluster();
  return { ...server, store: await makeEmptyStore(server) };
}

async function eachLine(stream: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  for await (const line of linesIn(stream)) take(line);
}

function writeCounter(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`\r\x1b[K${text}`));
}
