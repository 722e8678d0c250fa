import type { CliContext } from "./context.ts";

/** Asks on stderr for something that is not shown while it is typed; empty when nothing was. */
export async function askSecret(question: string, { io, interruption }: CliContext): Promise<string> {
  // The terminal stops echoing before the question appears: what is pasted early must not be shown either.
  const answer = io.stdin.line({ echo: false, signal: interruption.signal });
  await io.stderr.write(question);
  try {
    return await answer ?? "";
  } finally {
    // Return was not echoed, and Ctrl-C ends no line.
    await io.stderr.write("\n");
  }
}
