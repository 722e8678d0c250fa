/**
 * Builds adsctl and platform-ads-mcp as single executables, with the permissions they need and no more, and writes
 * their SHA-256 sums.
 *
 *     deno run -A scripts/compile.ts [--out DIR] [--target TARGET]... [--program NAME]...
 *
 * Every target is built unless some are named; DIR is dist unless told otherwise. An executable for this machine's own
 * system is tried. Where the runtime of a target cannot be downloaded, that is said, and the exit code is 1.
 *
 * With DENORT_BIN naming a runtime on this machine, one executable of each program is made from it, and it is proved
 * that every module the program can reach is inside. (A runtime that is a whole Deno and not its slim form makes
 * executables that do not run; then the sources are tried with the permissions of the executable.)
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { compileProgram } from "./compile/compile_program.ts";
import { embedded } from "./compile/embedded.ts";
import { type Program, programs } from "./compile/programs.ts";
import { smoke } from "./compile/smoke.ts";
import { fileName, TARGETS } from "./compile/targets.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: {
    out: { type: "string", default: "dist" },
    target: { type: "string", multiple: true },
    program: { type: "string", multiple: true },
  },
});
const local = Deno.env.get("DENORT_BIN");
const targets = local === undefined ? values.target ?? TARGETS : [Deno.build.target];
const wanted = programs().filter(({ name }) => values.program?.includes(name) ?? true);
const unknown = targets.find((target) => !TARGETS.includes(target));
if (unknown !== undefined || wanted.length === 0) {
  console.error(
    `Cannot build that. Targets are ${TARGETS.join(", ")}; programs are adsctl, platform-ads-mcp`,
  );
  Deno.exit(2);
}

await Deno.mkdir(values.out, { recursive: true });
let failures = 0;
const built: string[] = [];
for (const target of targets) {
  for (const program of wanted) {
    const path = join(values.out, fileName(program.name, target));
    const { ok, output } = await compileProgram(program, {
      target: local === undefined ? target : undefined,
      path,
    });
    if (!ok) fail(`${program.name} for ${target}: ${reason(output)}`);
    else {
      built.push(path);
      await examine(program, { path, target });
    }
  }
}
await writeSums(built);
if (failures > 0) Deno.exit(1);

async function examine(program: Program, { path, target }: { path: string; target: string }): Promise<void> {
  const bytes = await Deno.readFile(path);
  const { missing, modules, permissions } = await embedded(bytes, program);
  console.log(`built   ${path} (${Math.round(bytes.length / 1e6)} MB, ${modules} modules of ours inside)`);
  if (missing.length > 0) fail(`${path} lacks ${missing.join(", ")}`);
  if (permissions["prompt"] !== false) fail(`${path} would ask for permissions`);
  if (target !== Deno.build.target) return;
  const runs = local === undefined || !await isWholeDeno(path);
  if (!runs) {
    console.log("        DENORT_BIN is a whole Deno, whose executables do not run; so from the sources:");
  }
  const command = runs
    ? [path]
    : [Deno.execPath(), "run", "--quiet", ...program.permissions, fileURLToPath(program.entry)];
  for (const { what, problem } of await smoke(program.name, command)) {
    if (problem === undefined) console.log(`tried   ${what}, with the permissions of the executable`);
    else fail(`${what}: ${problem}`);
  }
}

/** A whole Deno ignores what is embedded in it, and answers for itself. */
async function isWholeDeno(path: string): Promise<boolean> {
  const { stdout } = await new Deno.Command(path, { args: ["--version"], stderr: "null" }).output();
  return new TextDecoder().decode(stdout).startsWith("deno ");
}

function reason(output: string): string {
  const request = /error sending request[^\n]*/.exec(output)?.[0];
  if (request !== undefined) return `its runtime cannot be downloaded: ${request}`;
  return output.split("\n").find((line) => line.trim() !== "") ?? "Deno gives no reason";
}

function fail(text: string): void {
  failures++;
  console.error(`FAILED  ${text}`);
}

async function writeSums(paths: readonly string[]): Promise<void> {
  const lines = await Promise.all(paths.map(async (path) => {
    const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(path));
    const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return `${hex}  ${path.split(/[\\/]/).at(-1)}\n`;
  }));
  if (lines.length > 0) await Deno.writeTextFile(join(values.out, "SHA256SUMS"), lines.join(""));
}
