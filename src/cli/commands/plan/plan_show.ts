import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { ChangePlan } from "../../../plans/change_plan.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { printJson, printRows } from "../../output/print_rows.ts";
import { stylesFor } from "../../output/styles.ts";
import { findPlan, readPlan } from "../../core/find_plan.ts";
import { appliedData, appliedText } from "./applied_text.ts";
import { isRollout } from "../../../account/rollout/rollout_file.ts";
import { queueOption } from "./rollout/queue_options.ts";
import { showRollout } from "./rollout/queued_rollout.ts";
import { planView } from "../../../plans/view/plan_view.ts";
import { renderPlan } from "../../../plans/view/terminal_text.ts";

/** `adsctl plan show`. */
export function planShowCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("show", {
    summary: "Show what a plan would do",
    details:
      "Nothing is read from the platform. For a plan that was applied, what was done and which findings were overridden " +
      "by whom are shown too. With --format table, csv or tsv: one row for each changed field.",
    examples: [
      ["adsctl plan show plan-20261120-101500-1a2b3c4d.json", "the plan as a diff by campaign"],
      [
        "adsctl plan show plan.json --format csv > review.csv",
        "every changed field as a row for a spreadsheet",
      ],
    ],
    library: "(await ChangePlan.load(path)).toMarkdown()",
  })
    .argument("<plan>", "the plan file, the id of the plan, or the folder of a rollout; - for standard input")
    .addOption(queueOption())
    .action((file, options, self) => kit.run((context) => runPlanShow({ file, ...options }, context), self));
}

export async function runPlanShow(
  options: { readonly file: string; readonly store?: string },
  context: CliContext,
): Promise<number> {
  const { file } = options;
  const { io, globals } = context;
  if (await isRollout(file)) return await showRollout(options, context);
  const plan = await readPlan(file, context);
  const applied = file === "-" ? undefined : await (await findPlan(file, context)).store.applied(plan.id);
  switch (globals.format) {
    case "json":
    case "jsonl":
      await printJson({
        ...planView(plan),
        file,
        applied: applied === undefined ? null : appliedData(applied),
      }, context);
      break;
    case "csv":
    case "tsv":
    case "table":
      return await printChanges(plan, context);
    default:
      if (globals.fields !== undefined) return await printChanges(plan, context);
      await io.stdout.write(renderPlan(planView(plan), { styles: stylesFor(io.stdout, context) }));
      if (applied !== undefined) await io.stdout.write(await appliedText(plan, applied, context));
  }
  return EXIT.done;
}

async function printChanges(plan: ChangePlan, context: CliContext): Promise<number> {
  const columns = ["kind", "id", "label", "field", "before", "after"];
  await printRows(plan.table().map((row) => ({ ...row })), { columns }, context);
  return EXIT.done;
}
