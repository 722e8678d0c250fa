import type { BatchError } from "../../../batch/batch_error.ts";
import { fileSystem } from "../../../connection/file_system.ts";
import type { ChangePlan } from "../../../plans/change_plan.ts";
import type { Change } from "../../../plans/change.ts";
import type { PlanResult } from "../../../plans/plan_result.ts";
import { visibleText } from "../../../plans/visible_text.ts";
import type { CliContext } from "../../context.ts";
import { EXIT } from "../../exit_codes.ts";
import { printJson, wantsData } from "../../output/print_rows.ts";
import { stylesFor } from "../../output/styles.ts";
import { kindNoun } from "../../plan_view/kind_noun.ts";
import type { PlanFiles } from "../../plan_files.ts";
import { nextCommand } from "../../shell_words.ts";

/** Failed items that are shown; the result file has all of them. */
const SHOWN = 50;

/** Writes the result and the rollback plan beside the plan, then tells what was done and how to undo it. */
export async function finishApply(
  result: PlanResult,
  { files, context }: { files: PlanFiles; context: CliContext },
): Promise<number> {
  const { io, globals, interruption } = context;
  const rollback = result.rollbackPlan();
  const undo = rollback.changes.length === 0 ? null : await rollback.save(files.rollback);
  const data = { ...result.toData(), plan_file: files.plan, rollback_file: undo };
  await fileSystem().writeText(files.result, JSON.stringify(data, null, 2) + "\n");

  const failures = failuresOf(result);
  const isOpen = failures.some(({ error }) => error.outcome !== "refused");
  if (wantsData(context)) await printJson({ ...data, result_file: files.result }, context);
  else await io.stdout.write(outcomeText(result, failures, context));
  const next: string[] = [];
  for (const warning of rollback.warnings) next.push(`warning: ${visibleText(warning)}`);
  next.push(`Result: ${files.result}`);
  if (undo !== null) next.push(`To undo it:\n  ${nextCommand(["plan", "apply", undo], globals)}`);
  if (isOpen) {
    next.push(`To settle and finish it:\n  ${nextCommand(["plan", "resume", files.plan], globals)}`);
  }
  if (!globals.quiet) await io.stderr.write(next.join("\n") + "\n");
  if (interruption.happened) return EXIT.interrupted;
  return result.ok ? EXIT.done : EXIT.someFailed;
}

interface Failure {
  change: Change;
  error: BatchError;
}

function failuresOf({ plan, results }: PlanResult): Failure[] {
  return [...plan.grouped()].flatMap(([group, changes]) =>
    (results.get(group)?.errors ?? []).map((error) => ({ change: changes[error.index]!, error }))
  );
}

function outcomeText(result: PlanResult, failures: readonly Failure[], context: CliContext): string {
  const styles = stylesFor(context.io.stdout, context);
  const lines = [...headline(result.plan), ...result.summary().split("\n").map((line) => `  ${line}`)];
  for (const { change, error } of failures.slice(0, SHOWN)) {
    const name = [kindNoun(change.kind), change.id ?? "(new)", change.label].join(" ").trimEnd();
    const sent = change.op === "archive" ? "" : ` sent ${JSON.stringify(change.after)}`;
    const range = error.lowerLimit === undefined && error.upperLimit === undefined
      ? ""
      : `. Allowed: ${error.lowerLimit ?? "any"} to ${error.upperLimit ?? "any"}`;
    const hint = error.hint === undefined ? "" : `. ${error.hint}`;
    lines.push(
      styles.red(`  ✗ ${visibleText(name)}`) + visibleText(sent),
      `      ${visibleText(`${outcomeWord(error)}${error.code}: ${error.message}${range}${hint}`)}`,
    );
  }
  if (failures.length > SHOWN) {
    lines.push(`  ... and ${failures.length - SHOWN} more, all in the result file`);
  }
  return lines.join("\n") + "\n";
}

function headline(plan: ChangePlan): string[] {
  return [`Applied plan ${plan.id} to profile ${plan.profileId} (${plan.countryCode})`];
}

function outcomeWord({ outcome }: BatchError): string {
  switch (outcome) {
    case "refused":
      return "";
    case "partial":
      return "done in part: ";
    case "not_sent":
      return "never sent: ";
    case "unknown":
      return "may have been done: ";
  }
}
