import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { printJson, printRows } from "../../output/print_rows.ts";
import { writeText } from "../../output/write_text.ts";
import { renderPlan } from "../../../plans/view/terminal_text.ts";
import { stylesFor } from "../../output/styles.ts";
import { findPlan, readPlan } from "../../core/find_plan.ts";
import { appliedData, appliedText } from "./applied_text.ts";
import { isRollout } from "../../../account/rollout/rollout_file.ts";
import { changeRows } from "../../../plans/view/change_rows.ts";
import { say } from "../../output/say.ts";
import { checkedPlan } from "./checked_plan.ts";
import { queueOption } from "./rollout/queue_options.ts";
import { showRollout } from "./rollout/queued_rollout.ts";
import { planView } from "../../../plans/view/plan_view.ts";

/** `adsctl plan show`. */
export function planShowCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("show", {
    summary: "Show what a plan would do",
    details:
      "An open plan is compared with the account as it is now: names, findings and money are not believed from its file. " +
      "Where the account cannot be read, the plan is shown as its file says, marked as unchecked. For a plan that was " +
      "applied, what was done and which findings were overridden by whom are shown too. With --format table, csv or tsv: one row for each changed field.",
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
  const store = file === "-" ? undefined : (await findPlan(file, context)).store;
  const applied = await store?.applied(plan.id);
  const { shown, unchecked } = await checkedPlan(plan, { store, context });
  const isRows = globals.fields !== undefined || /^(csv|tsv|table)$/.test(globals.format ?? "");
  if (/^jsonl?$/.test(globals.format ?? "")) {
    const checked = unchecked === undefined;
    await printJson({
      ...planView(shown),
      checked,
      file,
      applied: applied === undefined ? null : appliedData(applied),
    }, context);
    return EXIT.done;
  }
  if (isRows) {
    const columns = ["kind", "id", "label", "field", "before", "after"];
    await printRows(changeRows(shown.changes).map((row) => ({ ...row })), { columns }, context);
  } else await writeText(renderPlan(planView(shown), { styles: stylesFor(io.stdout, context) }), context);
  if (applied !== undefined) {
    if (!isRows) await writeText(await appliedText(plan, applied, context), context);
  } else if (unchecked !== undefined) {
    await say(`Unchecked: names, findings and money are as the plan file says. ${unchecked}`, {
      io,
      globals,
    });
  }
  return EXIT.done;
}
