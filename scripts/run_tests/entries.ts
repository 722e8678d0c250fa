import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { groupTests } from "./test_groups.ts";

/**
 * What only a file that replaces a timer, the clock or the console holds. It must not see what other files leave
 * running, so it gets an isolate of its own.
 */
const REPLACES = /(?<!typeof )globalThis\.\w+ = |\bmock\.method\(|\b(?:Date\.now|console\.\w+) = /;

/** What `deno test` is started with. */
export interface Entries {
  /** Modules to run in this order, then the folders whose docs hold examples. */
  readonly args: readonly string[];
  /** A line of its output, with the name of a group in place of the module that imports the group's files. */
  named(line: string): string;
  /** Removes the modules. */
  remove(): Promise<void>;
}

/**
 * Writes a module for each group of test files, which imports them.
 *
 * @param roots Files and folders to test, from the current folder.
 */
export async function writeEntries(roots: readonly string[]): Promise<Entries> {
  const found = (await Promise.all(roots.map(testFiles))).flat();
  const { alone, groups } = groupTests(await withoutReplacing([...new Set(found)]));
  const folder = await Deno.makeTempDir({ prefix: "platform-ads-tests-" });
  const modules = await Promise.all(groups.map(async ({ name, files }) => {
    const path = join(folder, `${name.replaceAll("/", ".")}_test.ts`);
    const lines = files.map((file) => `import ${JSON.stringify(pathToFileURL(resolve(file)).href)};\n`);
    await Deno.writeTextFile(path, lines.join(""));
    return path;
  }));
  const grouped = groups.flatMap(({ files }) => files);
  const ofGroup = /^\S*platform-ads-tests-[^/\\]+[/\\](\S+)_test\.ts => /;
  return {
    args: [...alone, ...modules, ...roots, `--ignore=${grouped.join(",")}`],
    named: (line) => line.replace(ofGroup, (_, name: string) => `${name.replaceAll(".", "/")} => `),
    remove: () => Deno.remove(folder, { recursive: true }),
  };
}

async function withoutReplacing(files: readonly string[]): Promise<string[]> {
  const texts = await Promise.all(files.map((file) => Deno.readTextFile(file)));
  return files.filter((_, at) => !REPLACES.test(texts[at]!));
}

/** Test files of a folder, by their paths from the current folder; none for a file, which runs as it is. */
async function testFiles(root: string): Promise<string[]> {
  if ((await Deno.stat(root)).isFile) return [];
  const files: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(root)) {
    const path = join(root, name).replaceAll("\\", "/");
    if (isDirectory && !name.startsWith(".") && name !== "node_modules") files.push(...await testFiles(path));
    else if (name.endsWith("_test.ts") && path.startsWith("tests/")) files.push(path);
  }
  return files;
}
