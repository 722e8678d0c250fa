import type { CliContext } from "./context.ts";
import { UsageError } from "../errors/cli_error.ts";

/**
 * Ensures that a question can be asked, before anything else is done.
 *
 * @throws {UsageError} without a terminal, unless `yes` is given.
 */
export function ensureCanAsk(yes: boolean | undefined, { io }: CliContext, what: string): void {
  if (yes || io.stdin.isTerminal) return;
  throw new UsageError(
    `Cannot ask before ${what}: there is no terminal. Pass --yes to go on without a question`,
  );
}

/** Asks for a word on stderr; true when it was typed. For what a hurried "y" must not let through. */
export async function confirmByWord(question: string, word: string, context: CliContext): Promise<boolean> {
  return (await askText(`${question} Type "${word}" to go on: `, context)).trim() === word;
}

/** Asks on stderr; true for "y" or "yes". */
export async function confirm(question: string, context: CliContext): Promise<boolean> {
  return /^\s*y(es)?\s*$/i.test(await askText(`${question} [y/N] `, context));
}

/** Asks on stderr for a text; empty when nothing was typed. */
export async function askText(prompt: string, { io, interruption }: CliContext): Promise<string> {
  await io.stderr.write(prompt);
  let answer: string | undefined;
  try {
    answer = await io.stdin.line({ echo: true, signal: interruption.signal });
  } finally {
    // Neither Ctrl-C nor the end of the input has ended the line.
    if (answer === undefined) await io.stderr.write("\n");
  }
  return answer ?? "";
}

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
