import type { Command } from "@commander-js/extra-typings";
import { planHeldBack } from "../../../../operations/plans/plan_held_back.ts";
import { connectAds } from "../../shell/connect/connect.ts";
import { command } from "../../shell/command.ts";
import { addFields } from "../../shell/options/field_options.ts";
import { operationDoc, operationInput } from "../../shell/options/operation_input.ts";
import { readPlan, refusing } from "../../shell/find_plan.ts";
import { finishPlan } from "../../shell/finish_plan.ts";

export const planHeldBackCommand = command(
  (kit) =>
    // The types of commander cannot know arguments that are declared elsewhere.
    addFields(
      kit.leaf("held-back", {
        ...operationDoc(planHeldBack),
        examples: [["adsctl plan held-back bids.json", "then: adsctl plan apply ID"]],
      }),
      planHeldBack.input,
    ).option("--out <path>", "file or folder for the plan (default: plan-<id>.json)") as unknown as Command<
      [plan: string],
      { readonly out?: string }
    >,
  async (file, options, context) => {
    const input = await operationInput(planHeldBack, options, { plan_id: file });
    const plan = await readPlan(file, context);
    const ads = await connectAds(context);
    const profile = ads.profileFrom(plan.profileId, plan.countryCode);
    const { signal } = context.interruption;
    return await finishPlan(await refusing(() => planHeldBack.run({ plan, profile, signal }, input)), {
      out: options.out,
      context,
    });
  },
);
