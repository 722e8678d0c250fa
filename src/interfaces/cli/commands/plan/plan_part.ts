import type { Command } from "@commander-js/extra-typings";
import { planPart } from "../../../../operations/plans/plan_part.ts";
import { connectAds } from "../../shell/connect/connect.ts";
import { command } from "../../shell/command.ts";
import { findPlan, refusing } from "../../shell/find_plan.ts";
import { finishPlan } from "../../shell/finish_plan.ts";
import { refusingBadInput } from "../../shell/io/cli_error.ts";
import { addFields } from "../../shell/options/field_options.ts";
import { operationDoc, operationInput } from "../../shell/options/operation_input.ts";

export const planPartCommand = command(
  (kit) =>
    // The types of commander cannot know options that are declared elsewhere.
    addFields(
      kit.leaf("part", {
        ...operationDoc(planPart),
        examples: [
          ["adsctl plan part bids.json --leave-out 0,3", "plan all but the first and the fourth change"],
          [
            "adsctl plan part bids.json --leave-out-id 123456789012345",
            "leave the changes of one entity out",
          ],
        ],
      }),
      planPart.input,
    ).option("--out <path>", "file or folder for the plan (default: plan-<id>.json)") as unknown as Command<
      [plan: string],
      { readonly out?: string }
    >,
  async (file, options, context) => {
    const { interruption: { signal } } = context;
    const input = await operationInput(planPart, options, { plan_id: file });
    const { plan, store } = await findPlan(file, context);
    const profile = (await connectAds(context)).profileFrom(plan.profileId, plan.countryCode);
    const part = await refusingBadInput(() =>
      refusing(() => planPart.run({ plan, store, profile, signal }, input))
    );
    return await finishPlan(part, { out: options.out, context });
  },
);
