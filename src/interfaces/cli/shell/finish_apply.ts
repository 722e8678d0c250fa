import { visibleText } from "../../../base/text/visible_text.ts";
import type { AppliedPlan } from "../../../plans/store/write_result.ts";
import type { CliContext } from "./context/context.ts";
import { EXIT } from "./io/cli_error.ts";
import { printJson, wantsData } from "./output/print_rows.ts";
import { writeText } from "./output/write_text.ts";
import { stylesFor } from "./output/styles.ts";
import { outcomeText } from "../../../plans/change_plan/outcome_text.ts";
import { nextCommand } from "./context/shell_words.ts";

const WARNED = 10;

/**
 * Falls back to stderr if stdout fails, so that a full disk or closed pipe hides nothing.
 *
 * @param path Path of the plan file, for suggested commands.
 */
export async function finishApply(
  applied: AppliedPlan,
  { path, context }: { path: string; context: CliContext },
): Promise<number> {
  const { result, resultPath, rollback, rollbackPath, rollbackWarnings, notWritten } = applied;
  const { io, globals, interruption } = context;
  const data = {
    ...result.toData(),
    plan_file: path,
    result_file: resultPath ?? null,
    rollback_file: rollbackPath ?? null,
    rollback_plan_id: rollback?.id ?? null,
    rollback_warnings: rollbackWarnings,
    not_written: notWritten.map(({ message }) => message),
  };
  const outcome = (sink: typeof io.stdout): string =>
    outcomeText(result, {
      title: "Applied",
      styles: stylesFor(sink, context),
      whole: resultPath === undefined,
    });
  let isPrinted = true;
  try {
    await (wantsData(context) ? printJson(data, context) : writeText(outcome(io.stdout), context));
  } catch {
    isPrinted = false;
  }

  const lines = isPrinted
    ? []
    : ["Cannot write to standard output. What was done:", outcome(io.stderr).trimEnd()];
  if (!globals.quiet || !isPrinted || notWritten.length > 0) {
    for (const warning of rollbackWarnings.slice(0, WARNED)) lines.push(`warning: ${visibleText(warning)}`);
    if (rollbackWarnings.length > WARNED) {
      lines.push(`... and ${rollbackWarnings.length - WARNED} more warnings, all in the result file`);
    }
    for (const { message } of notWritten) lines.push(`error: ${visibleText(message)}`);
    if (resultPath !== undefined) lines.push(`Result: ${resultPath}`);
    if (rollback !== undefined) {
      lines.push(`To undo it:\n  ${nextCommand(["plan", "undo", path], globals)}`);
    }
    if (result.failures.some(({ outcome, error }) => outcome === "unknown" || error.code === "NOT_SENT")) {
      lines.push(`To settle and finish it:\n  ${nextCommand(["plan", "resume", path], globals)}`);
    }
    await io.stderr.write(lines.join("\n") + "\n").catch(() => {});
  }
  if (interruption.happened) return EXIT.interrupted;
  if (!result.ok) return EXIT.someFailed;
  return isPrinted && notWritten.length === 0 ? EXIT.done : EXIT.failed;
}
