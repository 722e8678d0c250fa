import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { readPlan } from "../../shell/plans/find_plan.ts";
import { isRollout } from "../../../../account/rollout/rollout_file.ts";
import { finishPlan } from "../../shell/plans/finish_plan.ts";
import { Rollout } from "../../../../account/rollout/rollout.ts";
import { refusing } from "../../shell/plans/find_plan.ts";
import { openRollout } from "./rollout/open_rollout.ts";
import { accountNames } from "./rollout/rollout_rows.ts";
import { finishRollout } from "./rollout/plan_rollout.ts";
import { EXIT } from "../../shell/errors/exit_codes.ts";

export const planInverseCommand = command(
  (kit) =>
    kit.leaf("inverse", {
      summary: "Make the plan that restores what a plan found",
      details:
        "Nothing is read from the platform. To undo what was really accepted, take the rollback plan that plan apply " +
        "wrote: it leaves out what was refused, and archives what was created. Of the folder of a rollout, the inverse is a " +
        "rollout of its own.",
      examples: [
        ["adsctl plan inverse plan.json --out back.json", "the way back, before the plan is applied"],
        ["adsctl plan inverse ./rollout --out ./back", "the way back of every plan of a rollout"],
      ],
      library: "plan.inverse()",
    })
      .argument(
        "<plan>",
        "the plan file, the id of the plan, or the folder of a rollout; - for standard input",
      )
      .option(
        "--out <path>",
        "file or folder for the plan; otherwise plan-<id>.json in this folder, <folder>-inverse for a rollout",
      ),
  async (file, options, context) => {
    if (await isRollout(file)) return await invertRollout({ file, ...options }, context);
    const plan = await readPlan(file, context);
    return await finishPlan(plan.inverse(), { out: options.out, context });
  },
);

/** Inverts every plan of a rollout, as a rollout in a folder of its own. */
async function invertRollout(
  { file, out = `${file.replace(/[\\/]+$/, "")}-inverse` }: { file: string; out?: string },
  context: CliContext,
): Promise<number> {
  const rollout = await openRollout(file, context);
  const entries = await refusing(() => rollout.entries());
  const { note } = rollout.data;
  const inverse = await refusing(() =>
    Rollout.create(out, entries.map(({ plan }) => plan.inverse()), {
      note: note === null ? "Inverse of a rollout" : `Inverse of: ${note}`,
      accountNames: accountNames(rollout),
      now: context.io.now,
    })
  );
  await finishRollout(inverse, context);
  return EXIT.done;
}
