import { deepEqual, equal } from "../support/assert.ts";
import type { BatchResult, ProfileClient } from "../../mod.ts";
import { fixtureNames } from "../support/fixture.ts";
import { replay } from "../support/replay.ts";

/** A call, the exchanges it makes, and what it returns, as far as that is compared. */
type Shape = readonly [
  fixtures: readonly string[],
  call: (us: ProfileClient) => Promise<unknown>,
  expected: unknown,
];

/** What a batch result says, in short. */
const verdicts = async (result: Promise<BatchResult>): Promise<unknown[]> =>
  [...await result].map((one) => one.ok ? one.id : `${one.errorType} ${one.code}`);

/** What was answered about each id. */
const answers = async (result: Promise<BatchResult>): Promise<unknown[]> =>
  [...await result].map((one) => one.ok ? one.entity : one.code);

const SHAPES: Record<string, Shape> = {
  "products: creates, with a verdict for each item": [
    ["sp_keywords_create"],
    ({ sp }) =>
      verdicts(sp.keywords.create([
        {
          campaign_id: "11",
          ad_group_id: "21",
          keyword_text: "red shoes",
          match_type: "EXACT",
          bid: 0.5,
          state: "enabled",
        },
        {
          campaignId: "11",
          adGroupId: "21",
          keywordText: "x".repeat(81),
          matchType: "EXACT",
          state: "PAUSED",
        },
      ])),
    ["301", "malformedValueError TOO_LONG"],
  ],
  "products: updates carry the id and what can be updated": [
    ["sp_campaigns_update"],
    ({ sp }) => verdicts(sp.campaigns.update([{ campaignId: "11", budget: 25, servingStatus: "ignored" }])),
    ["11"],
  ],
  "products: archives name the id their own way": [
    ["sp_campaign_negative_targets_archive"],
    ({ sp }) => verdicts(sp.campaignNegativeTargets.delete(["41", "42"])),
    ["41", "42"],
  ],
  "portfolios: lists by name, one state a request": [
    ["portfolios_list"],
    async ({ portfolios }) => {
      const found = await portfolios.list({ name: "Shoes", states: ["enabled"], extended: true });
      return found.map(({ portfolioId }) => portfolioId);
    },
    ["51"],
  ],
  "Brands v4: lists": [
    ["sb_campaigns_list"],
    async ({ sb }) => {
      const [campaign] = await sb.campaigns.list({ ids: ["61"], pageSize: 50 });
      return [campaign?.budget, campaign?.bidding?.bidAdjustmentsByPlacement?.length];
    },
    [20, 4],
  ],
  "Brands v4: a budget stays a plain number": [
    ["sb_campaigns_update"],
    ({ sb }) => verdicts(sb.campaigns.update([{ campaignId: "61", budget: 30, state: "paused" }])),
    ["budgetError BUDGET_TOO_LOW"],
  ],
  "Brands v4: a manual collection is created at its own address, the landing page in the creative": [
    ["sb_ads_create_manual_collection"],
    ({ sb }) =>
      verdicts(sb.ads.create([{
        adFormat: "manualCollection",
        adGroupId: "71",
        name: "Ad",
        state: "ENABLED",
        creative: { brandName: "Shoes", headline: "Walk", asins: ["B000000001"] },
        landingPage: { pageType: "STORE", url: "https://shop.example/shoes" },
      }])),
    ["81"],
  ],
  "Brands v4: archives": [["sb_ads_archive"], ({ sb }) => verdicts(sb.ads.delete(["81"])), ["81"]],
  "Brands v3: lists by GET until a page is empty, ids as text": [
    ["sb_keywords_list", "sb_keywords_list_end"],
    async ({ sb }) => {
      const filters = { matchTypeFilter: "exact" };
      const found = await sb.keywords.list({ campaignIds: ["61"], pageSize: 2, filters });
      return found.map(({ keywordId, campaignId }) => [keywordId, campaignId]);
    },
    [["9223431141814382452", "61"], ["92", "61"]],
  ],
  "Brands v3: creates with bare ids, without a state": [
    ["sb_keywords_create"],
    ({ sb }) =>
      verdicts(sb.keywords.create([
        {
          campaignId: "61",
          adGroupId: "9223372036854775807",
          keywordText: "red shoes",
          matchType: "EXACT",
          bid: 0.5,
          state: "ENABLED",
        },
        // Numbers are no ids to the types, but JavaScript may hand them in.
        {
          campaignId: 61 as unknown as string,
          adGroupId: 71n as unknown as string,
          keywordText: "(",
          matchType: "broad",
        },
      ])),
    ["18446744073709551615", "otherError FORBIDDEN_CHARS"],
  ],
  "Brands v3: updates repeat the parents": [
    ["sb_keywords_update"],
    ({ sb }) =>
      verdicts(sb.keywords.update([
        { keywordId: "9223431141814382452", campaignId: "61", adGroupId: "71", state: "PAUSED", bid: 0.7 },
      ])),
    ["9223431141814382452"],
  ],
  "Brands v3: archives one request each, and a missing one is a verdict": [
    ["sb_keywords_archive_missing", "sb_keywords_archive"],
    ({ sb }) => verdicts(sb.keywords.delete(["93", "92"])),
    ["entityNotFoundError NOT_FOUND", "92"],
  ],
  "Brands v3: negative keywords are listed one state a request": [
    [
      "sb_negative_keywords_list_enabled_0",
      "sb_negative_keywords_list_enabled_1",
      "sb_negative_keywords_list_archived_0",
    ],
    async ({ sb }) => (await sb.negativeKeywords.list({ states: ["ENABLED", "archived"] })).length,
    1,
  ],
  "suggested bids for an ad group, in the order asked, missing prices visible": [
    ["bids_existing"],
    async ({ bids }) => {
      const found = await bids.forAdGroup({
        campaignId: "11",
        adGroupId: "21",
        expressions: [
          { type: "EXACT", value: "Red Shoes" },
          { type: "KEYWORD_BROAD_MATCH", value: "socks" },
          { type: "PHRASE", value: "laces" },
        ],
      });
      return found.map(({ expression, low, suggested, high }) => [expression.value, low, suggested, high]);
    },
    [["Red Shoes", 0.5, 0.7, 0.9], ["socks", undefined, 0.3, undefined], [
      "laces",
      undefined,
      undefined,
      undefined,
    ]],
  ],
  "suggested bids for an ad group that is yet to be made": [
    ["bids_new"],
    async ({ bids }) => {
      const [bid] = await bids.forNewAdGroup({
        asins: ["B000000001"],
        expressions: [{ type: "ASIN_SAME_AS", value: "B000000002" }],
        strategy: "AUTO_FOR_SALES",
        placementAdjustments: { PLACEMENT_TOP: 50 },
      });
      return bid?.suggested;
    },
    0.7,
  ],
  "change history, page after page, an empty one among them": [
    ["history_page_1", "history_page_2", "history_page_3"],
    async ({ history }) => {
      const events = await history.list({
        since: "2026-09-28",
        until: new Date("2026-09-30T12:00:00Z"),
        entityTypes: ["KEYWORD"],
        entityIds: ["301"],
        newestFirst: false,
      });
      return events.map(({ changeType, entityId, previousValue, newValue }) => [
        changeType,
        entityId,
        previousValue,
        newValue,
      ]);
    },
    [["BID_AMOUNT", "301", "0.5", "0.6"], ["STATUS", "301", undefined, "PAUSED"]],
  ],
  "campaigns: how much of the budget is spent": [
    ["campaign_budget_usage"],
    ({ sp }) => answers(sp.campaigns.budgetUsage(["11", "12"])),
    [
      {
        campaignId: "11",
        budget: 20,
        budgetUsagePercent: 62.5,
        usageUpdatedTimestamp: "2026-09-30T11:45:00Z",
      },
      "NOT_FOUND",
    ],
  ],
  "portfolios: how much of the budget is spent": [
    ["portfolio_budget_usage"],
    ({ portfolios }) => answers(portfolios.budgetUsage(["51"])),
    [{
      portfolioId: "51",
      budget: 100,
      budgetUsagePercent: 10,
      usageUpdatedTimestamp: "2026-09-30T11:45:00Z",
    }],
  ],
  "campaigns: recommended budgets": [
    ["budget_recommendations"],
    async ({ sp }) => {
      const [found, refused] = [...await sp.campaigns.budgetRecommendations(["11", "12"])];
      return [found?.ok && found.entity?.suggestedBudget, refused?.ok === false && refused.message];
    },
    [35, "No such campaign"],
  ],
  "campaigns: a first budget": [
    ["initial_budget"],
    async ({ sp }) =>
      (await sp.campaigns.initialBudgetRecommendation({
        adGroups: [{ asins: ["B000000001"], targetingExpressions: [{ type: "CLOSE_MATCH" }] }],
        bidding: { strategy: "MANUAL" },
        targetingType: "auto",
      })).dailyBudget,
    42.5,
  ],
  "campaigns: budget rules": [
    ["budget_rules_list"],
    async ({ sp }) => (await sp.campaigns.budgetRules("11")).map(({ ruleDetails }) => ruleDetails?.name),
    ["Weekend"],
  ],
  "campaigns: budget rules are added": [
    ["budget_rules_add"],
    ({ sp }) => verdicts(sp.campaigns.addBudgetRules("11", ["b1", "b2"])),
    ["b1", "entityNotFoundError NOT_FOUND"],
  ],
  "campaigns: a budget rule is removed": [
    ["budget_rules_remove"],
    ({ sp }) => sp.campaigns.removeBudgetRule("11", "b1"),
    undefined,
  ],
  "campaigns: recommended budget rules": [
    ["budget_rule_recommendations"],
    async ({ sp }) => (await sp.campaigns.budgetRuleRecommendations("11")).map(({ eventId }) => eventId),
    ["e1"],
  ],
  "campaigns: optimization rules are added": [
    ["optimization_rules_add"],
    ({ sp }) => verdicts(sp.campaigns.addOptimizationRules("11", ["o1"])),
    ["o1"],
  ],
  "targets: categories": [
    ["target_categories"],
    ({ sp }) => sp.targets.categories({ locale: "en_US" }),
    [{ id: "1", name: "Shoes", children: [] }],
  ],
  "targets: products that a filter lets through": [
    ["target_product_counts"],
    ({ sp }) => sp.targets.productCounts({ category: "1", brands: [{ id: "9" }], priceRange: { min: 10 } }),
    { min: 100, max: 200 },
  ],
  "targets: refinements of a category": [
    ["target_refinements"],
    async ({ sp }) => (await sp.targets.refinements("1")).brands,
    [{ id: "9", name: "Fernpfad" }],
  ],
  "targets: recommended categories": [
    ["target_category_recommendations"],
    async ({ sp }) => {
      const options = { includeAncestor: true, locale: "en_US" };
      return (await sp.targets.categoryRecommendations(["B000000001"], options)).map(({ name }) => name);
    },
    ["Shoes"],
  ],
  "targets: recommended products": [
    ["target_product_recommendations"],
    async ({ sp }) => {
      const page = await sp.targets.productRecommendations(["B000000001"], { count: 1, cursor: "c1" });
      return [page.recommendations[0]?.recommendedAsin, page.nextCursor];
    },
    ["B000000009", "c2"],
  ],
  "keywords: recommendations": [
    ["keyword_recommendations"],
    async ({ sp }) => {
      const question = { campaignId: "11", adGroupId: "21", maxRecommendations: 1, sortDimension: "CLICKS" };
      return (await sp.keywords.recommendations(question)).map(({ keyword }) => keyword);
    },
    ["running shoes"],
  ],
  "negative targets: recommended brands": [
    ["brand_recommendations"],
    ({ sp }) => sp.negativeTargets.brandRecommendations(),
    [{ id: "9", name: "Fernpfad" }],
  ],
  "negative targets: brands by name": [
    ["brand_search"],
    ({ sp }) => sp.negativeTargets.searchBrands("fern"),
    [{ id: "9", name: "Fernpfad" }],
  ],
};

for (const [name, [fixtures, call, expected]] of Object.entries(SHAPES)) {
  Deno.test(`over the wire as recorded: ${name}`, async () => {
    deepEqual(await replay(fixtures.map((fixture) => `wire/${fixture}`), call), expected);
  });
}

Deno.test("a refusal as recorded becomes the error of its status", async () => {
  const message = await replay(
    ["wire/bids_mixed_refused"],
    ({ bids }) =>
      bids.forAdGroup({ campaignId: "11", adGroupId: "21", expressions: [{ type: "CLOSE_MATCH" }] })
        .then(() => "", (error) => `${error.name} ${error.message}`),
  );
  equal(
    /^UnprocessableError .*All targeting expressions should have the same targeting type/.test(message),
    true,
  );
});

Deno.test("every recorded exchange of the wire is used", () => {
  const used = new Set(Object.values(SHAPES).flatMap(([fixtures]) => fixtures));
  const unused = fixtureNames("wire").filter((name) => !used.has(name.replace("wire/", "")));
  deepEqual(unused, ["wire/bids_mixed_refused"]);
});
