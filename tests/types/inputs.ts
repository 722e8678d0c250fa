/**
 * Compile-only: `deno check` reads this file, nothing runs it. Each `@ts-expect-error` fails the check when the line
 * below it compiles after all.
 */
import type { ProfileClient } from "../../mod.ts";
import type { Ad as SbAd, Campaign as SbCampaign } from "../../src/client/entities/sb.ts";
import type { Campaign, Keyword, KeywordUpdate, NewKeyword } from "../../src/client/entities/sp.ts";

declare const us: ProfileClient;
declare const keywords: Keyword[];
declare const campaign: Campaign;
declare const ad: SbAd;
declare const brandsCampaign: SbCampaign;
declare const rows: Record<string, unknown>[];
declare const maybe: string | undefined;

/** Rows as another program declares them, without an index signature. */
interface BidRow {
  keywordId: string;
  bid: number;
}
declare const bidRows: readonly BidRow[];

/** Lines that must compile. */
export async function accepted(): Promise<void> {
  const { sp, sb, portfolios } = us;
  const updates: KeywordUpdate[] = [{ keywordId: "1", bid: 0.5 }, { keyword_id: "2", state: "paused" }];
  await sp.keywords.update(updates);
  await sp.keywords.update(bidRows);
  await sp.keywords.update(keywords.map((keyword) => ({ ...keyword, bid: (keyword.bid ?? 0.5) * 1.1 })));
  await sp.keywords.planUpdate([{ keywordId: "1", bid: undefined, state: "ENABLED", aFieldOfNextYear: {} }], {
    note: null,
  });
  const place = { campaignId: "1", adGroupId: "2" };
  const created: NewKeyword[] = [
    { ...place, keywordText: "a", matchType: "EXACT", state: "ENABLED" },
    { campaign_id: "1", ad_group_id: "2", keyword_text: "a", match_type: "BROAD", state: "PAUSED", bid: 1 },
    { ...place, keywordText: "a", matchType: "A_TYPE_OF_NEXT_YEAR", state: "ENABLED", a_new_field: [1] },
  ];
  await sp.keywords.planCreate(created);
  await sp.campaigns.create([
    { name: "a", state: "ENABLED", targetingType: "AUTO", budget: 20 },
    { name: "b", state: "ENABLED", targetingType: "AUTO", budget: { budget: 20, budget_type: "LIFETIME" } },
    { ...campaign, name: "copy" },
  ]);
  await sp.campaigns.planUpdate([
    { campaignId: "1", budget: 25 },
    {
      campaignId: "2",
      dynamicBidding: { placementBidding: [{ placement: "PLACEMENT_TOP", percentage: 20 }] },
    },
  ]);
  await sp.adGroups.create([{ campaignId: "1", name: "a", state: "ENABLED", defaultBid: 0.4 }]);
  await sp.targets.create([
    {
      ...place,
      expression: [{ type: "ASIN_SAME_AS", value: "B0" }],
      expressionType: "MANUAL",
      state: "ENABLED",
    },
  ]);
  await sp.productAds.create([{ ...place, sku: "mine", state: "ENABLED" }]);
  await sp.campaignNegativeKeywords.create([
    { campaignId: "1", keywordText: "a", matchType: "NEGATIVE_EXACT", state: "ENABLED" },
  ]);
  await sb.campaigns.update([{ campaignId: "1", budget: 30, bidding: brandsCampaign.bidding }]);
  await sb.ads.create([{ adGroupId: "1", name: "a", state: "ENABLED", creative: ad.creative ?? {} }]);
  await sb.keywords.create([{ ...place, keywordText: "a", matchType: "exact" }]);
  await portfolios.update([{ portfolioId: "1", budget: { amount: 5, policy: "MONTHLY_RECURRING" } }]);
  const kind: string = rows.length > 0 ? "sp.keywords" : "sb.keywords";
  await us.resource(kind).update(rows);
  await us.resource("sp.keywords").planUpdate(bidRows);
  const bid: number | undefined = (await us.resource("sp.keywords").get("1"))?.bid;
  await us.resource("portfolios").budgetUsage([String(bid)]);
}

/** Lines that must not. */
export async function refused(): Promise<void> {
  const { sp, sb } = us;
  // @ts-expect-error a resource that is found by its kind has the types of that kind
  await us.resource("sp.keywords").update([{ keywordId: "1", bid: {} }]);
  // @ts-expect-error a bid is a number
  await sp.keywords.update([{ keywordId: "1", bid: {} }]);
  // @ts-expect-error a bid is a number in snake_case too
  await sp.keywords.update([{ keyword_id: "1", bid: "0.5" }]);
  // @ts-expect-error an update names the entity
  await sp.keywords.update([{ bid: 0.5 }]);
  // @ts-expect-error an update names an entity of its own kind
  await sp.keywords.planUpdate([{ targetId: "1", bid: 0.5 }]);
  // @ts-expect-error an id is text
  await sp.keywords.update([{ keywordId: 1, bid: 0.5 }]);
  // @ts-expect-error an id that may be missing is none
  await sp.adGroups.create([{ campaignId: maybe, name: "a", state: "ENABLED", defaultBid: 0.4 }]);
  // @ts-expect-error a new keyword has a state
  await sp.keywords.create([{ campaignId: "1", adGroupId: "2", keywordText: "a", matchType: "EXACT" }]);
  // @ts-expect-error rows of unknown content go through `resource(kind)`
  await sp.keywords.update(rows);
  // @ts-expect-error an amount is a number
  await sp.campaigns.update([{ campaignId: "1", budget: { budget: "25" } }]);
  // @ts-expect-error a text is no budget
  await sp.campaigns.planUpdate([{ campaignId: "1", budget: "25" }]);
  // @ts-expect-error a Brands budget is a plain number
  await sb.campaigns.update([{ campaignId: "1", budget: { budget: 25 } }]);
  // @ts-expect-error a Brands ad shows something
  await sb.ads.create([{ adGroupId: "1", name: "a", state: "ENABLED" }]);
}
