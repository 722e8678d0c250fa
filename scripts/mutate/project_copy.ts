import { join } from "node:path";

/** What is changed in the copy, or imports what is. */
const COPIED = ["src", "tests", "scripts", "mod.ts", "cli.ts", "mcp.ts"];
/** What else the tests of a folder may read. */
const LINKED = ["catalog", "docs", "deno.lock", "README.md", "CHANGELOG.md"];

/** Copies the project to a folder where its tests can run, with `node:test` replaced by what collects them. */
export async function copyProject(root: string, copy: string): Promise<void> {
  for (const path of COPIED) await copyTree(join(root, path), join(copy, path));
  for (const path of LINKED) await Deno.symlink(join(root, path), join(copy, path));
  const config = JSON.parse(await Deno.readTextFile(join(root, "deno.json")));
  config.imports["node:test"] = "./scripts/mutate/node_test.ts";
  config.scopes = { "./scripts/mutate/": { "node:test": "node:test" } };
  await Deno.writeTextFile(join(copy, "deno.json"), JSON.stringify(config));
}

/** The TypeScript files of a folder of the copy, or the file itself. */
export async function filesBelow(copy: string, path: string): Promise<string[]> {
  if ((await Deno.stat(join(copy, path))).isFile) return [path];
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(copy, path))) {
    if (isDirectory) found.push(...await filesBelow(copy, `${path}/${name}`));
    else if (/\.ts$/.test(name) && !/\.d\.ts$/.test(name)) found.push(`${path}/${name}`);
  }
  return found.sort();
}

async function copyTree(from: string, to: string): Promise<void> {
  const { isDirectory } = await Deno.stat(from);
  if (!isDirectory) return await Deno.copyFile(from, to);
  await Deno.mkdir(to, { recursive: true });
  for await (const { name } of Deno.readDir(from)) await copyTree(join(from, name), join(to, name));
}
