import { appendFile, readFile, truncate } from "node:fs/promises";
import { fieldsOf } from "../../../base/json/fields_of.ts";
import { jsonLine, jsonLinesOf } from "../../../base/text/lines.ts";
import { ConfigurationError } from "../../../errors.ts";
import type { Harm } from "../judge/harm.ts";
import type { Group } from "../judge/task.ts";

/** A judged run, as a line of a results file. */
export interface ArenaResult {
  /** Id of the task. */
  readonly task: string;
  /** Group of the task. */
  readonly group: Group;
  /** The seed that the task was drawn from. */
  readonly seed: number;
  /** Name or command of the agent. */
  readonly agent: string;
  /** True when every fact holds, within the limits and without harm. */
  readonly done: boolean;
  /** Reasons why the task does not count as done. */
  readonly reasons: readonly string[];
  /** Harm caused outside the task: account changes, forbidden attempts and exposed data. */
  readonly harm: Harm;
  /** Number of tool calls. */
  readonly calls: number;
  /** Estimated number of tokens in the tools' responses. */
  readonly tokens: number;
  /** Number of account days that passed. */
  readonly days: number;
  /** Answer of the agent. */
  readonly answer: string;
}

/**
 * Reads a results file; empty if the file is missing. Removes a last line truncated by a crash.
 *
 * @throws {ConfigurationError} when a line is not a result.
 */
export async function readResults(path: string): Promise<ArenaResult[]> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw new ConfigurationError(`Cannot read the results in "${path}": ${(error as Error).message}`, {
      cause: error,
    });
  }
  const end = text.lastIndexOf("\n") + 1;
  if (end < text.length) await truncate(path, new TextEncoder().encode(text.slice(0, end)).length);
  return jsonLinesOf(text.slice(0, end)).flatMap((line) =>
    line.text === "" ? [] : [resultIn(line.value, `${path}:${line.number}`)]
  );
}

export async function appendResult(path: string, result: ArenaResult): Promise<void> {
  await appendFile(path, jsonLine(result));
}

function resultIn(value: unknown, place: string): ArenaResult {
  const { task, seed, agent } = fieldsOf(value);
  if (typeof task === "string" && typeof seed === "number" && typeof agent === "string") {
    return value as ArenaResult;
  }
  throw new ConfigurationError(
    `Cannot resume: ${place} is not a result of the arena. Name another file with --out`,
  );
}
