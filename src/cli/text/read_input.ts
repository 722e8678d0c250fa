import { readNamedFile } from "../../runtime/read_named_file.ts";
import { UsageError } from "../core/errors/cli_error.ts";
import type { CliIo } from "../core/io/cli_io.ts";
import { refuseTerminal } from "./input_pieces.ts";

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
