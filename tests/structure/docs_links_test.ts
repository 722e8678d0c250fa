import { deepEqual, ok } from "../support/assert.ts";
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

Deno.test("every file and folder of the repository that a page names is there", async () => {
  const missing: string[] = [];
  let named = 0;
  for (const path of await markdownFiles()) {
    const text = await Deno.readTextFile(path);
    for (const [, file] of text.matchAll(/`((?:src|tests|scripts|catalog|docs|\.github)\/[\w./-]*)`/g)) {
      named++;
      if (!await exists(file!)) missing.push(`${path}: ${file}`);
    }
  }
  ok(named > 40, `${named} were found`);
  deepEqual(missing, []);
});

Deno.test("every file that a README of src names by its place in that folder is there", async () => {
  const missing: string[] = [];
  let named = 0;
  for (const path of (await markdownFiles()).filter((name) => /^src\/.*\/README\.md$/.test(name))) {
    const text = await Deno.readTextFile(path);
    for (const [, file] of text.matchAll(/`((?!src|tests|scripts|catalog|docs)\w+\/[\w./]*)`/g)) {
      named++;
      if (!await exists(join(dirname(path), file!))) missing.push(`${path}: ${file}`);
    }
  }
  ok(named > 30, `${named} were found`);
  deepEqual(missing, []);
});

Deno.test("every module that a page about the sources names by its name alone is in the repository", async () => {
  const files = (await sourceFiles(["src", "catalog", "scripts", "tests"])).map((path) =>
    path.split("/").at(-1)
  );
  files.push(...Array.from(Deno.readDirSync("src/interfaces/console/web"), ({ name }) => name));
  const known = new Set([...files, "mod.ts", "cli.ts", "mcp.ts"]);
  const missing: string[] = [];
  let named = 0;
  const pages = (await markdownFiles()).filter((name) =>
    /^src\/.*\/README\.md$/.test(name) || ["CONTRIBUTING.md", "docs/architecture.md"].includes(name)
  );
  for (const path of pages) {
    const text = await Deno.readTextFile(path);
    for (const [, file] of text.matchAll(/`(?:[\w{},.]+\/)*(\w+\.(?:ts|js))`/g)) {
      named++;
      if (!known.has(file!)) missing.push(`${path}: ${file}`);
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
