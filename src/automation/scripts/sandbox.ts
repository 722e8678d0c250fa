import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import process from "node:process";
import { ConfigurationError } from "../../errors.ts";
import { denoProgram, nodeProgram } from "./child_program.ts";

interface Sandbox {
  readonly child: ChildProcess;
  readonly end: () => void;
}

/** Blocks Node modules and local files, which JSON imports could otherwise read. */
const NO_MODULES = `data:application/json,${
  encodeURIComponent(JSON.stringify({
    imports: Object.fromEntries(
      ["file:///", ...builtinModules.map((name) => name.startsWith("node:") ? name : `node:${name}`)]
        .map((name) => [name, "blocked:///"]),
    ),
  }))
}`;

/** CPU seconds to start a runtime. */
const STARTUP = 5;

const SHELL = "/bin/sh";

/** Oldest supported Node version; permissions and type stripping are experimental in older ones. */
const OLDEST_NODE = 24;

/**
 * Starts the process for a script with an empty environment and folder. Deno runs without permissions, remote or npm
 * modules, and local files. Node's permissions do not block the network, so the script runs in a realm without Node
 * APIs.
 *
 * @param options.megabytes Heap limit.
 * @param options.seconds Time limit. If the parent is killed, the system ends the process after twice this CPU time,
 * except where there is no shell, as on Windows.
 * @param options.program Path of Deno or Node.
 * @default this program, or the first one in PATH
 * @throws {ConfigurationError} when neither Deno nor Node 24 is found.
 */
export function startSandbox(
  { megabytes, seconds, program = runtimeProgram() }: {
    readonly megabytes: number;
    readonly seconds: number;
    readonly program?: string | undefined;
  },
): Sandbox {
  const isDeno = /^deno/i.test(basename(program));
  if (!isDeno && !isNewNode(program)) throw noRuntime();
  const folder = mkdtempSync(join(tmpdir(), "platform-ads-script-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const line = [program, ...isDeno ? denoArguments(megabytes) : nodeArguments(megabytes)];
    // Some sandboxes refuse the limit, the unit in docs/deploy for one: the script then runs without it.
    const limit = `ulimit -t ${Math.ceil(2 * seconds) + STARTUP} 2>/dev/null || :; exec "$@"`;
    const [first = program, ...rest] = existsSync(SHELL) ? [SHELL, "-c", limit, "sh", ...line] : line;
    const child = spawn(first, rest, {
      cwd: folder,
      env: isDeno ? { DENO_DIR: folder, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" } : { NO_COLOR: "1" },
      stdio: ["pipe", "pipe", "pipe"],
    });
    child.once("close", remove);
    return { child, end: () => void child.kill("SIGKILL") };
  } catch (error) {
    remove();
    throw error;
  }
}

function denoArguments(megabytes: number): string[] {
  return [
    "run",
    "--quiet",
    "--no-prompt",
    "--no-config",
    "--no-lock",
    "--no-remote",
    "--no-npm",
    "--deny-read",
    "--deny-write",
    "--deny-net",
    "--deny-env",
    "--deny-run",
    "--deny-ffi",
    "--deny-sys",
    "--deny-import",
    `--import-map=${NO_MODULES}`,
    `--v8-flags=--max-old-space-size=${megabytes}`,
    denoProgram(),
  ];
}

function nodeArguments(megabytes: number): string[] {
  return [
    "--permission",
    "--no-addons",
    "--no-warnings",
    "--disable-sigusr1",
    "--frozen-intrinsics",
    "--disallow-code-generation-from-strings",
    "--experimental-vm-modules",
    `--max-old-space-size=${megabytes}`,
    "--input-type=module",
    "--eval",
    nodeProgram(),
  ];
}

function runtimeProgram(): string {
  const own = process.execPath;
  if ("Deno" in globalThis && /^deno(\.exe)?$/i.test(basename(own))) return own;
  const found = onPath("deno") ?? ("Deno" in globalThis ? undefined : own) ?? onPath("node");
  if (found !== undefined) return found;
  // The executable of a release has no permission to start another program, and sees no PATH.
  throw noRuntime(
    "Deno" in globalThis ? "Run adsctl with Deno or from npm: its executable cannot start programs" : INSTALL,
  );
}

function onPath(name: string): string | undefined {
  const file = process.platform === "win32" ? `${name}.exe` : name;
  return (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, file))
    .find((path) => existsSync(path));
}

function isNewNode(program: string): boolean {
  const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8", timeout: 10_000 });
  return Number(/^v(\d+)\./.exec(stdout ?? "")?.[1] ?? 0) >= OLDEST_NODE;
}

const INSTALL = 'Install Deno, for example with "npm install -g deno"';

function noRuntime(advice = INSTALL): ConfigurationError {
  return new ConfigurationError(
    `Cannot run a script: it must not reach network, files or environment, which only Deno and ` +
      `Node ${OLDEST_NODE} or newer ` +
      `can ensure. ${advice}`,
  );
}
