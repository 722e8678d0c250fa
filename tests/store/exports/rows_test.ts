import assert from "node:assert/strict";
import { test } from "node:test";
import type { ResourceKind } from "../../../mod.ts";
import {
  chooseSource,
  EXPORT_PAYS_FROM,
  type LastPull,
  listRequests,
  mostIds,
} from "../../../src/store/sync/choose_source.ts";
import { EXPORT_ENDPOINTS } from "../../../src/store/sync/export_endpoint.ts";
import { IdSet, rowDiffers } from "../../../src/store/sync/compare_export.ts";
import { SeededRandom } from "../../support/seeded_random.ts";

type Row = Record<string, unknown>;

function budget(amount: unknown): Row {
  return {
    recurrenceTimePeriod: "DAILY",
    budgetType: "MONETARY",
    budgetValue: { monetaryBudget: { amount } },
  };
}

const CAMPAIGN: Row = {
  state: "ENABLED",
  name: "A",
  budget: { budget: 25.5, budgetType: "DAILY" },
  startDate: "2026-01-15",
  portfolioId: "9007199254740993",
  targetingType: "MANUAL",
  dynamicBidding: { strategy: "LEGACY_FOR_SALES" },
};
const CAMPAIGN_ROW: Row = {
  state: "ENABLED",
  name: "A",
  budgetCaps: budget(25.50),
  startDate: "2026-01-15",
  portfolioId: "9007199254740993",
  targetingSettings: "MANUAL",
  optimization: { bidStrategy: "SALES_DOWN_ONLY" },
};

const ROWS: readonly [what: string, kind: ResourceKind, row: Row, stored: Row, differs: boolean][] = [
  ["the same campaign", "sp.campaigns", CAMPAIGN_ROW, CAMPAIGN, false],
  ["a budget as text", "sp.campaigns", { ...CAMPAIGN_ROW, budgetCaps: budget("25.50") }, CAMPAIGN, false],
  ["another budget", "sp.campaigns", { ...CAMPAIGN_ROW, budgetCaps: budget(25.51) }, CAMPAIGN, true],
  ["another state", "sp.campaigns", { ...CAMPAIGN_ROW, state: "PAUSED" }, CAMPAIGN, true],
  ["another name", "sp.campaigns", { ...CAMPAIGN_ROW, name: "a" }, CAMPAIGN, true],
  [
    "another strategy",
    "sp.campaigns",
    { ...CAMPAIGN_ROW, optimization: { bidStrategy: "SALES" } },
    CAMPAIGN,
    true,
  ],
  [
    "an unknown strategy",
    "sp.campaigns",
    { ...CAMPAIGN_ROW, optimization: { bidStrategy: "NEW" } },
    CAMPAIGN,
    false,
  ],
  ["no portfolio any more", "sp.campaigns", { ...CAMPAIGN_ROW, portfolioId: undefined }, CAMPAIGN, true],
  ["null in place of nothing", "sp.campaigns", { ...CAMPAIGN_ROW, endDate: null }, CAMPAIGN, false],
  ["an end", "sp.campaigns", { ...CAMPAIGN_ROW, endDate: "2026-12-31" }, CAMPAIGN, true],
  ["the same end as a moment", "sp.campaigns", { ...CAMPAIGN_ROW, endDate: "2026-12-31T00:00:00Z" }, {
    ...CAMPAIGN,
    endDate: "2026-12-31",
  }, false],
  ["only a state", "sp.campaigns", { state: "ENABLED", portfolioId: "9007199254740993" }, CAMPAIGN, false],
  ["a Brands budget", "sb.campaigns", { state: "ENABLED", budgetCaps: budget(7) }, {
    state: "ENABLED",
    budget: 7,
  }, false],
  ["a Display day", "sd.campaigns", { state: "PAUSED", startDate: "2026-01-15", budgetCaps: budget(7) }, {
    state: "paused",
    startDate: "20260115",
    budget: 7,
  }, false],
  [
    "a keyword",
    "sb.keywords",
    { state: "ENABLED", bid: { bid: 1.5 } },
    { state: "enabled", bid: 1.5 },
    false,
  ],
  ["a bare bid", "sp.keywords", { state: "ENABLED", bid: 1.5 }, { state: "ENABLED", bid: 1.5 }, false],
  [
    "another bid",
    "sp.targets",
    { state: "ENABLED", bid: { bid: 1.6 } },
    { state: "ENABLED", bid: 1.5 },
    true,
  ],
  [
    "a bid of the ad group",
    "sp.keywords",
    { state: "ENABLED", bid: { bid: 1 } },
    { state: "ENABLED" },
    false,
  ],
  ["a default bid", "sd.ad_groups", { state: "ENABLED", bid: { defaultBid: 2 } }, {
    state: "enabled",
    defaultBid: 1,
  }, true],
  ["another targeting type", "sp.campaigns", { ...CAMPAIGN_ROW, targetingSettings: "AUTO" }, CAMPAIGN, true],
  ["another start", "sp.campaigns", { ...CAMPAIGN_ROW, startDate: "2026-01-16" }, CAMPAIGN, true],
  ["no end any more", "sp.campaigns", CAMPAIGN_ROW, { ...CAMPAIGN, endDate: "2026-12-31" }, true],
  ["another Brands budget", "sb.campaigns", { budgetCaps: budget(8) }, { budget: 7 }, true],
  ["what Brands have no word for", "sb.campaigns", { targetingSettings: "AUTO" }, {}, false],
  ["another state of a keyword", "sp.keywords", { state: "PAUSED" }, { state: "ENABLED" }, true],
  ["a name of a keyword", "sp.keywords", { state: "PAUSED", name: "x" }, { state: "PAUSED" }, false],
  ["no bid", "sp.keywords", { state: "ENABLED", bid: null }, { state: "ENABLED", bid: 1 }, false],
  ["a bid where none is", "sp.targets", { bid: { bid: 1 } }, { bid: null }, false],
  ["another bare bid", "sp.keywords", { bid: 1.6 }, { bid: 1.5 }, true],
  ["an end of an ad", "sp.product_ads", { endDate: "2026-12-31" }, { state: "ENABLED" }, false],
  ["another name of an ad group", "sp.ad_groups", { name: "b" }, { name: "a" }, true],
  ["a name where none was", "sb.ads", { name: "b" }, {}, true],
  ["an empty name where none was", "sb.ads", { name: "" }, {}, false],
  [
    "a name with a NUL",
    "sb.ads",
    { state: "ENABLED", name: "a\0" },
    { state: "ENABLED", name: "a\uFFFD" },
    false,
  ],
];

test("a row differs from what is stored only where it says something else", () => {
  for (const [what, kind, row, stored, differs] of ROWS) {
    assert.equal(rowDiffers(kind, row, stored), differs, what);
  }
});

const KINDS: readonly [row: Row, kind: ResourceKind | undefined][] = [
  [
    { adProduct: "SPONSORED_PRODUCTS", targetType: "KEYWORD", negative: false, adGroupId: "1" },
    "sp.keywords",
  ],
  [{ adProduct: "SPONSORED_PRODUCTS", targetType: "AUTO", negative: false, adGroupId: "1" }, "sp.targets"],
  [
    { adProduct: "SPONSORED_PRODUCTS", targetType: "KEYWORD", negative: true, adGroupId: "1" },
    "sp.negative_keywords",
  ],
  [
    { adProduct: "SPONSORED_PRODUCTS", targetType: "KEYWORD", negative: true },
    "sp.campaign_negative_keywords",
  ],
  [
    { adProduct: "SPONSORED_PRODUCTS", targetType: "PRODUCT", negative: true, adGroupId: null },
    "sp.campaign_negative_targets",
  ],
  [
    {
      adProduct: "SPONSORED_PRODUCTS",
      targetType: "PRODUCT",
      negative: true,
      adGroupId: "1",
      targetLevel: "CAMPAIGN",
    },
    "sp.campaign_negative_targets",
  ],
  [
    { adProduct: "SPONSORED_BRANDS", targetType: "KEYWORD", negative: true, adGroupId: "1" },
    "sb.negative_keywords",
  ],
  [{ adProduct: "SPONSORED_PRODUCTS", targetType: "KEYWORD", negative: false }, "sp.keywords"],
  [
    { adProduct: "SPONSORED_PRODUCTS", targetType: "KEYWORD", negative: true, targetLevel: "AD_GROUP" },
    "sp.negative_keywords",
  ],
  [{ adProduct: "SPONSORED_BRANDS", targetType: "PRODUCT", negative: false, adGroupId: "1" }, "sb.targets"],
  [{ adProduct: "SPONSORED_BRANDS", targetType: "AUTO", negative: false, adGroupId: "1" }, undefined],
  [{ adProduct: "SPONSORED_BRANDS", targetType: "THEME", negative: false, adGroupId: "1" }, undefined],
  [{ targetType: "KEYWORD", negative: false, adGroupId: "1" }, undefined],
  [{ adProduct: "SPONSORED_DISPLAY", targetType: "AUDIENCE", negative: false, adGroupId: "1" }, "sd.targets"],
  [{ adProduct: "SPONSORED_TV", targetType: "PRODUCT", negative: false, adGroupId: "1" }, undefined],
];

test("the kind of a row of targets is told by product, type, level and whether it is negative", () => {
  const targets = EXPORT_ENDPOINTS.find(({ name }) => name === "targets_export")!;
  for (const [row, kind] of KINDS) assert.equal(targets.kindOf(row), kind, JSON.stringify(row));
});

test("the kind of a campaign, an ad group or an ad is told by its product", () => {
  const kindsOf = (name: string): (ResourceKind | undefined)[] =>
    ["SPONSORED_PRODUCTS", "SPONSORED_BRANDS", "SPONSORED_DISPLAY"].map((adProduct) =>
      EXPORT_ENDPOINTS.find((endpoint) => endpoint.name === name)!.kindOf({ adProduct })
    );
  assert.deepEqual(kindsOf("campaigns_export"), ["sp.campaigns", "sb.campaigns", "sd.campaigns"]);
  assert.deepEqual(kindsOf("ad_groups_export"), ["sp.ad_groups", "sb.ad_groups", "sd.ad_groups"]);
  assert.deepEqual(kindsOf("ads_export"), ["sp.product_ads", "sb.ads", "sd.product_ads"]);
});

test("exports are used from so many requests of lists, and only where something is stored", async () => {
  const targets = EXPORT_ENDPOINTS.find(({ name }) => name === "targets_export")!;
  const stored = (keywords: number, negatives: number): Map<ResourceKind, LastPull> =>
    new Map([
      ["sp.keywords", { entities: keywords, pulledAt: 0 }],
      ["sb.negative_keywords", { entities: negatives, pulledAt: 0 }],
    ]);
  const source = (last: Map<ResourceKind, LastPull>, choice: "auto" | "list" | "export" = "auto") =>
    chooseSource(targets, last, choice).then(({ source }) => source);
  assert.equal(EXPORT_PAYS_FROM, 30, "as the options of syncs say");
  assert.equal(await source(stored((EXPORT_PAYS_FROM - 2) * 1000, 500)), "list");
  assert.equal(await source(stored((EXPORT_PAYS_FROM - 1) * 1000, 500)), "export");
  assert.equal(await source(stored((EXPORT_PAYS_FROM - 2) * 1000, 501)), "export");
  assert.equal(await source(stored(1, 0), "export"), "export");
  assert.equal(await source(stored(1_000_000, 0), "list"), "list");
  assert.equal(await source(new Map(), "export"), "list");
  assert.deepEqual([await listRequests("sb.campaigns", 250), await mostIds("sb.campaigns", 250)], [3, 10]);
  assert.deepEqual([await listRequests("sp.keywords", 0), await mostIds("sp.keywords", 0)], [1, 1000]);
  assert.deepEqual([await listRequests("sp.keywords", 1001), await mostIds("sp.keywords", 1001)], [2, 1000]);
  assert.deepEqual([await listRequests("sp.keywords", 100_000), await mostIds("sp.keywords", 100_000)], [
    100,
    50_000,
  ]);
});

test("a set of ids holds what was added, past 2^53 and past 64 bits", () => {
  const random = new SeededRandom(3);
  const set = new IdSet();
  const added = new Set(["0", "007", "9007199254740993", "18446744073709551616", "a1"]);
  while (added.size < 3000) {
    added.add(`${random.integer(1, 9)}${random.integer(0, 1e9)}${random.integer(0, 1e8)}`);
  }
  for (const id of added) set.add(id);
  for (const id of added) assert(set.has(id), id);
  for (const id of ["7", "9007199254740992", "18446744073709551617", "a2", ""]) assert(!set.has(id), id);
  set.add("7");
  assert(set.has("7") && set.has("007"));
  const few = new IdSet();
  assert(!few.has("0"));
  for (const id of ["30", "20", "10"]) few.add(id);
  assert.deepEqual(
    ["10", "20", "30", "0", "5", "15", "25", "35"].map((id) => few.has(id)),
    [true, true, true, false, false, false, false, false],
  );
});
