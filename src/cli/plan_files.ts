import { ConfigurationError } from "../errors.ts";
import { ChangePlan } from "../plans/change_plan.ts";
import { readInput } from "./text/read_input.ts";
import { RefusedError } from "./core/cli_error.ts";
import type { CliIo } from "./core/io/cli_io.ts";

/** The files that belong to one plan file. */
export interface PlanFiles {
  /** The plan. */
  readonly plan: string;
  /** What came of applying it. */
  readonly result: string;
  /** The plan that undoes what was applied. */
  readonly rollback: string;
  /** What was sent and answered, written as it happens. */
  readonly journal: string;
  /** A person's no to an agent; there only when somebody said it. */
  readonly refused: string;
}

/** The files that belong to a plan file: they stand beside it and share its name. */
export function planFiles(path: string): PlanFiles {
  const base = path.replace(/\.json$/i, "");
  return {
    plan: path,
    result: `${base}.result.json`,
    rollback: `${base}.rollback.json`,
    journal: `${base}.journal.jsonl`,
    refused: `${base}.refused.json`,
  };
}

/**
 * Reads a plan file.
 *
 * @throws {ConfigurationError} when there is no such file.
 * @throws {RefusedError} when it is not a plan, or was edited after it was made.
 */
export async function loadPlan(path: string, io: Pick<CliIo, "stdin">): Promise<ChangePlan> {
  const { text, name } = await readInput(path, io);
  try {
    return ChangePlan.fromJson(text);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new RefusedError(error.message.replace("the plan:", `${name}:`), { cause: error });
  }
}
