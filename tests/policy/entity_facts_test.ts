import { deepEqual, equal } from "../support/assert.ts";
import { type EntityFacts, entityFacts } from "../../src/plans/policy/entity_facts.ts";

/** Facts without those that hold the fields as they are. */
function facts(kind: string, fields: Readonly<Record<string, unknown>>): Partial<EntityFacts> {
  const { fields: _, unreadable, ...rest } = entityFacts(kind, "9", fields);
  return unreadable.length === 0 ? rest : { ...rest, unreadable };
}

const CASES: readonly (readonly [
  what: string,
  kind: string,
  fields: Readonly<Record<string, unknown>>,
  expected: Partial<EntityFacts>,
])[] = [
  ["an entity without fields", "sp.keywords", {}, {}],
  ["fields without values", "sp.keywords", { bid: null, state: null, name: null, tags: null }, {}],
  ["a keyword", "sp.keywords", { bid: 0.5, state: "paused", keywordText: "red", matchType: "EXACT" }, {
    bid: 0.5,
    state: "PAUSED",
    keywordText: "red",
    matchType: "EXACT",
  }],
  ["ids that are numbers", "sp.keywords", { campaignId: 5, adGroupId: 6, portfolioId: 7 }, {
    campaignId: "5",
    adGroupId: "6",
    portfolioId: "7",
  }],
  ["a name that is not a text", "sp.campaigns", { name: ["Brand"], state: 1 }, {}],
  ["an ad group, by its default bid", "sp.ad_groups", { bid: 0.5, defaultBid: 99 }, { bid: 99 }],
  ["a Display ad group", "sd.ad_groups", { defaultBid: 1 }, { bid: 1 }],
  ["a keyword, which has no default bid", "sb.keywords", { bid: 0.5, defaultBid: 99 }, { bid: 0.5 }],
  ["an amount as text", "sp.keywords", { bid: "1.5" }, { bid: 1.5 }],
  ["an amount that is empty", "sp.keywords", { bid: " " }, { unreadable: ["bid"] }],
  ["an amount past all numbers", "sp.keywords", { bid: "1e999" }, { unreadable: ["bid"] }],
  ["an amount in a list", "sp.keywords", { bid: [99] }, { unreadable: ["bid"] }],
  ["the budget of a Sponsored Products campaign", "sp.campaigns", {
    budget: { budget: 15, amount: 1, budgetType: "DAILY" },
  }, { budget: 15 }],
  ["the budget of a Brands campaign", "sb.campaigns", { budget: 15 }, { budget: 15 }],
  ["the budget of a portfolio", "portfolios", { budget: { budget: 1, amount: 500 } }, { budget: 500 }],
  ["a budget in words", "sp.campaigns", { budget: { budget: "much" } }, { unreadable: ["budget"] }],
  ["a budget in a list", "sb.campaigns", { budget: [15] }, { unreadable: ["budget"] }],
  ["a strategy", "sp.campaigns", {
    dynamicBidding: { strategy: "MANUAL" },
    bidding: { bidOptimizationStrategy: "OTHER" },
  }, { strategy: "MANUAL" }],
  ["the strategy of a Brands campaign", "sb.campaigns", {
    dynamicBidding: { strategy: "OTHER" },
    bidding: { bidOptimizationStrategy: "MAXIMIZE" },
  }, { strategy: "MAXIMIZE" }],
  ["a strategy that is not a text", "sp.campaigns", { dynamicBidding: { strategy: 1 } }, {}],
  ["a bidding that is not an object", "sp.campaigns", { dynamicBidding: "MANUAL", bidding: 7 }, {}],
  ["the largest of several adjustments", "sp.campaigns", {
    dynamicBidding: {
      placementBidding: [{ percentage: 20 }, { percentage: 50 }],
      shopperCohortBidding: [{ shopperCohortType: "A", percentage: 30 }],
    },
  }, { adjustment: 0.5 }],
  ["an adjustment below 0", "sb.campaigns", { bidding: { bidAdjustments: [{ percentage: -40 }] } }, {
    adjustment: -0.4,
  }],
  ["an adjustment as text", "sb.campaigns", { bidding: { a: { b: [{ percentage: "900" }] } } }, {
    adjustment: 9,
  }],
  ["an adjustment without a value", "sp.campaigns", { dynamicBidding: { percentage: null } }, {}],
  ["an adjustment that hides in a list", "sp.campaigns", {
    dynamicBidding: { placementBidding: [{ percentage: [900] }] },
  }, { unreadable: ["percentage"] }],
  ["adjustments on both sides of the wire's names", "sp.campaigns", {
    dynamicBidding: { placementBidding: [{ percentage: 10 }] },
    bidding: { bidAdjustments: [{ percentage: 60 }] },
  }, { adjustment: 0.6 }],
  ["tags as an object", "sp.campaigns", { tags: { team: "blue", tier: 1 } }, {
    labels: ["team:blue", "tier:1"],
  }],
  ["tags as a list", "sp.campaigns", { tags: ["core", 7] }, { labels: ["core", "7"] }],
];

for (const [what, kind, fields, expected] of CASES) {
  Deno.test(`rules see ${what} by the names of every kind`, () => {
    deepEqual(facts(kind, fields), { kind, id: "9", labels: [], ...expected });
  });
}

Deno.test("what has no id yet has none for rules either", () => {
  equal("id" in entityFacts("sp.keywords", null, {}), false);
});
