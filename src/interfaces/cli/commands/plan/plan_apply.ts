import type { Command } from "@commander-js/extra-typings";
import type { PlatformAds } from "../../../../client/platform_ads.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import { planApply } from "../../../../operations/plans/plan_apply.ts";
import type { ChangePlan } from "../../../../plans/change_plan/change_plan.ts";
import { EXIT, RefusedError } from "../../shell/io/cli_error.ts";
import { command } from "../../shell/command.ts";
import { ensureCanAsk } from "../../shell/context/confirm.ts";
import { connectAds } from "../../shell/connect/connect.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { addFields } from "../../shell/options/field_options.ts";
import { operationDoc, operationInput } from "../../shell/options/operation_input.ts";
import { findPlan, refusing } from "../../shell/find_plan.ts";
import { chosenProfile, marketOption, type MarketOptions } from "../../shell/options/market_options.ts";
import { isRollout } from "../../../../account/rollout/rollout_file.ts";
import { runApplyRollout } from "./rollout/apply_rollout.ts";
import { enqueueOption, queueOption, refuseStages } from "./rollout/rollout_options.ts";
import { finishApply } from "../../shell/finish_apply.ts";
import { ACCEPT_RISK, sendContext, type SendOptions } from "../../shell/connect/send_context.ts";

export const planApplyCommand = command(
  (kit) =>
    addFields(
      kit.leaf("apply", {
        ...operationDoc(planApply),
        examples: [
          ["adsctl plan apply plan-20261120-101500-1a2b3c4d.json", "show, ask, send"],
          [
            "adsctl plan apply ./rollout --serial 1,10%,100% --stop-on-failures 5%",
            "apply to many profiles in stages",
          ],
          ["adsctl plan apply plan.json --yes --json", "send without asking, and print the result as JSON"],
        ],
      }),
      planApply.input,
    )
      .addOption(marketOption())
      .option("--yes", "do not ask")
      .option(...ACCEPT_RISK)
      .addOption(enqueueOption())
      // The types of commander cannot know arguments and options that are declared elsewhere.
      .addOption(queueOption()) as unknown as Command<
        [plan: string],
        SendOptions & Pick<MarketOptions, "market">
      >,
  async (file, options, context) => {
    if (await isRollout(file)) return await runApplyRollout({ file, ...options }, context);
    refuseStages(options);
    const input = await operationInput(planApply, options, { plan_id: file });
    const { plan, path, store } = await findPlan(file, context);
    if (plan.changes.length === 0) {
      await context.io.stderr.write("The plan changes nothing, so nothing was sent\n");
      return EXIT.done;
    }
    await refusing(() => store.ensureOpen(plan.id));
    ensureCanAsk(options.yes, context, "applying a plan");
    const ads = await connectAds(context);
    const profile = await planProfile(ads, plan, { market: options.market, context });
    const sending = sendContext({ plan, store, profile }, { options, context });
    return await finishApply(await refusing(() => planApply.run(sending, input)), { path, context });
  },
);

/** @throws {RefusedError} when `-m` names another profile. */
async function planProfile(
  ads: PlatformAds,
  plan: ChangePlan,
  { market, context }: { market: string | undefined; context: CliContext },
): Promise<ProfileClient> {
  if (market === undefined) return ads.profileFrom(plan.profileId, plan.countryCode);
  const client = await chosenProfile(ads, { market }, context);
  if (client.profileId === plan.profileId) return client;
  throw new RefusedError(
    `Cannot apply plan ${plan.id}: it is for profile ${plan.profileId} (${plan.countryCode}), ` +
      `and -m ${market} means ${client.profileId} (${client.countryCode})`,
  );
}
