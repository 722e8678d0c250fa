import { deepEqual, equal, match, rejects } from "../support/assert.ts";
import type { ProfileClient } from "../../mod.ts";
import { changeRows } from "../../src/plans/model/differences.ts";
import { type Emulated, emulated } from "../support/emulated.ts";

const PLACES = { US: 20, DE: 15 };

/** A global campaign of the United States and Germany with an ad group. */
async function grouped(us: ProfileClient): Promise<{ campaignId: string; adGroupId: string }> {
  const campaigns = await us.sp.globalCampaigns.create([
    { name: "Everywhere", state: "ENABLED", targetingType: "MANUAL", marketplaces: PLACES },
  ]);
  deepEqual(campaigns.errors, []);
  const campaignId = campaigns.ids[0]!;
  const groups = await us.sp.globalAdGroups.create([
    { campaignId, name: "Shoes", state: "ENABLED", marketplaces: { US: 0.5, DE: { defaultBid: 0.4 } } },
  ]);
  deepEqual(groups.errors, []);
  return { campaignId, adGroupId: groups.ids[0]! };
}

async function germany({ ads }: Pick<Emulated, "ads">): Promise<ProfileClient> {
  return await ads.profile("DE", { accountType: "seller" });
}

Deno.test("global ad groups, keywords and ads are planned, have copies in each marketplace, and are undone", async () => {
  await using scene = await emulated();
  const { us } = scene;
  const { campaignId, adGroupId } = await grouped(us);
  const [group] = await us.sp.globalAdGroups.list({ campaignIds: [campaignId] });
  deepEqual(
    Object.entries(group!.marketplaces).map(([country, { defaultBid }]) => [country, defaultBid]),
    [["US", 0.5], ["DE", 0.4]],
  );
  const place = { campaignId, adGroupId };
  const keywords = await us.sp.globalTargets.planCreate([
    {
      ...place,
      negative: false,
      state: "ENABLED",
      keywordText: "red shoes",
      matchType: "EXACT",
      marketplaces: { US: 0.75, DE: { bid: 0.6, keywordText: "rote schuhe" } },
    },
    {
      ...place,
      negative: true,
      state: "ENABLED",
      keywordText: "cheap",
      matchType: "PHRASE",
      marketplaces: ["US", "DE"],
    },
  ]);
  deepEqual(keywords.findings, []);
  const applied = await keywords.apply(us);
  equal(applied.ok, true, applied.summary());
  const ads = await us.sp.globalProductAds.create([
    { ...place, state: "ENABLED", sku: "GLOBAL-1", marketplaces: ["US", "DE"] },
  ]);
  deepEqual(ads.errors, []);

  const de = await germany(scene);
  const [copy] = await de.sp.keywords.list({ adGroupIds: [group!.marketplaces["DE"]!.adGroupId!] });
  deepEqual([copy?.keywordText, copy?.bid, copy?.["globalKeywordId"]], [
    "rote schuhe",
    0.6,
    applied.changes[0]!.id,
  ]);
  const [negative] = await de.sp.negativeKeywords.list({
    adGroupIds: [group!.marketplaces["DE"]!.adGroupId!],
  });
  deepEqual([negative?.keywordText, negative?.matchType], ["cheap", "NEGATIVE_PHRASE"]);
  const [ad] = await de.sp.productAds.list({ adGroupIds: [group!.marketplaces["DE"]!.adGroupId!] });
  equal(ad?.sku, "GLOBAL-1");
  const listed = await us.sp.globalTargets.list({ adGroupIds: [adGroupId] });
  deepEqual(
    listed.map(({ keywordText, negative, campaignId }) => [keywordText, negative, campaignId]),
    [["red shoes", false, campaignId], ["cheap", true, campaignId]],
  );
  deepEqual(
    Object.entries(listed[0]!.marketplaces).map(([country, { bid, keywordText, matchType }]) => [
      country,
      bid,
      keywordText,
      matchType,
    ]),
    [["US", 0.75, undefined, undefined], ["DE", 0.6, "rote schuhe", undefined]],
  );

  const undone = await applied.rollbackPlan().apply(us);
  equal(undone.ok, true, undone.summary());
  deepEqual(await us.sp.globalTargets.list(), []);
  deepEqual(await de.sp.keywords.list({ adGroupIds: [group!.marketplaces["DE"]!.adGroupId!] }), []);
});

Deno.test("a bid of one marketplace is planned, applied and undone alone", async () => {
  await using scene = await emulated();
  const { us } = scene;
  const { adGroupId, campaignId } = await grouped(us);
  const plan = await us.sp.globalAdGroups.planUpdate([{ adGroupId, marketplaces: { de: 0.45 } }]);
  const rows = changeRows(plan.changes).filter(({ before, after }) => before !== after);
  deepEqual(rows.map(({ field, before, after }) => [field, before, after]), [
    ["marketplaces.DE.defaultBid", 0.4, 0.45],
  ]);
  const result = await plan.apply(us);
  equal(result.ok, true, result.summary());
  const de = await germany(scene);
  const [group] = await us.sp.globalAdGroups.list({ ids: [adGroupId] });
  const bid = async (): Promise<number | undefined> =>
    (await de.sp.adGroups.get(group!.marketplaces["DE"]!.adGroupId!))?.defaultBid;
  equal(await bid(), 0.45);
  const undone = await result.rollbackPlan().apply(us);
  equal(undone.ok, true, undone.summary());
  equal(await bid(), 0.4);

  const low = await us.sp.globalTargets.planCreate([{
    campaignId,
    adGroupId,
    negative: false,
    state: "ENABLED",
    expression: [{ type: "ASIN_SAME_AS", value: "B000000001" }],
    marketplaces: { US: 0.001, DE: {} },
  }]);
  deepEqual(low.findings.map(({ message }) => message), [
    "marketplaces.US.bid 0.001 is outside the marketplace's range",
    "marketplaces.US.bid 0.001 has more than 2 decimals",
  ]);
});

Deno.test("products, categories and themes of global targets are those of each marketplace", async () => {
  await using scene = await emulated();
  const { us } = scene;
  const place = await grouped(us);
  const same = (value: string) => [{ type: "ASIN_SAME_AS", value }];
  const made = await us.sp.globalTargets.create([
    {
      ...place,
      negative: false,
      state: "ENABLED",
      expression: same("B000000001"),
      marketplaces: { US: 0.5, DE: { bid: 0.4, expression: same("B000000002") } },
    },
    {
      ...place,
      negative: false,
      state: "ENABLED",
      expression: [{ type: "ASIN_CATEGORY_SAME_AS", value: "100" }, {
        type: "ASIN_PRICE_LESS_THAN",
        value: "20",
      }],
      marketplaces: ["US", "DE"],
    },
  ]);
  deepEqual(made.errors, []);
  const [product, category] = await us.sp.globalTargets.list();
  deepEqual(product!.expression, same("B000000001"));
  deepEqual(product!.marketplaces["DE"]!.expression, same("B000000002"));
  deepEqual(category!.expression, [
    { type: "ASIN_CATEGORY_SAME_AS", value: "100" },
    { type: "ASIN_PRICE_LESS_THAN", value: "20" },
  ]);
  const de = await germany(scene);
  const copies = await de.sp.targets.list({ ids: [product!.marketplaces["DE"]!.targetId!] });
  deepEqual(copies.map(({ expression, bid }) => [expression, bid]), [[same("B000000002"), 0.4]]);
});

Deno.test("what a marketplace cannot have, or an update cannot change, is refused before anything is sent", async () => {
  await using scene = await emulated();
  const { us } = scene;
  const { adGroupId, campaignId } = await grouped(us);
  await rejects(
    us.sp.globalAdGroups.create([{
      campaignId,
      name: "x",
      state: "ENABLED",
      marketplaces: { XX: 1, DE: -1 },
    }]),
    /"XX" is not a marketplace; the defaultBid of DE is not an amount: -1/,
  );
  await rejects(
    us.sp.globalProductAds.create([{
      adGroupId,
      state: "ENABLED",
      sku: "A",
      marketplaces: { US: { bid: 1 } as object },
    }]),
    /US has no bid: expected state, tags, asin, sku/,
  );
  const sent = scene.emulator.requests().length;
  const lacking = await us.sp.globalTargets.create([
    { campaignId, adGroupId, negative: false, state: "ENABLED", marketplaces: ["US"] },
  ]);
  match(
    lacking.errors[0]!.message,
    /US has nothing to aim at: give keywordText and matchType, or expression/,
  );
  equal(scene.emulator.requests().length, sent);
  const { ids } = await us.sp.globalTargets.create([{
    campaignId,
    adGroupId,
    negative: false,
    state: "ENABLED",
    keywordText: "shoes",
    matchType: "EXACT",
    marketplaces: { US: 0.5 },
  }]);
  const refused = async (marketplaces: Record<string, object | number>): Promise<string[]> => {
    const plan = await us.sp.globalTargets.planUpdate([{ targetId: ids[0]!, marketplaces }]);
    return plan.findings.map(({ message }) => message);
  };
  deepEqual(await refused({ US: { keywordText: "boots" } }), [
    "keywordText of the global target in US cannot be changed",
  ]);
  deepEqual(await refused({ DE: 0.5 }), [
    "The global target is not in DE, and an update adds no marketplace: it is in US",
  ]);
});

Deno.test("a target that names no campaign is in that of its ad group, which the account is asked for", async () => {
  await using scene = await emulated({ emulator: { quirks: { unifiedTargetCampaigns: false } } });
  const { us } = scene;
  const place = await grouped(us);
  const { ids: [targetId] } = await us.sp.globalTargets.create([{
    ...place,
    negative: false,
    state: "ENABLED",
    keywordText: "shoes",
    matchType: "EXACT",
    marketplaces: ["US", "DE"],
  }]);
  const [target] = await us.sp.globalTargets.list();
  deepEqual([target?.targetId, target?.campaignId], [targetId, place.campaignId]);
});

Deno.test("a new ad group without a bid in a marketplace is found out, a target is not", async () => {
  await using scene = await emulated();
  const { us } = scene;
  const { campaignId, adGroupId } = await grouped(us);
  const groups = await us.sp.globalAdGroups.planCreate([
    { campaignId, name: "Boots", state: "ENABLED", marketplaces: { US: 0.5, DE: {} } },
  ]);
  deepEqual(groups.findings.map(({ message }) => message), [
    '"marketplaces.DE.defaultBid" is missing: every marketplace needs one',
  ]);
  const targets = await us.sp.globalTargets.planCreate([{
    campaignId,
    adGroupId,
    negative: false,
    state: "ENABLED",
    keywordText: "boots",
    matchType: "EXACT",
    marketplaces: { US: 0.5, DE: {} },
  }]);
  deepEqual(targets.findings, []);
});
