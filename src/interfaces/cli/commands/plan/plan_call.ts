import type { Command } from "@commander-js/extra-typings";
import { planCall } from "../../../../operations/plans/plan_call.ts";
import { refusingBadInput } from "../../shell/io/cli_error.ts";
import { command } from "../../shell/command.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { addFields } from "../../shell/options/field_options.ts";
import { operationInput } from "../../shell/options/operation_input.ts";
import { jsonBody } from "../ops/call_values.ts";
import { finishAllowed } from "../../shell/finish_plan.ts";
import { addPlanOptions, type PlanFileOptions } from "./write_command.ts";

type Options = PlanFileOptions & { readonly body?: string };

export const planCallCommand = command(
  (kit) => {
    const { summary, details, library, input } = planCall;
    const leaf = kit.profileLeaf("call", {
      summary,
      details,
      library,
      examples: [
        [
          "adsctl plan call sponsored-display:updateCreatives -m US --body @body.json",
          "plan an update of Sponsored Display creatives",
        ],
        [
          "adsctl plan call sponsored-brands-v3:archiveTarget -m US -p targetId=123",
          "see what it would archive",
        ],
      ],
    });
    // The types of commander cannot know arguments and options that are declared elsewhere.
    return addPlanOptions(addFields(leaf, input)) as unknown as Command<[string], Options>;
  },
  async (operation, options, context) => {
    const body = await jsonBody(options.body, context.io);
    const input = await operationInput(planCall, { ...options, body }, { operation });
    const client = await connectProfile(options, context);
    const { signal } = context.interruption;
    const allowed = await refusingBadInput(() => planCall.run({ profile: client, signal }, input));
    return await finishAllowed(allowed, { out: options.out, context });
  },
);
