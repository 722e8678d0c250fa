import { UsageError } from "../core/errors/cli_error.ts";
import type { CliIo } from "../core/io/cli_io.ts";

/**
 * Standard input as it comes, as UTF-8; it need not have an end.
 *
 * @throws {UsageError} where a person types instead, and for what is not text.
 */
export async function* inputPieces({ stdin }: Pick<CliIo, "stdin">): AsyncGenerator<string> {
  refuseTerminal({ stdin });
  for await (const piece of stdin.pieces()) {
    // What PowerShell and the like send as UTF-16.
    if (piece.includes("\0")) {
      throw new UsageError(
        "Cannot read standard input: it is not UTF-8 text. Send it as UTF-8 and try again",
      );
    }
    yield piece;
  }
}

/** @throws {UsageError} where a person types what is to be read. */
export function refuseTerminal({ stdin }: Pick<CliIo, "stdin">): void {
  if (stdin.isTerminal) {
    throw new UsageError('Cannot read "-" from a terminal: pipe something into the command, or name a file');
  }
}
