/**
 * Copies the libraries of the console's pages from npm into src/interfaces/console/web/lib, where they are shipped from.
 *
 *     deno run -A scripts/vendor_console.ts [--check]
 *
 * With `--check` nothing is written; exit 1 when a file differs. The files are those of the packages, without the
 * comment that names a source map. Needs `npm` and `tar` on the path.
 */
const TARGET = new URL("../src/interfaces/console/web/lib/", import.meta.url);

interface Copied {
  /** Package and exact version. */
  readonly source: string;
  /** Files of the package by the names they get here. */
  readonly files: Readonly<Record<string, string>>;
}

const COPIED: readonly Copied[] = [
  { source: "preact@11.2.0", files: { "preact.js": "dist/preact.mjs" } },
  { source: "htm@3.1.1", files: { "htm.js": "dist/htm.module.js" } },
  { source: "@preact/signals-core@1.14.5", files: { "signals.js": "dist/signals-core.module.js" } },
];

const check = Deno.args.includes("--check");
const licenses: string[] = [];
for (const { source, files } of COPIED) {
  const folder = await Deno.makeTempDir({ prefix: "vendor-" });
  try {
    const tarball = await run("npm", ["pack", "--silent", source], folder);
    await run("tar", ["-xzf", tarball.trim().split("\n").at(-1)!], folder);
    for (const [name, path] of Object.entries(files)) {
      const text = (await Deno.readTextFile(`${folder}/package/${path}`))
        .replace(/\n?\/\/# sourceMappingURL=\S+\s*$/, "").trimEnd() + "\n";
      await put(name, text);
    }
    licenses.push(`${source}\n\n${(await Deno.readTextFile(`${folder}/package/LICENSE`)).trim()}\n`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
await put("LICENSES.txt", licenses.join("\n----\n\n"));

async function put(name: string, text: string): Promise<void> {
  const path = new URL(name, TARGET);
  if (await Deno.readTextFile(path).catch(() => "") === text) return;
  if (check) {
    console.error(
      `src/interfaces/console/web/lib/${name} differs from its package: run scripts/vendor_console.ts`,
    );
    Deno.exitCode = 1;
  } else {
    await Deno.mkdir(TARGET, { recursive: true });
    await Deno.writeTextFile(path, text);
    console.log(`Wrote src/interfaces/console/web/lib/${name}`);
  }
}

async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args: [...args], cwd }).output();
  if (success) return new TextDecoder().decode(stdout);
  throw new Error(`Cannot run ${program} ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
}
