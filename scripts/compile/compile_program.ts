import { fileURLToPath } from "node:url";
import type { Program } from "./programs.ts";

/** What came of compiling a program. */
export interface Compiled {
  /** True when the executable is there. */
  readonly ok: boolean;
  /** What Deno said. */
  readonly output: string;
}

/** Compiles a program for a target into `path`. `DENORT_BIN` of the environment takes the place of the downloaded runtime. */
export async function compileProgram(
  program: Program,
  { target, path }: { target: string | undefined; path: string },
): Promise<Compiled> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "compile",
      "--quiet",
      "--no-check",
      // The lock file names packages of the tests and of the other program as well.
      "--exclude-unused-npm",
      ...(target === undefined ? [] : ["--target", target]),
      ...program.permissions,
      ...program.include.flatMap((module) => ["--include", fileURLToPath(module)]),
      "--output",
      path,
      fileURLToPath(program.entry),
    ],
    env: { NO_COLOR: "1" },
    cwd: fileURLToPath(new URL("../../", import.meta.url)),
    stdout: "null",
    stderr: "piped",
  }).output();
  return { ok: success, output: new TextDecoder().decode(stderr).trim() };
}
