import { pathToFileURL } from "node:url";
import { fieldsOf } from "../../../../base/json/fields_of.ts";
import { UsageError } from "../../shell/io/cli_error.ts";
import { readInput } from "../../shell/input/read_input.ts";
import type { CliIo } from "../../shell/io/cli_io.ts";

export function namedValues(pairs: readonly string[] | undefined, option: string): Record<string, string> {
  const values = new Map<string, string>();
  for (const pair of pairs ?? []) {
    const at = pair.indexOf("=");
    if (at === -1) throw new UsageError(`Cannot use ${option} "${pair}": write name=value`);
    const name = pair.slice(0, at).trim();
    if (name === "") throw new UsageError(`Cannot use ${option} "${pair}": there is no name before the =`);
    if (values.has(name)) throw new UsageError(`Cannot use ${option} "${name}" twice: give it once`);
    values.set(name, pair.slice(at + 1));
  }
  return Object.fromEntries(values);
}

/** Files become URLs that are opened when the form is sent. */
export function withFileFields(body: unknown, files: readonly string[] | undefined): unknown {
  if (files === undefined) return body;
  const paths = Object.entries(namedValues(files, "--file"));
  const fields = paths.map(([name, path]): [string, URL] => [name, pathToFileURL(path)]);
  return { ...fieldsOf(body), ...Object.fromEntries(fields) };
}

/**
 * Accepts JSON, `@file`, or `-` for standard input. Integers above 2^53 keep their digits.
 *
 * @throws {UsageError} for invalid JSON.
 */
export async function jsonBody(given: string | undefined, io: CliIo): Promise<unknown> {
  if (given === undefined) return undefined;
  const input = given === "-" || given.startsWith("@")
    ? await readInput(given.replace(/^@/, ""), io)
    : { text: given, name: "--body" };
  try {
    return JSON.parse(input.text, exactIntegers as (this: unknown, key: string, value: unknown) => unknown);
  } catch (cause) {
    throw new UsageError(`Cannot read ${input.name}: it is not JSON (${(cause as Error).message})`, {
      cause,
    });
  }
}

function exactIntegers(_key: string, value: unknown, context: { source?: string } | undefined): unknown {
  const isRounded = typeof value === "number" && !Number.isSafeInteger(value);
  return isRounded && /^-?\d+$/.test(context?.source ?? "") ? BigInt(context!.source!) : value;
}
