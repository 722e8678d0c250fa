import { fileSystem } from "../../../runtime/file_system.ts";
import type { PlanResult } from "../../../plans/change_plan.ts";
import { visibleText } from "../../../internal/visible_text.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/exit_codes.ts";
import { printJson, wantsData } from "../../output/print_rows.ts";
import { stylesFor } from "../../output/styles.ts";
import { outcomeText } from "../../plan_view/outcome_text.ts";
import type { PlanFiles } from "../../plan_files.ts";
import { nextCommand } from "../../text/shell_words.ts";

/** Warnings that are shown; more would push everything else off the screen. */
const WARNED = 10;

/** Writes the result and the rollback plan beside the plan, then tells what was done and how to undo it. */
export async function finishApply(
  result: PlanResult,
  { files, context }: { files: PlanFiles; context: CliContext },
): Promise<number> {
  const { io, globals, interruption } = context;
  const rollback = result.rollbackPlan();
  const undo = rollback.changes.length === 0 ? null : await rollback.save(files.rollback);
  const data = {
    ...result.toData(),
    applied_at: new Date(io.now()).toISOString(),
    plan_file: files.plan,
    rollback_file: undo,
    rollback_plan_id: undo === null ? null : rollback.id,
    rollback_warnings: rollback.warnings,
  };
  await fileSystem().writeText(files.result, JSON.stringify(data, null, 2) + "\n");

  const isOpen = result.failures.some(({ error }) => error.outcome !== "refused");
  if (wantsData(context)) await printJson({ ...data, result_file: files.result }, context);
  else {await io.stdout.write(
      outcomeText(result, { title: "Applied", styles: stylesFor(io.stdout, context) }),
    );}
  const next: string[] = [];
  for (const warning of rollback.warnings.slice(0, WARNED)) next.push(`warning: ${visibleText(warning)}`);
  if (rollback.warnings.length > WARNED) {
    next.push(`... and ${rollback.warnings.length - WARNED} more warnings, all in the result file`);
  }
  next.push(`Result: ${files.result}`);
  if (undo !== null) next.push(`To undo it:\n  ${nextCommand(["plan", "apply", undo], globals)}`);
  if (isOpen) {
    next.push(`To settle and finish it:\n  ${nextCommand(["plan", "resume", files.plan], globals)}`);
  }
  if (!globals.quiet) await io.stderr.write(next.join("\n") + "\n");
  if (interruption.happened) return EXIT.interrupted;
  return result.ok ? EXIT.done : EXIT.someFailed;
}
