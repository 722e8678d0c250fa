import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Lane, lanesOf } from "./lanes.ts";
import { needsDisk } from "./temporary_place.ts";
import { groupFirst, groupInOrder, groupTests, spread, type TestGroup } from "./test_groups.ts";
import { writesUnderPolicy } from "./under_policy.ts";

/**
 * What only a file holds that replaces a timer, the clock or the console. It must not see what other files leave
 * running: such files share an isolate that holds no others.
 */
const REPLACES_GLOBALS =
  /(?<!typeof )globalThis\.\w+ = |\bmock\.method\(|\b(?:watching|expiring)Timers\(|\b(?:Date\.now|console\.\w+) = /;

/** Replaces the clock, timers and more for as long as its isolate lives: such files share one of their own. */
const REPLACES_THE_WORLD = /"\.\/world\/realm\.ts"/;

/** Digits of a module's name. Deno begins with the longest paths, and keeps the order of those that are as long. */
const DIGITS = 4;

/** What `deno test` is started with. */
export interface Entries {
  /** Modules to run in this order, then files and folders whose docs hold examples, where single ones were named. */
  readonly args: readonly string[];
  /** True if there are such files and folders. */
  readonly holdsDocs: boolean;
  /** How many files have no test for the lane. */
  readonly left: number;
  /** File with a JSON line for each test that passed: see {@linkcode TestCost}. */
  readonly costs: string;
  /** File with a line for each process that was started: its number, and the test file. */
  readonly started: string;
  /** A line of its output, with the name of a group or file in place of the module that imports it. */
  named(line: string): string;
  /** Removes the modules. */
  remove(): Promise<void>;
}

/** What to test. */
export interface ChosenTests {
  /** `policy` for the part of the long lane that runs everyday tests under a policy. */
  readonly lane: Lane | "policy";
  /** Files and folders from the current folder. Files run as they are, with all of their tests. */
  readonly roots?: readonly string[];
  /** Test files for the lane, in the order to run them. */
  readonly files?: readonly string[];
  /** Folder in memory for the temporary files of those that start no programs. @default the place of the system */
  readonly memory?: string | undefined;
}

/** Writes a module for each isolate, which loads its test files: the longest begin first. */
export async function writeEntries(
  { lane, roots = [], files: ordered = [], memory }: ChosenTests,
): Promise<Entries> {
  const paths = roots.map((root) => join(root).replaceAll("\\", "/").replace(/\/$/, "")).map((path) =>
    path === "." ? "tests" : path
  );
  const documented = paths.filter((path) => !inTests(path));
  const all = [...new Set([...ordered, ...(await Promise.all(paths.map(testFiles))).flat()])];
  const texts = new Map(
    await Promise.all(all.map(async (file) => [file, await Deno.readTextFile(file)] as const)),
  );
  const of = (lane: Lane): readonly string[] =>
    all.filter((file) => lanesOf(texts.get(file)!).includes(lane));
  const files = lane === "policy" ? [] : of(lane);
  const judged = lane === "everyday"
    ? []
    : of("everyday").filter((file) => writesUnderPolicy(file, texts.get(file)!));
  const group = ordered.length > 0 ? groupInOrder : groupTests;
  const own = (lane === "long" ? groupLong(files, texts) : groupApart(files, { texts, group }))
    .map((one) => ({ ...one, lane }));
  const underPolicy = groupApart(judged, {
    texts,
    group: (files) => spread(files, "everyday"),
  }).map(({ name, files }) => ({
    name: `${name}_under_a_policy`,
    files,
    lane: "policy" as const,
  }));
  const first = lane === "long" ? own.slice(0, groupFirst(files).length) : [];
  const isolates: readonly Isolate[] = [
    ...first,
    ...underPolicy,
    ...own.filter((isolate) => !first.includes(isolate)),
  ];
  const folder = await Deno.makeTempDir({ prefix: "platform-ads-tests-" });
  const costs = join(folder, "costs.jsonl");
  const started = join(folder, "started");
  const harness = new URL("harness.ts", import.meta.url).href;
  const judging = new URL("../../tests/support/judged_clients.ts", import.meta.url).href;
  const modules = await Promise.all(isolates.map(async ({ files, lane }, at) => {
    const path = join(folder, `${String(at).padStart(DIGITS, "0")}_test.ts`);
    const loads = files.map((file) =>
      `${JSON.stringify(file)}: () => import(${JSON.stringify(pathToFileURL(resolve(file)).href)}),\n`
    );
    const onDisk = files.filter((file) => needsDisk(texts.get(file)!));
    await Deno.writeTextFile(
      path,
      `${lane === "policy" ? `import ${JSON.stringify(judging)};\n` : ""}` +
        `import { countWork, declareTests } from ${JSON.stringify(harness)};\nawait declareTests({\n` +
        `counted: countWork(),\nlane: ${JSON.stringify(lane)},\ncosts: ${JSON.stringify(costs)},\nstarted: ${
          JSON.stringify(started)
        },\nmemory: ${JSON.stringify(memory)},\nonDisk: ${JSON.stringify(onDisk)},\nfiles: {\n${
          loads.join("")
        }},\n});\n`,
    );
    return path;
  }));
  const ofIsolate = /^\S*platform-ads-tests-[^/\\]+[/\\](\d+)_test\.ts => /;
  return {
    // A folder of tests is never named: Deno would run its files once more, for it passes over `--ignore` where
    // files are named too.
    args: [...modules, ...documented],
    holdsDocs: documented.length > 0,
    left: all.length - new Set([...files, ...judged]).size,
    costs,
    started,
    named: (line) => line.replace(ofIsolate, (_, at: string) => `${isolates[Number(at)]?.name} => `),
    remove: () => Deno.remove(folder, { recursive: true }),
  };
}

/** Test files of one isolate, and the tests that it declares. */
interface Isolate extends TestGroup {
  readonly lane: Lane | "policy";
}

/** Groups of everyday files. Those that replace globals share an isolate, those that never put them back another. */
function groupApart(
  files: readonly string[],
  { texts, group }: {
    readonly texts: ReadonlyMap<string, string>;
    readonly group: (files: readonly string[]) => readonly TestGroup[];
  },
): readonly TestGroup[] {
  const simulated = files.filter((file) => REPLACES_THE_WORLD.test(texts.get(file)!));
  const apart = files.filter((file) => !simulated.includes(file) && REPLACES_GLOBALS.test(texts.get(file)!));
  const alone = [...apart, ...simulated];
  return [
    ...group(files.filter((file) => !alone.includes(file))),
    ...(apart.length > 0 ? [{ name: "tests/which_replace_globals", files: apart }] : []),
    ...(simulated.length > 0 ? [{ name: "tests/which_are_simulated", files: simulated }] : []),
  ];
}

/** The files that begin early. The others share isolates, those with a few long tests with each other. */
function groupLong(files: readonly string[], texts: ReadonlyMap<string, string>): readonly TestGroup[] {
  const isPartly = (file: string): boolean => lanesOf(texts.get(file)!).includes("everyday");
  const first = groupFirst(files);
  const shared = files.filter((file) => !first.some(({ files }) => files.includes(file)));
  return [
    ...first,
    ...groupApart(shared.filter(isPartly), { texts, group: (files) => spread(files, "partly_long") }),
    ...spread(shared.filter((file) => !isPartly(file)), "long"),
  ];
}

/** True of folders of tests, whose files are named one by one; a file that is named runs as it is. */
function inTests(path: string): boolean {
  return /^tests(?:\/|$)/.test(path) && !path.endsWith(".ts");
}

/** Test files of a folder of tests, by their paths from the current folder. */
async function testFiles(root: string): Promise<string[]> {
  if (!inTests(root)) return [];
  const files: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(root)) {
    const path = `${root}/${name}`;
    if (isDirectory) files.push(...await testFiles(path));
    else if (name.endsWith("_test.ts")) files.push(path);
  }
  return files;
}
