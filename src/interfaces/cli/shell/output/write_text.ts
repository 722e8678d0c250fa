import { commandWords } from "../../../../operations/model/command_words.ts";
import type { CliContext } from "../context/context.ts";
import { wrapLines } from "../terminal/wrap_lines.ts";

export async function writeText(text: string, { io: { stdout } }: Pick<CliContext, "io">): Promise<void> {
  await stdout.write(wrapLines(text, stdout.columns));
}

export async function say(line: string, { io, globals }: Pick<CliContext, "io" | "globals">): Promise<void> {
  if (!globals.quiet) await io.stderr.write(`${commandWords(line)}\n`);
}
