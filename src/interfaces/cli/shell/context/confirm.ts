import type { CliContext } from "./context.ts";
import { UsageError } from "../io/cli_error.ts";

/** @throws {UsageError} without a terminal, unless `yes` is given. */
export function ensureCanAsk(yes: boolean | undefined, { io }: CliContext, what: string): void {
  if (yes || io.stdin.isTerminal) return;
  throw new UsageError(
    `Cannot ask before ${what}: there is no terminal. Pass --yes to go on without a question`,
  );
}

/** Requires a typed word instead of "y", which is too easy to type in a hurry. */
export async function confirmByWord(question: string, word: string, context: CliContext): Promise<boolean> {
  return (await askText(`${question} Type "${word}" to go on: `, context)).trim() === word;
}

export async function confirm(question: string, context: CliContext): Promise<boolean> {
  return /^\s*y(es)?\s*$/i.test(await askText(`${question} [y/N] `, context));
}

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
