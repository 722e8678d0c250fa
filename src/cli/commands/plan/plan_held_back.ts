import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { planHeldBack } from "../../../account/jobs/plan_held_back.ts";
import { withAds } from "../../core/connect.ts";
import type { CliContext } from "../../core/context.ts";
import type { CommandKit } from "../../core/command.ts";
import { readPlan, refusing } from "../../core/find_plan.ts";
import { finishPlan } from "./finish_plan.ts";

/** Options of {@linkcode runPlanHeldBack}. */
interface PlanHeldBackOptions {
  /** The plan file, or the id of the plan. */
  readonly file: string;
  readonly note?: string;
  readonly out?: string;
}

/** `adsctl plan held-back`. */
export function planHeldBackCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("held-back", {
    summary: "Plan for what a plan held back what it did to the others",
    details:
      "Once its experiment has ended: plan outcome tells whether it worked. An ordinary plan, without a part held back; what " +
      "was changed in the meantime is left out and counted.",
    examples: [["adsctl plan held-back bids.json", "then: adsctl plan apply ID"]],
    library: "await planHeldBack(profile, plan)",
  })
    .argument("<plan>", "the plan file, or the id of the plan")
    .option("--note <text>", "why; stays with the plan")
    .option("--out <path>", "file or folder for the plan; otherwise plan-<id>.json in this folder")
    .action((file, options, self) =>
      kit.run((context) => runPlanHeldBack({ file, ...options }, context), self)
    );
}

async function runPlanHeldBack(
  { file, note, out }: PlanHeldBackOptions,
  context: CliContext,
): Promise<number> {
  const plan = await readPlan(file, context);
  return await withAds(context, async (ads) => {
    const profile = ads.profileFrom(plan.profileId, plan.countryCode);
    const { signal } = context.interruption;
    return await finishPlan(await refusing(() => planHeldBack(profile, plan, { note, signal })), {
      out,
      context,
    });
  });
}
