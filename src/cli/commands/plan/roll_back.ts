import { existsSync } from "node:fs";
import type { ProfileClient } from "../../../client/profile_client.ts";
import type { ChangePlan } from "../../../plans/change_plan.ts";
import { type ResumeOptions, resumePlan } from "../../../plans/resume_plan.ts";
import { visibleText } from "../../../internal/visible_text.ts";
import { RefusedError } from "../../core/cli_error.ts";
import type { CliContext } from "../../core/context.ts";
import { type PlanFiles, planFiles } from "../../plan_files.ts";
import { nextCommand } from "../../text/shell_words.ts";

/**
 * Gives up a plan that was cut off and writes the plan that undoes what it did.
 *
 * @returns The path of that plan; `undefined` when nothing was done that can be undone.
 */
export async function rollBack(
  plan: ChangePlan,
  client: ProfileClient,
  { files, settings, context }: { files: PlanFiles; settings: ResumeOptions; context: CliContext },
): Promise<string | undefined> {
  const { io, globals } = context;
  const result = await resumePlan(plan, client, { ...settings, abandon: true });
  const rollback = result.rollbackPlan();
  for (const warning of rollback.warnings) await io.stderr.write(`warning: ${visibleText(warning)}\n`);
  if (rollback.changes.length > 0) return await rollback.save(files.rollback);
  if (!globals.quiet) await io.stderr.write("There is nothing to undo, and the rest is never sent\n");
  return undefined;
}

/**
 * Refuses where the rollback is under way already: what it did must not be planned and done once more.
 *
 * @throws {RefusedError} that names the command to go on with.
 */
export function refuseSecondRollback(plan: ChangePlan, files: PlanFiles, { globals }: CliContext): void {
  const { journal, result } = planFiles(files.rollback);
  if (!existsSync(journal) && !existsSync(result)) return;
  throw new RefusedError(
    `Cannot roll back plan ${plan.id} again: its rollback was begun. See what it did, and finish it, with\n  ` +
      nextCommand(["plan", "resume", files.rollback], globals),
  );
}
