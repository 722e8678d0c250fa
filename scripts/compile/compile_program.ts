import { fileURLToPath } from "node:url";
import type { Program } from "./programs.ts";
import { withEagerConfig } from "./eager_config.ts";

/** What came of compiling a program. */
export interface Compiled {
  /** True when the executable is there. */
  readonly ok: boolean;
  /** What Deno said. */
  readonly output: string;
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Compiles a program for a target into `path`. `DENORT_BIN` of the environment takes the place of the downloaded runtime. */
export function compileProgram(
  program: Program,
  { target, path }: { target: string | undefined; path: string },
): Promise<Compiled> {
  return withEagerConfig(async (config) => {
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "compile",
        "--quiet",
        "--no-check",
        // The lock file names packages of the tests and of the other program as well.
        "--exclude-unused-npm",
        ...["--config", config, "--lock", "deno.lock"],
        ...(target === undefined ? [] : ["--target", target]),
        ...program.permissions,
        ...["--output", path],
        fileURLToPath(program.entry),
      ],
      env: { NO_COLOR: "1" },
      cwd: ROOT,
      stdout: "null",
      stderr: "piped",
    }).output();
    return { ok: success, output: new TextDecoder().decode(stderr).trim() };
  });
}
