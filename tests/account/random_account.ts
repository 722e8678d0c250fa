import fc from "fast-check";
import type { ProfileClient } from "../../mod.ts";

/** What a random account is made of; created through the API, in order. */
export interface RandomAccount {
  readonly portfolios: readonly Record<string, unknown>[];
  readonly campaigns: readonly RandomCampaign[];
  readonly brands: readonly RandomBrandsCampaign[];
  readonly displays: readonly RandomDisplayCampaign[];
}

interface RandomDisplayCampaign {
  readonly fields: Record<string, unknown>;
  readonly portfolio: number | null;
  readonly adGroups: readonly {
    readonly fields: Record<string, unknown>;
    readonly ads: readonly Record<string, unknown>[];
    readonly targets: readonly Record<string, unknown>[];
    readonly negatives: readonly Record<string, unknown>[];
  }[];
}

interface RandomCampaign {
  readonly fields: Record<string, unknown>;
  readonly portfolio: number | null;
  readonly negatives: readonly Record<string, unknown>[];
  readonly adGroups: readonly {
    readonly fields: Record<string, unknown>;
    readonly keywords: readonly Record<string, unknown>[];
    readonly targets: readonly Record<string, unknown>[];
    readonly negatives: readonly Record<string, unknown>[];
    readonly negativeTargets: readonly Record<string, unknown>[];
    readonly ads: readonly Record<string, unknown>[];
    readonly autoBids: readonly number[];
  }[];
}

interface RandomBrandsCampaign {
  readonly fields: Record<string, unknown>;
  readonly portfolio: number | null;
  readonly adGroups: readonly {
    readonly fields: Record<string, unknown>;
    readonly ads: readonly Record<string, unknown>[];
    readonly keywords: readonly Record<string, unknown>[];
    readonly targets: readonly Record<string, unknown>[];
    readonly paused: boolean;
    readonly negatives: readonly Record<string, unknown>[];
    readonly negativeTargets: readonly Record<string, unknown>[];
  }[];
}

const state = fc.constantFrom("ENABLED", "PAUSED");
/** Names as people and programs write them, hostile ones among them. */
const name = fc.oneof(
  fc.constantFrom(
    "../../etc/passwd",
    "a/b\\c",
    "CON",
    "yes",
    "null",
    "1e5",
    "0123",
    "2026-01-01",
    "x: y # z",
    "- a",
  ),
  fc.constantFrom(
    "${home}",
    "$${x}",
    "{ a: b }",
    "[1]",
    '"quoted"',
    "Ünïcode ÄÖ",
    "日本語 広告",
    "🎒 pack",
    "A\u202eB",
    "&a *b !c",
  ),
  fc.string({ minLength: 1, maxLength: 40, unit: "grapheme" }),
).map((text) => text.trim()).filter((text) => text !== "" && text.length <= 100);
const bid = fc.integer({ min: 2, max: 300 }).map((cents) => cents / 100);
const word = fc.stringMatching(/^[a-z]{2,8}$/);
const keywordText = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" "));
const asin = fc.stringMatching(/^B0[A-Z0-9]{8}$/);
const negativeKeyword = fc.record({
  keywordText,
  matchType: fc.constantFrom("NEGATIVE_EXACT", "NEGATIVE_PHRASE"),
  state,
});
const productTarget = asin.map((value) => [{ type: "ASIN_SAME_AS", value }]);
const keyOf = (item: Record<string, unknown>): string =>
  JSON.stringify(["keywordText", "matchType", "expression", "expressions", "sku"].map((field) => item[field]))
    .toLowerCase();
const unique = <T extends Record<string, unknown>>(
  item: fc.Arbitrary<T>,
  maxLength: number,
): fc.Arbitrary<T[]> => fc.uniqueArray(item, { maxLength, selector: keyOf });

/** One name a list, without regard to case and space, as the platform compares them. */
function named<T extends { fields: Record<string, unknown> }>(
  item: fc.Arbitrary<T>,
  maxLength: number,
): fc.Arbitrary<T[]> {
  return fc.uniqueArray(item, {
    maxLength,
    selector: ({ fields }) => String(fields["name"]).normalize("NFKC").toLowerCase(),
  });
}

const adGroup = fc.record({
  fields: fc.record({ name, state, defaultBid: bid }),
  keywords: unique(
    fc.record({
      keywordText,
      matchType: fc.constantFrom("EXACT", "PHRASE", "BROAD"),
      state,
      bid: fc.option(bid, { nil: undefined }),
    }),
    4,
  ),
  targets: unique(
    fc.record({ expression: productTarget, expressionType: fc.constant("MANUAL"), state, bid }),
    3,
  ),
  negatives: unique(negativeKeyword, 3),
  negativeTargets: unique(fc.record({ expression: productTarget, state }), 2),
  ads: unique(fc.record({ asin, sku: fc.stringMatching(/^SKU-[A-Z]{6}$/), state }), 3),
  autoBids: fc.array(bid, { maxLength: 4 }),
});

const campaign = fc.record({
  fields: fc.record({
    name,
    state,
    targetingType: fc.constantFrom("AUTO", "MANUAL"),
    startDate: fc.constantFrom("2026-09-30", "2026-12-01"),
    endDate: fc.option(fc.constant("2027-12-31"), { nil: undefined }),
    budget: fc.integer({ min: 500, max: 50000 }).map((cents) => ({
      budget: cents / 100,
      budgetType: "DAILY",
    })),
    dynamicBidding: fc.option(
      fc.record({
        strategy: fc.constantFrom("AUTO_FOR_SALES", "LEGACY_FOR_SALES", "MANUAL"),
        placementBidding: fc.constantFrom([], [{ placement: "PLACEMENT_TOP", percentage: 25 }]),
      }),
      { nil: undefined },
    ),
    tags: fc.option(fc.constantFrom({ team: "a b", US: "x" }, { "${x}": "1" }), { nil: undefined }),
  }),
  portfolio: fc.option(fc.nat(2), { nil: null }),
  negatives: unique(negativeKeyword, 3),
  adGroups: named(adGroup, 2),
});

const brandsProduct = asin.map((value) => [{ type: "asinSameAs", value }]);
const brandsTarget = fc.oneof(
  brandsProduct,
  fc.tuple(
    fc.integer({ min: 1, max: 99 }).map((id) => ({ type: "asinCategorySameAs", value: String(id) })),
    fc.constantFrom(
      { type: "asinPriceBetween", value: "10-49.99" },
      { type: "asinReviewRatingGreaterThan", value: "4" },
    ),
  ),
);

const brandsCampaign = fc.record({
  fields: fc.record({
    name,
    state,
    budget: fc.integer({ min: 1000, max: 50000 }).map((cents) => cents / 100),
    budgetType: fc.constant("DAILY"),
    startDate: fc.constant("2026-10-15"),
    bidding: fc.option(
      fc.record({
        bidOptimization: fc.boolean(),
        bidAdjustmentsByPlacement: fc.constantFrom([], [{ placement: "HOME", percentage: 12 }]),
      }),
      { nil: undefined },
    ),
  }),
  portfolio: fc.option(fc.nat(2), { nil: null }),
  adGroups: named(
    fc.record({
      fields: fc.record({ name, state }),
      ads: fc.constantFrom<Record<string, unknown>[]>([], [{
        name: "Ad",
        state: "ENABLED",
        adFormat: "productCollection",
        creative: {
          brandName: "Acme",
          headline: "Acme: ${shoes}",
          asins: ["B0AAAAAAA1", "B0AAAAAAA2", "B0AAAAAAA3"],
          brandLogoAssetID: "asset.logo:version_v1",
          customImageAssetId: "asset.image:version_v1",
        },
        landingPage: { pageType: "PRODUCT_LIST", asins: ["B0AAAAAAA1", "B0AAAAAAA2", "B0AAAAAAA3"] },
      }], [{
        name: "Film",
        state: "PAUSED",
        adFormat: "video",
        creative: { asins: ["B0AAAAAAA1"], videoAssetIds: ["asset.1:version_v1"] },
      }]),
      keywords: unique(
        fc.record({ keywordText, matchType: fc.constantFrom("exact", "phrase", "broad"), bid }),
        3,
      ),
      targets: unique(
        fc.record({ expressions: brandsTarget, bid: fc.option(bid, { nil: undefined }) }),
        3,
      ),
      paused: fc.boolean(),
      negatives: unique(
        fc.record({ keywordText, matchType: fc.constantFrom("negativeExact", "negativePhrase") }),
        2,
      ),
      negativeTargets: unique(fc.record({ expressions: brandsProduct }), 2),
    }),
    2,
  ),
});

const displayState = fc.constantFrom("enabled", "paused");
const displayProduct = asin.map((value) => [{ type: "asinSameAs", value }]);
const displayAudience = fc.record({
  type: fc.constantFrom("views", "purchases"),
  value: fc.tuple(
    fc.constantFrom({ type: "exactProduct" }, { type: "asinCategorySameAs", value: "12" }),
    fc.constantFrom("7", "30", "90").map((value) => ({ type: "lookback", value })),
  ),
}).map((audience) => [audience]);

function displayCampaign(tactic: string): fc.Arbitrary<RandomDisplayCampaign> {
  const expression = tactic === "T00030" ? fc.oneof(displayAudience, displayProduct) : displayProduct;
  return fc.record({
    fields: fc.record({
      name,
      state: displayState,
      tactic: fc.constant(tactic),
      budget: fc.integer({ min: 1000, max: 50000 }).map((cents) => cents / 100),
      startDate: fc.constantFrom("20260930", "20261201"),
      endDate: fc.option(fc.constant("20271231"), { nil: undefined }),
    }),
    portfolio: fc.option(fc.nat(2), { nil: null }),
    adGroups: named(
      fc.record({
        fields: fc.record({
          name,
          state: displayState,
          defaultBid: bid,
          bidOptimization: fc.constantFrom("clicks", "conversions"),
        }),
        ads: unique(fc.record({ asin, sku: fc.stringMatching(/^SKU-[A-Z]{6}$/), state: displayState }), 3),
        targets: unique(
          fc.record({
            expression,
            expressionType: fc.constant("manual"),
            state: displayState,
            bid: fc.option(bid, { nil: undefined }),
          }),
          3,
        ),
        negatives: unique(
          fc.record({
            expression: displayProduct,
            expressionType: fc.constant("manual"),
            state: displayState,
          }),
          2,
        ),
      }),
      2,
    ),
  });
}

/** Accounts of all products, with portfolios, negatives, targets and ads. */
export const randomAccount: fc.Arbitrary<RandomAccount> = fc.record({
  portfolios: named(
    fc.record({
      fields: fc.record({
        name: name.map((text) => `P ${text}`),
        state: fc.constant("ENABLED"),
        budget: fc.option(
          fc.constant({ amount: 500, currencyCode: "CAD", policy: "MONTHLY_RECURRING" }),
          { nil: undefined },
        ),
      }),
    }),
    3,
  ).map((list) => list.map(({ fields }) => fields)),
  campaigns: named(campaign, 3),
  brands: named(brandsCampaign, 2),
  displays: named(fc.constantFrom("T00020", "T00030").chain(displayCampaign), 2),
});

/** Archives everything that can be. */
export async function emptyAccount(profile: ProfileClient): Promise<void> {
  for (const resource of [profile.sp.campaigns, profile.sb.campaigns, profile.sd.campaigns]) {
    const found = await resource.list();
    (await resource.delete(found.map(({ campaignId }) => campaignId))).raiseForErrors();
  }
}

/** Creates a random account. */
export async function createAccount(profile: ProfileClient, account: RandomAccount): Promise<void> {
  const create = async (kind: string, items: readonly Record<string, unknown>[]): Promise<string[]> => {
    if (items.length === 0) return [];
    const result = await profile.resource(kind).create(items);
    result.raiseForErrors();
    return [...result.ids];
  };
  const portfolioIds = await create("portfolios", account.portfolios);
  const inPortfolio = (at: number | null): Record<string, unknown> =>
    at === null || portfolioIds[at] === undefined ? {} : { portfolioId: portfolioIds[at] };
  for (const { fields, portfolio, negatives, adGroups } of account.campaigns) {
    const [campaignId] = await create("sp.campaigns", [{ ...fields, ...inPortfolio(portfolio) }]);
    await create("sp.campaign_negative_keywords", negatives.map((item) => ({ ...item, campaignId })));
    for (const group of adGroups) {
      const [adGroupId] = await create("sp.ad_groups", [{ ...group.fields, campaignId }]);
      const inside = (items: readonly Record<string, unknown>[]): Record<string, unknown>[] =>
        items.map((item) => ({ ...item, campaignId, adGroupId }));
      await create("sp.product_ads", inside(group.ads));
      await create("sp.negative_keywords", inside(group.negatives));
      if (fields["targetingType"] === "MANUAL") {
        // An ad group holds keywords or targets, never both.
        if (group.keywords.length > 0) await create("sp.keywords", inside(group.keywords));
        else await create("sp.targets", inside(group.targets));
        await create("sp.negative_targets", inside(group.negativeTargets));
      } else {
        const targets = await profile.sp.targets.list({ adGroupIds: [adGroupId!] });
        const items = targets.flatMap(({ targetId }, at) =>
          group.autoBids[at] === undefined ? [] : [{ targetId, bid: group.autoBids[at] }]
        );
        (await profile.sp.targets.update(items)).raiseForErrors();
      }
    }
  }
  for (const { fields, portfolio, adGroups } of account.brands) {
    const [campaignId] = await create("sb.campaigns", [{ ...fields, ...inPortfolio(portfolio) }]);
    for (const group of adGroups) {
      const [adGroupId] = await create("sb.ad_groups", [{ ...group.fields, campaignId }]);
      for (const ad of group.ads) await create("sb.ads", [{ ...ad, adGroupId }]);
      const inside = (items: readonly Record<string, unknown>[]): Record<string, unknown>[] =>
        items.map((item) => ({ ...item, campaignId, adGroupId }));
      const keywordIds = await create("sb.keywords", inside(group.keywords));
      const targetIds = await create("sb.targets", inside(group.targets));
      if (group.paused) {
        (await profile.sb.keywords.pause(keywordIds)).raiseForErrors();
        (await profile.sb.targets.pause(targetIds)).raiseForErrors();
      }
      await create("sb.negative_keywords", inside(group.negatives));
      await create("sb.negative_targets", inside(group.negativeTargets));
    }
  }
  for (const { fields, portfolio, adGroups } of account.displays) {
    const [campaignId] = await create("sd.campaigns", [{ ...fields, ...inPortfolio(portfolio) }]);
    for (const group of adGroups) {
      const [adGroupId] = await create("sd.ad_groups", [{ ...group.fields, campaignId }]);
      await create("sd.product_ads", group.ads.map((item) => ({ ...item, campaignId, adGroupId })));
      await create("sd.targets", group.targets.map((item) => ({ ...item, adGroupId })));
      await create("sd.negative_targets", group.negatives.map((item) => ({ ...item, adGroupId })));
    }
  }
}
