import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import process from "node:process";
import { ConfigurationError } from "../errors.ts";
import { childProgram } from "./child_program.ts";

/** A process that has nothing but its input and output. */
interface Sandbox {
  /** The process. */
  readonly child: ChildProcess;
  /** Ends it, and removes what the runtime kept for it. */
  readonly end: () => void;
}

/** Local files are no modules of a script: an import with the attribute of JSON would read them. */
const NO_FILES = `data:application/json,${
  encodeURIComponent(JSON.stringify({ imports: { "file:///": "blocked:///" } }))
}`;

/**
 * Starts the process of a script: Deno without any permission, an empty environment, no remote module, no module of npm and
 * no local file, in a memory of its own.
 *
 * @param megabytes Most memory of its heap.
 * @throws {ConfigurationError} where there is no Deno: the permissions of Node 24 leave the network open.
 */
export function startSandbox(megabytes: number): Sandbox {
  const program = denoProgram();
  const folder = mkdtempSync(join(tmpdir(), "platform-ads-script-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const child = spawn(program, [
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
      `--import-map=${NO_FILES}`,
      `--v8-flags=--max-old-space-size=${megabytes}`,
      childProgram(),
    ], {
      cwd: folder,
      env: { DENO_DIR: folder, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
      stdio: ["pipe", "pipe", "pipe"],
    });
    child.once("close", remove);
    return { child, end: () => void child.kill("SIGKILL") };
  } catch (error) {
    remove();
    throw error;
  }
}

/** This program where it is Deno, else the Deno that a shell would find. */
function denoProgram(): string {
  if ("Deno" in globalThis && /^deno(\.exe)?$/i.test(basename(process.execPath))) return process.execPath;
  const name = process.platform === "win32" ? "deno.exe" : "deno";
  const found = (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, name))
    .find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new ConfigurationError(
    "Cannot run a script: it runs without network, files and environment, and only Deno can take these away (the " +
      'permissions of Node 24 leave the network open). Install Deno, for example with "npm install -g deno"',
  );
}
