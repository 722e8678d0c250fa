import { deepEqual, equal, ok } from "../support/assert.ts";
import { platformFromSettings } from "../../mod.ts";
import { markdownFiles, MarkdownPage } from "../support/markdown.ts";

const ROOT = new URL("../../", import.meta.url);
/** For who runs the tests, not for who uses the package. */
const OF_TESTS = new Set(["PLATFORM_ADS_TEST_POSTGRES", "PLATFORM_ADS_TEST_STORE", "PLATFORM_ADS_CHROMIUM"]);

Deno.test("docs/settings.md has every variable that the sources name", async () => {
  const page = await Deno.readTextFile(new URL("docs/settings.md", ROOT));
  const named = new Set<string>();
  for (const path of [...await sources("src/"), "cli.ts", "mcp.ts"]) {
    const text = await Deno.readTextFile(new URL(path, ROOT));
    for (const [name] of text.matchAll(/\bPLATFORM_ADS_[A-Z_]*[A-Z]\b/g)) named.add(name);
  }
  ok(named.size > 20, "the sources were read");
  deepEqual([...named].filter((name) => !page.includes(`\`${name}\``)), []);
});

Deno.test("no page names a variable that there is not", async () => {
  const settings = await Deno.readTextFile(new URL("docs/settings.md", ROOT));
  const wrong: string[] = [];
  for (const path of await markdownFiles()) {
    const text = await Deno.readTextFile(new URL(path, ROOT));
    for (const [name] of text.matchAll(/\bPLATFORM_ADS_[A-Z_]*[A-Z]\b/g)) {
      if (!OF_TESTS.has(name) && !settings.includes(`\`${name}\``)) wrong.push(`${path}: ${name}`);
    }
  }
  deepEqual(wrong, []);
});

Deno.test("the settings file that docs/connecting.md shows is accepted, and every JSON block of a page is JSON", async () => {
  let settings = 0;
  for (const path of await markdownFiles()) {
    const { blocks } = new MarkdownPage(await Deno.readTextFile(new URL(path, ROOT)));
    for (const { info, text } of blocks) {
      if (info !== "json") continue;
      const value = JSON.parse(text) as Record<string, unknown>;
      if (!("regions" in value)) continue;
      deepEqual(Object.keys(platformFromSettings(value).regions), Object.keys(value["regions"] as object));
      settings++;
    }
  }
  equal(settings, 1);
});

async function sources(folder: string): Promise<string[]> {
  const files: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, ROOT))) {
    if (isDirectory) files.push(...await sources(`${folder}${name}/`));
    else if (name.endsWith(".ts")) files.push(folder + name);
  }
  return files;
}
