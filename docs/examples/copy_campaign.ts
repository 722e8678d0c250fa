/**
 * Copies the structure of a campaign: the campaign first, then its ad groups, then keywords and ads. Each step is a
 * plan of its own, because the next one needs the ids that the platform gives.
 *
 *     deno run -A docs/examples/copy_campaign.ts --demo CA            # only the first plan
 *     deno run -A docs/examples/copy_campaign.ts --demo --apply CA    # all of them, each applied
 *
 * The copy is paused, so that nothing is spent before you have looked at it.
 */
import process from "node:process";
import type { ChangePlan, PlanResult } from "@platform/ads";
import { connect } from "./connect.ts";

const args = process.argv.slice(2);
const { client, close } = await connect(args, "CA");
const apply = args.includes("--apply");

/** Applies a plan and returns the ids that the platform gave, in the plan's order. */
async function applied(plan: ChangePlan): Promise<string[]> {
  const result: PlanResult = await plan.apply(client);
  result.raiseForErrors();
  return [...result.results.values()].flatMap((batch) => batch.ids);
}

try {
  const [source] = await client.sp.campaigns.list({ states: ["ENABLED"] });
  if (source === undefined) throw new Error("Cannot copy a campaign: the profile has none that is enabled");
  const { name, targetingType, budget, dynamicBidding } = source;
  const { budget: amount, budgetType } = budget;
  const campaignPlan = await client.sp.campaigns.planCreate([{
    name: `${name} (copy)`,
    targetingType,
    budget: { budget: amount, budgetType },
    dynamicBidding,
    startDate: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10),
    state: "PAUSED",
  }], { note: `Copy of ${source.campaignId}` });
  console.log(campaignPlan.toMarkdown());

  if (!apply) {
    console.log(`Plan: ${await campaignPlan.save(process.env["PLAN_DIR"] ?? "plans/")}`);
  } else {
    const campaignId = (await applied(campaignPlan))[0]!;
    const adGroups = await client.sp.adGroups.list({ campaignIds: [source.campaignId] });
    const newIds = await applied(
      await client.sp.adGroups.planCreate(
        adGroups.map(({ name, defaultBid, state }) => ({ campaignId, name, defaultBid, state })),
      ),
    );
    const adGroupOf = new Map(adGroups.map(({ adGroupId }, index) => [adGroupId, newIds[index]!]));
    // What is in an archived ad group stays behind: that ad group was not copied.
    const place = (adGroupId: string) =>
      [adGroupOf.get(adGroupId)].flatMap((copy) =>
        copy === undefined ? [] : [{ campaignId, adGroupId: copy }]
      );

    const keywords = await client.sp.keywords.list({ campaignIds: [source.campaignId] });
    const keywordIds = await applied(
      await client.sp.keywords.planCreate(
        keywords.flatMap(({ adGroupId, keywordText, matchType, bid, state }) =>
          place(adGroupId).map((parents) => ({ ...parents, keywordText, matchType, bid, state }))
        ),
      ),
    );
    const ads = await client.sp.productAds.list({ campaignIds: [source.campaignId] });
    const adIds = await applied(
      await client.sp.productAds.planCreate(
        ads.flatMap(({ adGroupId, asin, sku, state }) =>
          place(adGroupId).map((parents) => ({
            ...parents,
            state,
            ...(sku === undefined ? { asin } : { sku }),
          }))
        ),
      ),
    );
    console.log(
      `Copied to campaign ${campaignId}: ${newIds.length} ad groups, ${keywordIds.length} keywords, ${adIds.length} ads`,
    );
  }
} finally {
  await close();
}
