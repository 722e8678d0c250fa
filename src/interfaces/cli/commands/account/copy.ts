import { Option } from "@commander-js/extra-typings";
import { copyCampaigns } from "../../../../account/diff/copy_campaigns.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import { allowedPlan, DENIED_FIELD } from "../../../../operations/plans/write_operation.ts";
import { command } from "../../shell/command.ts";
import { connectAds } from "../../shell/connect/connect.ts";
import { UsageError } from "../../shell/io/cli_error.ts";
import { chosenProfile, wantedMarket } from "../../shell/options/market_options.ts";
import { literalName, namePattern } from "../../../../base/text/name_pattern.ts";
import { finishAllowed } from "../../shell/finish_plan.ts";

export const copyCommand = command(
  (kit) =>
    kit.profileLeaf("copy", {
      summary: "Plan copies of campaigns in another market or profile",
      details:
        "The plan creates each campaign with its ad groups, keywords, targets, negatives and ads. --rate converts " +
        "amounts between currencies. Keeps the portfolio if the other profile has one with the same name. For " +
        "other changes, pull the files, edit them, and plan from them.",
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
      library: "await copyCampaigns(us, ca, { campaignIds, rate: 1.37 })",
    })
      .argument("<campaign...>", "id or name; * matches any text")
      .requiredOption("--to <market>", "country code or profile id for the copies")
      .option("--rename <name>", "name for each copy; {name} is the original name", "{name}")
      .option("--rate <number>", "value of one unit of the original currency in the copies' currency")
      .addOption(new Option("--state <state>", "state of the copies").choices(["ENABLED", "PAUSED"]))
      .option("--skip-denied", DENIED_FIELD.skip_denied.help)
      .option("--note <text>", "reason, saved in the plan")
      .option("--out <path>", "file or folder for the plan (default: plan-<id>.json)"),
  async (campaigns, options, context) => {
    const { to, rename, state, note, out } = options;
    const rate = options.rate === undefined ? undefined : Number(options.rate);
    if (rate !== undefined && !(rate > 0 && Number.isFinite(rate))) {
      throw new UsageError(`Cannot use --rate ${options.rate}: a rate is a number above 0, such as 1.37`);
    }
    wantedMarket(options, context);
    const { signal } = context.interruption;
    const ads = await connectAds(context);
    const source = await chosenProfile(ads, options, context);
    const target = await chosenProfile(ads, { market: to }, context);
    const campaignIds = await idsOf(campaigns, source, signal);
    const plan = await copyCampaigns(source, target, { campaignIds, rename, rate, state, note, signal });
    const allowed = await allowedPlan(plan, { profile: target, signal }, { skip_denied: options.skipDenied });
    return await finishAllowed(allowed, { out, context });
  },
);

async function idsOf(
  campaigns: readonly string[],
  profile: ProfileClient,
  signal: AbortSignal,
): Promise<string[]> {
  const found = [
    ...await profile.sp.campaigns.list({ signal }),
    ...await profile.sb.campaigns.list({ signal }),
  ];
  const ids = campaigns.flatMap((wanted) => {
    const pattern = namePattern(wanted);
    const own = found.filter(({ campaignId, name }) =>
      campaignId === wanted || (pattern === undefined ? name === literalName(wanted) : pattern.test(name))
    );
    if (own.length > 0) return own.map(({ campaignId }) => campaignId);
    throw new UsageError(
      `Cannot copy "${wanted}": profile ${profile.profileId} (${profile.countryCode}) has no campaign with that id or name ` +
        "that is not archived",
    );
  });
  return [...new Set(ids)];
}
