import { Rollout } from "../../../../../account/rollout/rollout.ts";
import type { CliContext } from "../../../shell/context/context.ts";
import { UsageError } from "../../../shell/io/cli_error.ts";
import { storeOptions } from "../../../shell/connect/plan_folders.ts";
import { refusing } from "../../../shell/find_plan.ts";

/** @throws {UsageError} in a rehearsal, whose results would pass for changes to the real account. */
export async function openRollout(folder: string, context: CliContext): Promise<Rollout> {
  if (context.globals.rehearse !== undefined) {
    throw new UsageError(
      `Cannot rehearse the rollout "${folder}" as a whole: a copy is of one profile. Rehearse its plans one by one, by ` +
        "their files",
    );
  }
  return await refusing(() => Rollout.open(folder, storeOptions(context)));
}
