import { isObject } from "../../../../base/json/fields_of.ts";
import { parseJson } from "../../../../base/json/json.ts";
import type { ReportText } from "../../../../operations/model/field.ts";
import { UsageError } from "../io/cli_error.ts";
import type { CliIo } from "../io/cli_io.ts";
import { readInput } from "./read_input.ts";

/**
 * Accepts the name of a report, `@file` with a configuration as JSON, or `@-` for standard input.
 *
 * @throws {UsageError} when the file is not a configuration.
 */
export async function reportGiven(word: string, io: Pick<CliIo, "stdin">): Promise<ReportText> {
  if (!word.startsWith("@")) return word;
  const { text, name } = await readInput(word.slice(1), io);
  const refused = (why: string, cause?: unknown): UsageError =>
    new UsageError(`Cannot read ${name}: ${why}. Write a report configuration into it`, { cause });
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (cause) {
    throw refused("it is not JSON", cause);
  }
  if (!isObject(value)) throw refused("it is not an object");
  return value;
}
