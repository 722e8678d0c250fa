import { deepEqual, ok } from "node:assert/strict";

const ROOT = new URL("../../", import.meta.url);

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

async function sources(folder: string): Promise<string[]> {
  const files: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, ROOT))) {
    if (isDirectory) files.push(...await sources(`${folder}${name}/`));
    else if (name.endsWith(".ts")) files.push(folder + name);
  }
  return files;
}
