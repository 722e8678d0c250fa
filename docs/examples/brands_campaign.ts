/**
 * Builds a Sponsored Brands campaign that serves, and takes it down again. The platform accepts a campaign without an ad
 * group and an ad, but never shows it.
 *
 *     deno run -A docs/examples/brands_campaign.ts --demo US            # only the first plan
 *     deno run -A docs/examples/brands_campaign.ts --demo --apply US    # all of them, each applied, then undone
 */
import process from "node:process";
import type { ChangePlan, PlanResult } from "@platform/ads";
import { connect } from "./connect.ts";

const args = process.argv.slice(2);
const { client: us, close } = await connect(args, "US");
const done: PlanResult[] = [];

/** Applies a plan and returns the id of the first entity in it. */
async function apply(plan: ChangePlan): Promise<string> {
  console.log(plan.toMarkdown());
  const result = await plan.apply(us, { checkDrift: true });
  result.raiseForErrors();
  done.push(result);
  return [...result.results.values()][0]!.ids[0]!;
}

try {
  // 1. The campaign. Its budget is a plain number. Authors can't set `goal` and `costType`; the platform fills them in.
  const campaignPlan = await us.sb.campaigns.planCreate([
    { name: "Tents", state: "ENABLED", startDate: "2030-01-01", budget: 25, budgetType: "DAILY" },
  ], { note: "Brands campaign for the spring" });
  if (!args.includes("--apply")) {
    console.log(campaignPlan.toMarkdown());
    console.log(`Plan: ${await campaignPlan.save(process.env["PLAN_DIR"] ?? "plans/")}`);
  } else {
    const campaignId = await apply(campaignPlan);

    // 2. The ad group. It has no bid of its own.
    const adGroupId = await apply(
      await us.sb.adGroups.planCreate([{ campaignId, name: "Family tents", state: "ENABLED" }]),
    );

    // 3. The ad. `adFormat` chooses the endpoint and is never sent; without it the ad is a product collection.
    const asins = ["B0DVQWC048", "B0YFTH13D2", "B060H4DGK9"];
    await apply(
      await us.sb.ads.planCreate([{
        adFormat: "productCollectionExtended",
        adGroupId,
        name: "Three tents",
        state: "ENABLED",
        creative: { brandName: "Fernpfad", headline: "Sleep outside", asins },
        landingPage: { pageType: "PRODUCT_LIST", asins },
      }]),
    );

    // 4. Keywords. They are enabled at once and take no state.
    await apply(
      await us.sb.keywords.planCreate([
        { campaignId, adGroupId, keywordText: "family tent", matchType: "exact", bid: 0.9 },
      ]),
    );

    // 5. Target a product and exclude a brand. The predicate names of Sponsored Products (`ASIN_SAME_AS`) work too.
    await apply(
      await us.sb.targets.planCreate([
        { campaignId, adGroupId, expressions: [{ type: "asinSameAs", value: "B0DVQWC048" }], bid: 0.8 },
      ]),
    );
    await apply(
      await us.sb.negativeTargets.planCreate([
        { campaignId, adGroupId, expressions: [{ type: "asinBrandSameAs", value: "11234567" }] },
      ]),
    );

    // 6. Raise the adjustment for the top of search. Send back all placements with one changed.
    const campaign = await us.sb.campaigns.get(campaignId);
    const placements = campaign?.bidding?.bidAdjustmentsByPlacement ?? [];
    const bidAdjustmentsByPlacement = placements.map((one) =>
      one.placement === "TOP_OF_SEARCH" ? { ...one, percentage: 40 } : one
    );
    await apply(await us.sb.campaigns.planUpdate([{ campaignId, bidding: { bidAdjustmentsByPlacement } }]));

    // 7. Undo it all, the last step first. Updates get their old values back; what was created is archived for good.
    for (const result of done.reverse()) {
      (await result.rollbackPlan().apply(us)).raiseForErrors();
    }
    console.log((await us.sb.campaigns.get(campaignId))?.state); // ARCHIVED
  }
} finally {
  await close();
}
