import { UsageError } from "../../core/errors/cli_error.ts";
import { readInput } from "../../text/read_input.ts";
import type { CliIo } from "../../core/io/cli_io.ts";

/**
 * Reads `name=value` pairs of one option.
 *
 * @throws {UsageError} for a pair without `=` or a name, and for a name that is given twice.
 */
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

/**
 * Reads a body: JSON on the command line, `@file`, or `-` for standard input. An integer past 2^53 keeps its digits.
 *
 * @throws {UsageError} when it is not JSON.
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
