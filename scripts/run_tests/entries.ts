import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ALONE, groupTests } from "./test_groups.ts";

/**
 * What only a file holds that replaces a timer, the clock or the console, or does something before or after all tests.
 * It must not see what other files leave running, and its hooks are those of an isolate: it gets one of its own.
 */
const OF_AN_ISOLATE =
  /(?<!typeof )globalThis\.\w+ = |\bmock\.method\(|\bwatchingTimers\(|\b(?:Date\.now|console\.\w+) = |^ *(?:Deno\.test\.)?(?:before|after)(?:All)?\(/m;

/** Digits of a module's name. Deno begins with the longest paths, and keeps the order of those that are as long. */
const DIGITS = 4;

/** What `deno test` is started with. */
export interface Entries {
  /** Modules to run in this order, then files and folders whose docs hold examples, where single ones were named. */
  readonly args: readonly string[];
  /** True if there are such files and folders. */
  readonly holdsDocs: boolean;
  /** A line of its output, with the name of a group or file in place of the module that imports it. */
  named(line: string): string;
  /** Removes the modules. */
  remove(): Promise<void>;
}

/**
 * Writes a module for each isolate, which imports its test files: they begin in the order of {@linkcode groupTests}.
 *
 * @param roots Files and folders to test, from the current folder.
 */
export async function writeEntries(roots: readonly string[]): Promise<Entries> {
  // In a run of everything, `tests/docs/programs_test.ts` runs all examples in one isolate.
  const paths = roots.map((root) => join(root).replaceAll("\\", "/").replace(/\/$/, "")).map((path) =>
    path === "." ? "tests" : path
  );
  const documented = paths.filter((path) => !inTests(path));
  const files = [...new Set((await Promise.all(paths.map(testFiles))).flat())];
  const texts = await Promise.all(files.map((file) => Deno.readTextFile(file)));
  const single = files.filter((file, at) => !ALONE.includes(file) && OF_AN_ISOLATE.test(texts[at]!));
  const { alone, groups } = groupTests(files.filter((file) => !single.includes(file)));
  const isolates = [
    ...alone.map((file) => ({ name: file, files: [file] })),
    ...groups,
    ...single.map((file) => ({ name: file, files: [file] })),
  ];
  const folder = await Deno.makeTempDir({ prefix: "platform-ads-tests-" });
  const modules = await Promise.all(isolates.map(async ({ files }, at) => {
    const path = join(folder, `${String(at).padStart(DIGITS, "0")}_test.ts`);
    const lines = files.map((file) => `import ${JSON.stringify(pathToFileURL(resolve(file)).href)};\n`);
    await Deno.writeTextFile(path, lines.join(""));
    return path;
  }));
  const ofIsolate = /^\S*platform-ads-tests-[^/\\]+[/\\](\d+)_test\.ts => /;
  return {
    // A folder of tests is never named: Deno would run its files once more, for it passes over `--ignore` where
    // files are named too.
    args: [...modules, ...documented],
    holdsDocs: documented.length > 0,
    named: (line) => line.replace(ofIsolate, (_, at: string) => `${isolates[Number(at)]?.name} => `),
    remove: () => Deno.remove(folder, { recursive: true }),
  };
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
