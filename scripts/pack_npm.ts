/**
 * Makes the npm tarball: what `deno pack` writes, with what an npm package needs besides.
 *
 *     deno run -A scripts/pack_npm.ts [--out FILE]     FILE is dist/platform-ads-<version>.tgz unless told otherwise
 *
 * Added: the commands `adsctl` and `platform-ads-mcp`, the versions of Node that can run it, words to find it by.
 * Taken away: what only a clone needs, and the source maps inside the files, which name the folder of this machine.
 * Needs `tar` and `npm` on the path.
 */
import { basename, dirname, join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";

/** What is read of deno.json and written into package.json. */
interface Manifest {
  version: string;
  dependencies?: Record<string, string>;
  [field: string]: unknown;
}

const COMMANDS = { "adsctl": "./cli.js", "platform-ads-mcp": "./mcp.js" };
/** Wants `commander` of the same version beside it, which not every package manager adds by itself. */
const TYPINGS = "@commander-js/extra-typings";
const OF_A_CLONE = ["deno.lock", "scripts"];
const INLINE_SOURCE_MAP = /\n\/\/# sourceMappingURL=data:\S+\s*$/;
const ADDED = {
  description: "Run advertising accounts by program: plans before writes, undo, report history, an emulator",
  keywords: ["advertising", "ads", "api-client", "cli", "mcp", "emulator"],
  engines: { node: ">=22.18" },
  bin: COMMANDS,
};

/**
 * Makes the tarball.
 *
 * @param out Path of the file to write. @default dist/platform-ads-<version>.tgz
 * @returns The path of the tarball.
 * @throws {Error} when a program that it needs fails, with what that program said.
 */
export async function packNpm(out?: string): Promise<string> {
  const root = resolve(import.meta.dirname!, "..");
  const folder = await Deno.makeTempDir({ prefix: "platform-ads-pack-" });
  try {
    const raw = join(folder, "raw.tgz");
    await run(Deno.execPath(), ["pack", "--quiet", "--allow-dirty", "-o", raw], root);
    await run("tar", ["-xzf", basename(raw)], folder);
    const content = join(folder, "package");
    for (const path of OF_A_CLONE) await Deno.remove(join(content, path), { recursive: true });
    await withoutSourceMaps(content);
    for (const path of Object.values(COMMANDS)) await startWithNode(join(content, path));
    const version = await completeManifest(join(content, "package.json"));

    const target = resolve(out ?? join(root, "dist", `platform-ads-${version}.tgz`));
    await Deno.mkdir(dirname(target), { recursive: true });
    await run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], content);
    await Deno.copyFile(join(folder, `platform-ads-${version}.tgz`), target);
    return target;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function withoutSourceMaps(folder: string): Promise<void> {
  for await (const entry of Deno.readDir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory) await withoutSourceMaps(path);
    else if (entry.name.endsWith(".js")) {
      await Deno.writeTextFile(path, (await Deno.readTextFile(path)).replace(INLINE_SOURCE_MAP, "\n"));
    }
  }
}

async function startWithNode(path: string): Promise<void> {
  const text = await Deno.readTextFile(path);
  if (!text.startsWith("#!")) {
    throw new Error(`Cannot make a command of "${path}": its first line is no "#!"`);
  }
  await Deno.writeTextFile(path, text.replace(/^#!.*/, "#!/usr/bin/env node"));
}

async function completeManifest(path: string): Promise<string> {
  const manifest = JSON.parse(await Deno.readTextFile(path)) as Manifest;
  const dependencies = { ...manifest.dependencies, commander: manifest.dependencies?.[TYPINGS] };
  await Deno.writeTextFile(path, `${JSON.stringify({ ...manifest, ...ADDED, dependencies }, null, 2)}\n`);
  return manifest.version;
}

async function run(program: string, args: readonly string[], cwd: string): Promise<void> {
  // On Windows npm is a script of the shell.
  const command = Deno.build.os === "windows" && program === "npm"
    ? new Deno.Command("cmd", { args: ["/c", "npm", ...args], cwd, stdin: "null" })
    : new Deno.Command(program, { args: [...args], cwd, stdin: "null" });
  const { code, stderr } = await command.output();
  if (code === 0) return;
  throw new Error(
    `Cannot make the tarball: "${program} ${args[0]}" ended with ${code}: ${
      new TextDecoder().decode(stderr)
    }`,
  );
}

if (import.meta.main) {
  const { values } = parseArgs({ args: process.argv.slice(2), options: { out: { type: "string" } } });
  console.log(await packNpm(values.out));
}
