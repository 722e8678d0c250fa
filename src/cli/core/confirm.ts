import type { CliContext } from "./context.ts";
import { UsageError } from "./cli_error.ts";

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

/** Asks on stderr; true for "y" or "yes". */
export async function confirm(question: string, { io, interruption }: CliContext): Promise<boolean> {
  await io.stderr.write(`${question} [y/N] `);
  let answer: string | undefined;
  try {
    answer = await io.stdin.line({ echo: true, signal: interruption.signal });
  } finally {
    // Neither Ctrl-C nor the end of the input has ended the line.
    if (answer === undefined) await io.stderr.write("\n");
  }
  return /^\s*y(es)?\s*$/i.test(answer ?? "");
}
