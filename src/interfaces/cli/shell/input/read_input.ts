import { readNamedFile } from "../../../../base/runtime/read_named_file.ts";
import { UsageError } from "../errors/cli_error.ts";
import type { CliIo } from "../io/cli_io.ts";

/** Text from a file or standard input, and its name in messages. */
export interface InputText {
  /** The text, without a byte order mark. */
  readonly text: string;
  /** `the file "bids.csv"` or `standard input`. */
  readonly name: string;
}

/**
 * Reads a file, or standard input for `-`, as UTF-8.
 *
 * @throws {ConfigurationError} when the file cannot be read.
 * @throws {UsageError} when it is not UTF-8 text, or `-` stands for a terminal.
 */
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

/** One record of a change file. */
export interface InputRecord {
  /** Values by the names that the file uses; those of a CSV file are texts. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Position for messages: `row 3`, `line 3` or `item 3`. */
  readonly where: string;
  /** Why it cannot be used, where its text is malformed; it has no values then. */
  readonly problem?: string;
}

/** The records of a change file. */
export interface InputRecords {
  /** The records, in order; those of a CSV file are read during the pass. */
  readonly records: Iterable<InputRecord>;
  /** Names of the fields, in the order in which they first appear. */
  readonly names: readonly string[];
  /** True when every value is text, as in CSV. */
  readonly isText: boolean;
  /** True when semicolons separate the cells, so that a comma can only be a decimal one. @default false */
  readonly decimalComma?: boolean;
}
