import { readNamedFile } from "../../../../base/runtime/read_named_file.ts";
import { UsageError } from "../io/cli_error.ts";
import type { CliIo } from "../io/cli_io.ts";

export interface InputText {
  readonly text: string;
  readonly name: string;
}

export async function readInput(path: string, { stdin }: Pick<CliIo, "stdin">): Promise<InputText> {
  const fromStdin = path === "-";
  if (fromStdin) refuseTerminal({ stdin });
  const name = fromStdin ? "standard input" : `the file "${path}"`;
  const text = fromStdin ? await stdin.text() : await readNamedFile(path, "the file");
  if (text.includes("\0") || text.includes("\uFFFD")) {
    throw new UsageError(`Cannot read ${name}: it is not UTF-8 text. Save it as "CSV UTF-8" and try again`);
  }
  return { text: text.replace(/^\uFEFF/, ""), name };
}

/**
 * Streams standard input, which may be endless.
 *
 * @throws {UsageError} for a terminal or text that is not UTF-8.
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

export function refuseTerminal({ stdin }: Pick<CliIo, "stdin">): void {
  if (stdin.isTerminal) {
    throw new UsageError('Cannot read "-" from a terminal: pipe something into the command, or name a file');
  }
}

export interface InputRecord {
  readonly values: Readonly<Record<string, unknown>>;
  readonly where: string;
  /** Reason why the text is malformed; `values` is empty then. */
  readonly problem?: string;
}

export interface InputRecords {
  /** Records in order; CSV is parsed during iteration. */
  readonly records: Iterable<InputRecord>;
  readonly names: readonly string[];
  readonly isText: boolean;
  /**
   * True if semicolons separate cells, so that a comma must be a decimal one.
   *
   * @default false
   */
  readonly decimalComma?: boolean;
}
