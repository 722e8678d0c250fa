import { deepEqual, equal, match } from "../support/assert.ts";
import { type ChangePlan, type PlanResult, SB_AD_FORMATS } from "../../mod.ts";
import { type Emulated, emulated } from "../support/emulated.ts";

/** Applies a plan of creates of one kind and returns the result with the new ids. */
async function apply({ us }: Emulated, plan: ChangePlan): Promise<{ result: PlanResult; ids: string[] }> {
  const result = await plan.apply(us, { checkDrift: true });
  result.raiseForErrors();
  return { result, ids: [...result.results.values()].flatMap((batch) => batch.ids) };
}

Deno.test("a serving Brands campaign is built through plans and taken down by undoing them", async () => {
  await using world = await emulated();
  const { sb } = world.us;
  const asins = ["B0DVQWC048", "B0YFTH13D2", "B060H4DGK9"];

  const campaign = await apply(
    world,
    await sb.campaigns.planCreate([
      { name: "Tents", state: "ENABLED", startDate: "2026-10-01", budget: 25, budgetType: "DAILY" },
    ]),
  );
  const campaignId = campaign.ids[0]!;
  const adGroup = await apply(
    world,
    await sb.adGroups.planCreate([{ campaignId, name: "Family tents", state: "ENABLED" }]),
  );
  const adGroupId = adGroup.ids[0]!;
  const ad = await apply(
    world,
    await sb.ads.planCreate([{
      adGroupId,
      name: "Three tents",
      state: "ENABLED",
      creative: { brandName: "Fernpfad", headline: "Sleep outside", asins },
      landingPage: { pageType: "PRODUCT_LIST", asins },
    }]),
  );
  const keywords = await apply(
    world,
    await sb.keywords.planCreate(["family tent", "tent 4 person"].map((keywordText) => ({
      campaignId,
      adGroupId,
      keywordText,
      matchType: "EXACT",
      bid: 0.9,
    }))),
  );

  const built = (await sb.campaigns.get(campaignId))!;
  deepEqual([built.state, built.goal, built.costType, built.kpi], ["ENABLED", "PAGE_VISIT", "CPC", "CLICKS"]);
  const [shown] = await sb.ads.list({ campaignIds: [campaignId] });
  deepEqual([shown!.adGroupId, shown!.landingPage?.pageType], [adGroupId, "PRODUCT_LIST"]);
  deepEqual((await sb.keywords.list({ campaignIds: [campaignId] })).map(({ state }) => state), [
    "enabled",
    "enabled",
  ]);

  const premium = await sb.campaigns.planUpdate([{
    campaignId,
    bidding: {
      ...built.bidding,
      bidAdjustmentsByPlacement: built.bidding!.bidAdjustmentsByPlacement!.map((adjustment) =>
        adjustment.placement === "TOP_OF_SEARCH" ? { ...adjustment, percentage: 40 } : adjustment
      ),
    },
  }]);
  await apply(world, premium);
  const { bidding } = (await sb.campaigns.get(campaignId))!;
  equal(
    bidding!.bidAdjustmentsByPlacement!.find(({ placement }) => placement === "TOP_OF_SEARCH")!.percentage,
    40,
  );

  for (const { result } of [keywords, ad, adGroup, campaign]) await apply(world, result.rollbackPlan());
  equal((await sb.campaigns.get(campaignId))!.state, "ARCHIVED");
  equal((await sb.ads.get(ad.ids[0]!))!.state, "ARCHIVED");
  deepEqual(await sb.keywords.list({ campaignIds: [campaignId] }), []);
});

Deno.test("an ad of each format is created at its own address and read back the same way", async () => {
  await using world = await emulated();
  const { sb } = world.us;
  const [adGroup] = await sb.adGroups.list({ states: ["ENABLED"] });
  for (const adFormat of SB_AD_FORMATS) {
    world.asked();
    const landingPage = { pageType: "STORE", url: "https://shop.example/tents" };
    const result = await sb.ads.create([{
      adFormat,
      adGroupId: adGroup!.adGroupId,
      name: `A ${adFormat}`,
      state: "PAUSED",
      creative: { brandName: "Fernpfad", headline: "Sleep outside", ...creativeOf(adFormat) },
      ...(adFormat === "video" ? {} : { landingPage }),
    }]);
    result.raiseForErrors();
    deepEqual(world.asked(), [`POST /sb/v4/ads/${adFormat}`]);
    const ad = (await sb.ads.get(result.ids[0]!))!;
    deepEqual([ad["adFormat"], ad.creative?.["landingPage"]], [undefined, undefined]);
    if (adFormat !== "video") deepEqual(ad.landingPage, landingPage);
  }

  function creativeOf(adFormat: string): Record<string, unknown> {
    const asins = ["B0DVQWC048", "B0YFTH13D2", "B060H4DGK9"];
    const video = { videoAssetIds: ["asset-1"] };
    switch (adFormat) {
      case "video":
        return { brandName: undefined, headline: undefined, asins: asins.slice(0, 1), ...video };
      case "brandVideo":
        return { asins, ...video };
      case "storeSpotlight":
        return {
          subpages: asins.map((asin, at) => ({
            asin,
            pageTitle: `Page ${at}`,
            url: `https://shop.example/${at}`,
          })),
        };
      default:
        return { asins };
    }
  }
});

Deno.test("an author's goal campaign is refused with advice, and passes without the goal", async () => {
  await using world = await emulated();
  const author = await world.ads.profile("UK");
  const campaign = {
    name: "New book",
    state: "ENABLED",
    startDate: "2026-10-01",
    budget: 10,
    budgetType: "DAILY",
  };
  const refused = await author.sb.campaigns.create([{ ...campaign, goal: "PAGE_VISIT", costType: "CPC" }]);
  match(`${refused.errors[0]!.code} ${refused.errors[0]!.message}`, /AUTHOR_CREATED_GOAL_CAMPAIGNS_DISABLED/);
  match(refused.errors[0]!.hint!, /Leave out goal and costType/);
  const created = await author.sb.campaigns.create([campaign]);
  equal(created.summary(), "1 succeeded, 0 failed");
});
