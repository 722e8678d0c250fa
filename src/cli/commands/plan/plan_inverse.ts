import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { readPlan } from "../../core/find_plan.ts";
import { finishPlan } from "./finish_plan.ts";

/** Options of {@linkcode runPlanInverse}. */
export interface PlanInverseOptions {
  /** The plan file, or the id of the plan; `-` for standard input. */
  readonly file: string;
  /** Where the inverse is saved. */
  readonly out?: string;
}

/** `adsctl plan inverse`. */
export function planInverseCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("inverse", {
    summary: "Make the plan that restores what a plan found",
    details:
      "Nothing is read from the platform. To undo what was really accepted, take the rollback plan that plan apply " +
      "wrote: it leaves out what was refused, and archives what was created.",
    examples: [["adsctl plan inverse plan.json --out back.json", "the way back, before the plan is applied"]],
    library: "plan.inverse()",
  })
    .argument("<plan>", "the plan file, or the id of the plan; - for standard input")
    .option("--out <path>", "file or folder for the plan; otherwise plan-<id>.json in this folder")
    .action((file, options, self) =>
      kit.run((context) => runPlanInverse({ file, ...options }, context), self)
    );
}

/** Inverts a plan. */
export async function runPlanInverse(options: PlanInverseOptions, context: CliContext): Promise<number> {
  const plan = await readPlan(options.file, context);
  return await finishPlan(plan.inverse(), { client: undefined, out: options.out, context });
}
