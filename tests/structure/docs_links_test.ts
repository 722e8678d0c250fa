import { deepEqual, equal, ok } from "../support/assert.ts";
import { dirname, join, normalize } from "node:path/posix";
import { markdownFiles, MarkdownPage } from "../support/markdown.ts";
import { sourceFiles } from "../support/module_graph.ts";

Deno.test("every link of every Markdown page leads to a file, and to a heading of it where it names one", async () => {
  const pages = new Map<string, MarkdownPage>();
  for (const path of await markdownFiles()) pages.set(path, new MarkdownPage(await Deno.readTextFile(path)));
  ok(pages.has("README.md") && pages.size > 10, "the pages were read");

  const broken: string[] = [];
  for (const [path, page] of pages) {
    for (const { target, line } of page.links) {
      const problem = await problemOf(target, { path, pages });
      if (problem !== undefined) broken.push(`${path}:${line} ${target}: ${problem}`);
    }
  }
  deepEqual(broken, []);
});

/** Folders at the top whose files pages name. */
const TOP = ["src", "tests", "scripts", "catalog", "docs", "changes", ".github"];
/** What a check of the package writes, and a media type. */
const NOT_THERE = new Set(["dist/proofs", "application/vnd."]);

Deno.test("every path of the repository that a page names is there, patterns such as <name>, {a,b} and * included", async () => {
  const known = await repositoryPaths();
  const missing: string[] = [];
  let [named, patterns] = [0, 0];
  for (const page of await markdownFiles()) {
    for (const path of pathsIn(await Deno.readTextFile(page))) {
      if (!TOP.includes(path.split("/")[0]!)) continue;
      named++;
      if (/[<{*]/.test(path)) patterns++;
      if (!isThere(path, known)) missing.push(`${page}: ${path}`);
    }
  }
  ok(named > 150 && patterns > 8, `${named} were found, ${patterns} of them patterns`);
  deepEqual(missing, []);
});

Deno.test("every path that a README names by its place in that folder is there", async () => {
  const known = await repositoryPaths();
  const missing: string[] = [];
  const named = new Map<string, number>();
  for (
    const page of (await markdownFiles()).filter((name) =>
      /^(?:src|catalog|tests)\/(?:.*\/)?README\.md$/.test(name)
    )
  ) {
    for (const path of pathsIn(await Deno.readTextFile(page))) {
      if (TOP.includes(path.split("/")[0]!) || NOT_THERE.has(path)) continue;
      const top = page.split("/")[0]!;
      named.set(top, (named.get(top) ?? 0) + 1);
      if (!isThere(normalize(join(dirname(page), path)), known)) missing.push(`${page}: ${path}`);
    }
  }
  deepEqual(missing, []);
  deepEqual([...named].filter(([, count]) => count > 3).map(([top]) => top).sort(), [
    "catalog",
    "src",
    "tests",
  ]);
});

Deno.test("every folder that CONTRIBUTING and the page about the architecture name a file in is one of that file", async () => {
  const known = await repositoryPaths();
  const missing: string[] = [];
  let named = 0;
  for (const page of ["CONTRIBUTING.md", "docs/architecture.md"]) {
    for (const path of pathsIn(await Deno.readTextFile(page))) {
      if (TOP.includes(path.split("/")[0]!) || NOT_THERE.has(path)) continue;
      named++;
      if (!isThere(`**/${path}`, known)) missing.push(`${page}: ${path}`);
    }
  }
  ok(named > 2, `${named} were found`);
  deepEqual(missing, []);
});

for (
  const [path, expected] of [
    ["src/client/<family>/*_spec.ts", true],
    ["src/client/{sp,sb}.ts", true],
    ["src/client/{sp,tv}.ts", false],
    ["src/client/<family>/sp.ts", false],
    ["**/a/x_spec.ts", true],
    ["**/b/x_spec.ts", false],
    ["src/client/", true],
    ["src/server", false],
  ] as const
) {
  Deno.test(`the check of paths ${expected ? "finds" : "misses"} ${path}`, () => {
    const known = [
      "src",
      "src/client",
      "src/client/a",
      "src/client/a/x_spec.ts",
      "src/client/sp.ts",
      "src/client/sb.ts",
    ];
    equal(isThere(path, known), expected);
  });
}

Deno.test("every module that a page about the sources names by its name alone is in the repository", async () => {
  const files = (await sourceFiles(["src", "catalog", "scripts", "tests"])).map((path) =>
    path.split("/").at(-1)!
  );
  files.push(...Array.from(Deno.readDirSync("src/interfaces/console/web"), ({ name }) => name));
  const known = [...files, "mod.ts", "cli.ts", "mcp.ts"];
  const missing: string[] = [];
  let named = 0;
  const pages = (await markdownFiles()).filter((name) =>
    /^src\/.*\/README\.md$/.test(name) || ["CONTRIBUTING.md", "docs/architecture.md"].includes(name)
  );
  for (const path of pages) {
    const text = await Deno.readTextFile(path);
    for (const [, file] of text.matchAll(/`(?:[\w{},.]+\/)*([\w<>]+\.(?:ts|js))`/g)) {
      named++;
      if (!isThere(file!, known)) missing.push(`${path}: ${file}`);
    }
  }
  ok(named > 80, `${named} were found`);
  deepEqual(missing, []);
});

async function problemOf(
  target: string,
  from: { readonly path: string; readonly pages: ReadonlyMap<string, MarkdownPage> },
): Promise<string | undefined> {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) {
    return /^(https:|mailto:)/.test(target) ? undefined : "only https and mailto lead outside";
  }
  const [file, anchor] = target.split("#") as [string, string?];
  const path = file === "" ? from.path : normalize(join(dirname(from.path), decodeURIComponent(file)));
  if (path.startsWith("..") || path.startsWith("/")) return "it leads out of the repository";
  if (!await exists(path)) return "there is no such file";
  if (anchor === undefined) return undefined;
  const page = from.pages.get(path);
  if (page === undefined) return "only a Markdown page has headings";
  return page.anchors.has(anchor) ? undefined : "there is no such heading";
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

/** Paths with a slash among the words of inline code. */
function pathsIn(text: string): string[] {
  return [...text.replace(/^```[^]*?^```/gm, "").matchAll(/`([^`\n]+)`/g)].flatMap(([, code]) =>
    code!.split(" ").filter((word) => /^(?:\.github|[\w<>{},*-]+)\/[\w./<>{},*-]*$/.test(word))
  );
}

/** Every file and folder below the folders that pages name. */
async function repositoryPaths(): Promise<string[]> {
  const found: string[] = [...TOP];
  const walk = async (folder: string): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      found.push(`${folder}/${name}`);
      if (isDirectory) await walk(`${folder}/${name}`);
    }
  };
  await Promise.all(TOP.map(walk));
  return found;
}

/** True where a path is there: all of `{a,b}`, and at least one for `<name>` and `*`. */
function isThere(path: string, known: readonly string[]): boolean {
  const [, before, choices, after] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(path) ?? [];
  if (choices !== undefined) {
    return choices.split(",").every((one) => isThere(`${before}${one}${after}`, known));
  }
  const pattern = path.replace(/\/$/, "").replace(/[.+^$()|[\]\\]/g, "\\$&").replaceAll("**/", "(?:.*/)?")
    .replace(/(?<!\.)\*/g, "[^/]*").replace(/<[^>]*>/g, "[^/]+");
  const regex = new RegExp(`^${pattern}$`);
  return known.some((one) => regex.test(one));
}
