import { planHeldBack } from "../../../../account/jobs/plan_held_back.ts";
import { connectAds } from "../../shell/connect/connect.ts";
import { command } from "../../shell/command.ts";
import { readPlan, refusing } from "../../shell/find_plan.ts";
import { finishPlan } from "../../shell/finish_plan.ts";

export const planHeldBackCommand = command(
  (kit) =>
    kit.leaf("held-back", {
      summary: "Plan the same change for the entities that a plan held back",
      details:
        "Use it after the experiment has ended; plan outcome shows whether the change worked. Creates a normal " +
        "plan with nothing held back. Items changed in the meantime are left out and counted.",
      examples: [["adsctl plan held-back bids.json", "then: adsctl plan apply ID"]],
      library: "await planHeldBack(profile, plan)",
    })
      .argument("<plan>", "the plan file, or the id of the plan")
      .option("--note <text>", "reason, saved in the plan")
      .option("--out <path>", "file or folder for the plan (default: plan-<id>.json)"),
  async (file, { note, out }, context) => {
    const plan = await readPlan(file, context);
    const ads = await connectAds(context);
    const profile = ads.profileFrom(plan.profileId, plan.countryCode);
    const { signal } = context.interruption;
    return await finishPlan(await refusing(() => planHeldBack(profile, plan, { note, signal })), {
      out,
      context,
    });
  },
);
