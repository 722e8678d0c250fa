import type { Command } from "@commander-js/extra-typings";
import { accountCopy } from "../../../../operations/plans/account_copy.ts";
import { command } from "../../shell/command.ts";
import { connectAds } from "../../shell/connect/connect.ts";
import { finishAllowed } from "../../shell/finish_plan.ts";
import { refusingBadInput } from "../../shell/io/cli_error.ts";
import { operationLeaf } from "../../shell/operation_leaf.ts";
import { chosenProfile, type MarketOptions, wantedMarket } from "../../shell/options/market_options.ts";
import { operationInput } from "../../shell/options/operation_input.ts";

type CopyOptions = Pick<MarketOptions, keyof MarketOptions> & {
  readonly out?: string;
};

export const copyCommand = command(
  (kit) =>
    operationLeaf(kit, accountCopy, {
      examples: [
        [
          'adsctl account copy "SP | Shoes *" -m US --to CA --rate 1.37 --state PAUSED',
          "copy to another market",
        ],
        [
          'adsctl account copy 123456789 -m US --to US --rename "{name} test"',
          "copy within the profile under a new name",
        ],
      ],
    })
      .option("--out <path>", "file or folder for the plan (default: plan-<id>.json)") as unknown as Command<
        [campaigns: string[]],
        CopyOptions
      >,
  async (campaigns, options, context) => {
    const input = await operationInput(accountCopy, options, { campaign_ids: campaigns });
    wantedMarket(options, context);
    const ads = await connectAds(context);
    const profile = await chosenProfile(ads, options, context);
    const target = (market: string) => chosenProfile(ads, { market }, context);
    const { signal } = context.interruption;
    const allowed = await refusingBadInput(() => accountCopy.run({ profile, target, signal }, input));
    return await finishAllowed(allowed, { out: options.out, context });
  },
);
