/**
 * Makes the npm tarball: what `deno pack` writes, with what an npm package needs besides.
 *
 *     deno run -A scripts/pack_npm.ts [--out FILE] [--repository URL]
 *
 * FILE is dist/platform-ads-<version>.tgz unless told otherwise. URL is where the sources are: npm refuses a package
 * with a proof of origin whose manifest does not name the repository that it was built in.
 *
 * Added: a small manifest for each folder of modules, the commands `adsctl` and `platform-ads-mcp`, the versions of Node that can run it, words to find it by.
 * Removed: what only a clone needs. Types are not checked here: `deno task check` does that.
 * The packages of PostgreSQL, of the queues, of file formats for exports and of OAuth tokens become optional peers.
 * Needs `git`, `tar` and `npm` on the path.
 */
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { schemaFileName } from "./catalog/schemas/schema_files.ts";
import { commandFile, OLDEST_NODE, versionCheck } from "./pack_npm/command_file.ts";

/** What is read of deno.json and written into package.json. */
interface Manifest {
  version: string;
  dependencies?: Record<string, string>;
  exports?: Record<string, unknown>;
  [field: string]: unknown;
}

/** The commands, each with what its file runs. */
const COMMANDS = {
  "adsctl": 'await import("../cli.js");',
  "platform-ads-mcp": 'await (await import("../src/interfaces/mcp/main.js")).run();',
};
/** Wants `commander` of the same version beside it, which not every package manager adds by itself. */
const TYPINGS = "@commander-js/extra-typings";
/** What only PostgreSQL, the queues, spreadsheets, e-mail and tokens of an issuer need: whoever uses them installs them. */
const OPTIONAL_PEERS = /^(?:aws4fetch|graphile-worker|pg(?:-.+)?|hyparquet-writer|jose|nodemailer)$/;
/** Folders of modules. */
const MODULE_FOLDERS = ["bin", "catalog", "src"];
/**
 * The nearest manifest of a module. For every module that it loads, Node parses the exports of the nearest one anew: 37 kB in
 * that of the package, which made half of the time of a start.
 */
const NEAREST_MANIFEST = '{ "type": "module" }\n';
/** The module that looks at the version of Node. */
export const VERSION_CHECK = "node_version.js";
const OF_A_CLONE = ["deno.lock"];
/** `deno pack` checks the types of everything it packs, which takes four times as long as the rest, unless a module says so. */
const UNCHECKED = "// @ts-nocheck\n";
const ADDED = {
  description: "Run advertising accounts by program: plans before writes, undo, report history, an emulator",
  keywords: ["advertising", "ads", "api-client", "cli", "mcp", "emulator"],
  engines: { node: `>=${OLDEST_NODE}` },
  bin: Object.fromEntries(Object.keys(COMMANDS).map((name) => [name, `./bin/${name}.js`])),
};

/** Where the tarball goes and what it says of its origin. */
export interface PackOptions {
  /** Path of the file to write. @default dist/platform-ads-<version>.tgz */
  readonly out?: string | undefined;
  /** Address of the repository. @default none */
  readonly repository?: string | undefined;
}

/**
 * Makes the tarball.
 *
 * @returns The path of the tarball.
 * @throws {Error} when a program that it needs fails, with what that program said.
 */
export async function packNpm({ out, repository }: PackOptions = {}): Promise<string> {
  const root = resolve(import.meta.dirname!, "..");
  const folder = await Deno.makeTempDir({ prefix: "platform-ads-pack-" });
  try {
    const raw = join(folder, "raw.tgz");
    const source = join(folder, "source");
    await copyUnchecked(root, source);
    // Source maps would name the folder of this machine.
    await run(Deno.execPath(), ["pack", "--quiet", "--allow-dirty", "--no-source-maps", "-o", raw], source);
    await run("tar", ["-xzf", basename(raw)], folder);
    const content = join(folder, "package");
    for (const path of OF_A_CLONE) await Deno.remove(join(content, path), { recursive: true });
    await eachModule(content, (text) => withLateSqlite(text.replace(/^\/\/ @ts-nocheck\s*/m, "")));
    await typeKinds(
      join(content, "src/client/entities/kinds/kinds.d.ts"),
      join(root, "src/client/entities/kinds/kinds.ts"),
    );
    await Deno.mkdir(join(content, "bin"));
    for (const [name, start] of Object.entries(COMMANDS)) {
      await Deno.writeTextFile(join(content, "bin", `${name}.js`), commandFile(name, start), { mode: 0o755 });
    }
    for (const name of MODULE_FOLDERS) {
      await Deno.writeTextFile(join(content, name, "package.json"), NEAREST_MANIFEST);
    }
    await checkVersionFirst(content);
    const version = await completeManifest(join(content, "package.json"), repository);

    const target = resolve(out ?? join(root, "dist", `platform-ads-${version}.tgz`));
    await Deno.mkdir(dirname(target), { recursive: true });
    await run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], content);
    await Deno.copyFile(join(folder, `platform-ads-${version}.tgz`), target);
    return target;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Copies what is published, with modules whose types `deno pack` does not check. */
async function copyUnchecked(root: string, target: string): Promise<void> {
  const { publish } = JSON.parse(await Deno.readTextFile(join(root, "deno.json"))) as {
    publish: { exclude: string[] };
  };
  const left = publish.exclude.map((path) => `:(exclude)${path}`);
  const listed = await run("git", ["ls-files", "-z", "-co", "--exclude-standard", "--", ".", ...left], root);
  for (const path of listed.split("\0").filter((path) => path !== "" && existsSync(join(root, path)))) {
    const [from, to] = [join(root, path), join(target, path)];
    await Deno.mkdir(dirname(to), { recursive: true });
    if (!path.endsWith(".ts")) await Deno.copyFile(from, to);
    else await Deno.writeTextFile(to, withFirstLine(await Deno.readTextFile(from), UNCHECKED));
  }
}

/** Changes the text of each module and declaration below a folder. */
async function eachModule(folder: string, change: (text: string) => string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) await eachModule(path, change);
    else if (/\.[jt]s$/.test(name)) await Deno.writeTextFile(path, change(await Deno.readTextFile(path)));
  }
}

/** Lets every entry point look at the version of Node before it loads anything. */
async function checkVersionFirst(content: string): Promise<void> {
  await Deno.writeTextFile(join(content, VERSION_CHECK), versionCheck());
  const { exports } = JSON.parse(await Deno.readTextFile(join(content, "package.json"))) as Manifest;
  for (const path of entryFiles(exports)) {
    const [file, depth] = [join(content, path), path.split("/").length - 2];
    const first = `import "${depth === 0 ? "./" : "../".repeat(depth)}${VERSION_CHECK}";\n`;
    await Deno.writeTextFile(file, withFirstLine(await Deno.readTextFile(file), first));
  }
}

/**
 * A module that looks for `node:sqlite` when it runs and not when it is linked: a Node without it would otherwise refuse the
 * module before {@linkcode VERSION_CHECK} runs.
 */
export function withLateSqlite(module: string): string {
  return module.replace(
    /^import (\{[^}]*\}) from "node:sqlite";$/m,
    'const $1 = globalThis.process.getBuiltinModule("node:sqlite");',
  );
}

/** A module with one more first line, after the line that names its interpreter. */
export function withFirstLine(module: string, line: string): string {
  return module.replace(/^(?:#!.*\n)?/, (interpreter) => interpreter + line);
}

/** The modules that a manifest exports, as `./path.js`. */
export function entryFiles(exports: unknown): string[] {
  if (typeof exports === "string") return /^\.\/.*\.m?js$/.test(exports) ? [exports] : [];
  if (typeof exports !== "object" || exports === null) return [];
  return [...new Set(Object.values(exports).flatMap(entryFiles))];
}

async function completeManifest(path: string, repository: string | undefined): Promise<string> {
  const manifest = JSON.parse(await Deno.readTextFile(path)) as Manifest;
  const packages = Object.entries({ ...manifest.dependencies, commander: manifest.dependencies?.[TYPINGS] });
  const peers = packages.filter(([name]) => OPTIONAL_PEERS.test(name));
  const complete = {
    ...manifest,
    ...ADDED,
    exports: { ...manifest.exports, ...await oldSchemaNames() },
    ...(repository === undefined ? {} : { repository: { type: "git", url: repository } }),
    dependencies: Object.fromEntries(packages.filter(([name]) => !OPTIONAL_PEERS.test(name))),
    peerDependencies: Object.fromEntries(peers),
    peerDependenciesMeta: Object.fromEntries(peers.map(([name]) => [name, { optional: true }])),
  };
  await Deno.writeTextFile(path, `${JSON.stringify(complete, null, 2)}\n`);
  return manifest.version;
}

/** An entry point for the types of each API, as versions before 0.3 had them. They go with 0.4. */
async function oldSchemaNames(): Promise<Record<string, unknown>> {
  const { SCHEMA_FILES } = await import("../catalog/schemas/index.js");
  return Object.fromEntries(
    Object.keys(SCHEMA_FILES).map((api) => {
      const file = `./catalog/schemas/${schemaFileName(api)}`;
      return [`./schemas/${api}`, { types: `${file}.d.ts`, default: `${file}.js` }];
    }),
  );
}

/** Runs a program and gives what it printed. */
async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  // On Windows npm is a script of the shell.
  const command = Deno.build.os === "windows" && program === "npm"
    ? new Deno.Command("cmd", { args: ["/c", "npm", ...args], cwd, stdin: "null" })
    : new Deno.Command(program, { args: [...args], cwd, stdin: "null" });
  const { code, stdout, stderr } = await command.output();
  if (code === 0) return new TextDecoder().decode(stdout);
  throw new Error(
    `Cannot make the tarball: "${program} ${args[0]}" ended with ${code}: ${
      new TextDecoder().decode(stderr)
    }`,
  );
}

if (import.meta.main) {
  const options = { out: { type: "string" }, repository: { type: "string" } } as const;
  console.log(await packNpm(parseArgs({ args: process.argv.slice(2), options }).values));
}

/**
 * Gives each kind its type. The declarations are made without inference, so that a list of imported values is a list of
 * `any`.
 */
async function typeKinds(declarations: string, source: string): Promise<void> {
  let text = await Deno.readTextFile(declarations);
  for (const [, kind, spec] of (await Deno.readTextFile(source)).matchAll(/^ {2}"([^"]+)": (\w+),$/gm)) {
    const typed = text.replace(`"${kind}": any;`, `"${kind}": typeof ${spec};`);
    if (typed === text) {
      throw new Error(`Cannot type the kind ${kind}: its declaration is not "any" any more`);
    }
    text = typed;
  }
  await Deno.writeTextFile(declarations, text);
}
