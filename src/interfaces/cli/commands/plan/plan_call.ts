import { catalog } from "../../../../platform/catalog/catalog.ts";
import { prepareCall } from "../../../../platform/catalog/prepare_call.ts";
import { refusingBadInput } from "../../shell/errors/cli_error.ts";
import { command } from "../../shell/command.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { TOUCH_EXPERIMENTS } from "../../shell/options/experiment_options.ts";
import { repeated } from "../../shell/arguments/parse_values.ts";
import { callValues, checkOption } from "../ops/call_values.ts";
import { finishPlan } from "../../shell/plans/finish_plan.ts";

export const planCallCommand = command(
  (kit) =>
    kit.profileLeaf("call", {
      summary: "Plan a call of a write operation, without sending it",
      details:
        "The plan shows method, path and body, and before and after values if an operation that reads the same " +
        "entities is known. It marks what cannot be undone. If another plan command covers the call, you get that " +
        "plan. Mismatches with the published description are warnings; --check strict refuses them.",
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
      library:
        'await profile.planCall("sponsored-tv:UpdateSponsoredTvCampaigns", { campaigns: [{ campaignId: "9", name: "A" }] })',
    })
      .argument("<id>", "<api>:<operationId>, or a unique name")
      .option("--body <json>", "body: JSON, @file, or - for standard input")
      .option("-p, --path <name=value>", "path parameter; repeatable", repeated)
      .option("-q, --query <name=value>", "query parameter; repeatable, even with the same name", repeated)
      .option("--header <name=value>", "additional header; repeatable", repeated)
      .option("--content-type <type>", "media type of the body, instead of the catalog's")
      .option("--accept <type>", "media type of the response, instead of the catalog's")
      .addOption(checkOption())
      .option(...TOUCH_EXPERIMENTS)
      .option("--note <text>", "reason, saved in the plan")
      .option("--out <path>", "file or folder for the plan (default: plan-<id>.json)"),
  async (id, options, context) => {
    const { interruption: { signal } } = context;
    const operation = await refusingBadInput(() => catalog.get(id));
    const { body, ...input } = await callValues(options, context.io);
    // Checked before a login; the client checks again.
    await refusingBadInput(() => prepareCall(operation, { ...input, body }));
    const client = await connectProfile(options, context);
    const { note, check } = options;
    const planned = { ...input, note, signal, ...(check === undefined ? {} : { check }) };
    const plan = await refusingBadInput(() => client.planCall<string>(operation.id, body, planned));
    return await finishPlan(plan, { out: options.out, context });
  },
);
