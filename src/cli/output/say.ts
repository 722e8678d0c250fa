import type { CliContext } from "../core/context.ts";

/** Writes a line for the person at the terminal on standard error, unless `--quiet`. */
export async function say(line: string, { io, globals }: Pick<CliContext, "io" | "globals">): Promise<void> {
  if (!globals.quiet) await io.stderr.write(`${line}\n`);
}
