import type { EntityFields } from "../../../src/plans/model/change.ts";
import {
  adjustmentsOf,
  bidFactor,
  bidFactorRise,
  bidField,
  budgetAmount,
  comparedAmount,
  dailyBudget,
  inheritsBid,
  ownBid,
  plainAmount,
  readAmount,
  strategyFactor,
  withPlainAmounts,
} from "../../../src/plans/state/amounts.ts";
import { deepEqual, equal } from "../../support/assert.ts";

Deno.test("keywords and targets of every product inherit the bid of their ad group, and nothing else does", () => {
  const kinds = ["sp.keywords", "sp.targets", "sb.keywords", "sb.targets", "sd.targets"];
  deepEqual(kinds.filter(inheritsBid), kinds);
  deepEqual(["sp.campaigns", "sp.ad_groups", "sp.negative_keywords", "portfolios"].filter(inheritsBid), []);
  deepEqual(["sp.ad_groups", "sd.ad_groups", "sb.keywords"].map(bidField), [
    "defaultBid",
    "defaultBid",
    "bid",
  ]);
});

Deno.test("an amount in plain digits is a number wherever money is written, and no other text is", () => {
  const texts: readonly (readonly [string, number | undefined])[] = [
    ["9", 9],
    [" 2.50 ", 2.5],
    ["12.345", 12.345],
    ["1e3", undefined],
    ["0x10", undefined],
    ["1,5", undefined],
    ["1.", undefined],
    [".5", undefined],
    ["-1", undefined],
    ["9 USD", undefined],
    ["a 9", undefined],
    ["", undefined],
    [" ", undefined],
  ];
  for (const [text, amount] of texts) equal(plainAmount(text), amount, JSON.stringify(text));
  deepEqual(
    withPlainAmounts({
      bid: "9",
      defaultBid: " 1 ",
      budget: { budget: "15", amount: "20", budgetType: "DAILY" },
      name: "7",
    }),
    { bid: 9, defaultBid: 1, budget: { budget: 15, amount: 20, budgetType: "DAILY" }, name: "7" },
  );
  deepEqual(withPlainAmounts({ budget: "30" }), { budget: 30 });
  for (const budget of [["15"], null, "many", { budget: "1e3" }, { budgetType: "15" }]) {
    const fields = { budget, bid: 1, defaultBid: null };
    equal(withPlainAmounts(fields), fields, "what holds no such text stays as it is");
  }
});

Deno.test("an amount is read as the platform would read it, and what is none is neither absent nor 0", () => {
  deepEqual([1.5, "1.5", "1e2", 0, "0"].map(readAmount), [1.5, 1.5, 100, 0, 0]);
  deepEqual([undefined, null].map(readAmount), [undefined, undefined]);
  deepEqual(["", " ", "many", [9], {}, true, Infinity, "1e999"].map(readAmount), Array(8).fill(NaN));
});

Deno.test("each kind has its own bid and budget, and a field of another kind stands for neither", () => {
  const fields = { bid: 1, defaultBid: 2, budget: { budget: 3, amount: 4, policy: "DATE_RANGE" } };
  const table: readonly (readonly [string, number | undefined, unknown, number | undefined])[] = [
    ["sp.keywords", 1, undefined, 1],
    ["sp.ad_groups", 2, undefined, 2],
    ["sp.campaigns", undefined, 3, 3],
    ["portfolios", undefined, 4, undefined],
    ["sp.negative_keywords", undefined, undefined, undefined],
    ["sp.campaign_negative_targets", undefined, undefined, undefined],
  ];
  for (const [kind, bid, budget, compared] of table) {
    deepEqual([ownBid(kind, fields), budgetAmount(kind, fields), comparedAmount(kind, fields)], [
      bid,
      budget,
      compared,
    ], kind);
    deepEqual([ownBid(kind, undefined), budgetAmount(kind, undefined)], [undefined, undefined], kind);
  }
  equal(ownBid("sp.keywords", { bid: "lots" }), undefined);
  equal(budgetAmount("sb.campaigns", { budget: 12 }), 12);
  deepEqual(budgetAmount("sb.campaigns", { budget: [12] }), [12], "left to be refused as it is");
  equal(budgetAmount("portfolios", { budget: { amount: 4, policy: "NO_CAP" } }), undefined);
  equal(budgetAmount("portfolios", {}), undefined);
});

Deno.test("a budget for life is no daily budget, wherever and however its type is written", () => {
  const table: readonly (readonly [EntityFields | undefined, number | undefined])[] = [
    [undefined, undefined],
    [{}, undefined],
    [{ budget: { budget: 5, budgetType: "DAILY" } }, 5],
    [{ budget: { budget: 5, budgetType: "LIFETIME" } }, undefined],
    [{ budget: { budget: 5, budgetType: "lifetime" } }, undefined],
    [{ budget: 5 }, 5],
    [{ budget: 5, budgetType: "daily" }, 5],
    [{ budget: 5, budgetType: "lifetime" }, undefined],
    [{ budget: "5" }, 5],
    [{ budget: "many" }, undefined],
    [{ budget: { budgetType: 7, budget: 5 } }, 5],
  ];
  for (const [campaign, amount] of table) equal(dailyBudget(campaign), amount, JSON.stringify(campaign));
});

/** Adjustments as plain objects. */
function plain(campaign: EntityFields | undefined): unknown {
  return Object.fromEntries([...adjustmentsOf(campaign)].map(([list, of]) => [list, Object.fromEntries(of)]));
}

Deno.test("adjustments are told apart by their list and by what they are for", () => {
  deepEqual(
    plain({
      dynamicBidding: {
        strategy: "MANUAL",
        placementBidding: [{ placement: "TOP", percentage: 50 }, { percentage: "20", placement: "REST" }],
        shopperCohortBidding: [{ percentage: 30, audienceSegments: [{ audienceId: "1" }] }],
      },
      bidding: { bidAdjustmentsByPlacement: [{ placement: "TOP", percentage: -40 }] },
      budget: [{ percentage: 7 }],
    }),
    {
      ".dynamicBidding.placementBidding": { TOP: 50, REST: 20 },
      ".dynamicBidding.shopperCohortBidding": { '{"audienceSegments":[{"audienceId":"1"}]}': 30 },
      ".bidding.bidAdjustmentsByPlacement": { TOP: -40 },
    },
  );
  deepEqual([plain(undefined), plain({}), plain({ bidding: "MANUAL" })], [{}, {}, {}]);
});

Deno.test("of an adjustment that is given twice the higher counts, and one without a name is told by its place", () => {
  const list = (...placementBidding: unknown[]) => plain({ dynamicBidding: { placementBidding } });
  const of = (adjustments: EntityFields) => ({ ".dynamicBidding.placementBidding": adjustments });
  deepEqual(
    list({ placement: "TOP", percentage: 90 }, { placement: "TOP", percentage: 10 }),
    of({ TOP: 90 }),
  );
  deepEqual(
    list({ placement: "TOP", percentage: 10 }, { placement: "TOP", percentage: 90 }),
    of({ TOP: 90 }),
  );
  deepEqual(list({ percentage: 10 }, { percentage: 20 }), of({ "0": 10, "1": 20 }));
  deepEqual(list({ type: "SEGMENT", id: 1, percentage: 10 }, { id: 2, percentage: 20, type: "SEGMENT" }), {
    ".dynamicBidding.placementBidding": { '{"id":1,"type":"SEGMENT"}': 10, '{"id":2,"type":"SEGMENT"}': 20 },
  });
  deepEqual(list({ placement: "TOP", percentage: "lots" }), of({ TOP: NaN }));
  deepEqual(list({ placement: "TOP" }, null, 7, [{ percentage: 7 }]), {});
  deepEqual(list({ placement: "TOP", of: [{ placement: "A", percentage: 5 }] }), {
    ".dynamicBidding.placementBidding.of": { A: 5 },
  });
});

/** A campaign with a strategy and adjustments by placement. */
function campaign(strategy: string | undefined, placements: EntityFields = {}): EntityFields {
  const placementBidding = Object.entries(placements).map(([placement, percentage]) => ({
    placement,
    percentage,
  }));
  return { dynamicBidding: { ...(strategy === undefined ? {} : { strategy }), placementBidding } };
}

Deno.test("only strategies that are known to raise no bid have the factor 1", () => {
  const factor = (strategy: unknown): number => strategyFactor({ dynamicBidding: { strategy } });
  deepEqual(["LEGACY_FOR_SALES", "MANUAL", "NONE", "manual", null, undefined].map(factor), Array(6).fill(1));
  deepEqual(["AUTO_FOR_SALES", "RULE_BASED", "SOMETHING_NEW", 7].map(factor), Array(4).fill(2));
  equal(strategyFactor(undefined), 1);
});

Deno.test("a click may cost the bid times its strategy and the highest adjustment of each list", () => {
  equal(bidFactor(undefined), 1);
  equal(bidFactor(campaign("MANUAL")), 1);
  equal(bidFactor(campaign("MANUAL", { TOP: 50, REST: 20 })), 1.5);
  equal(bidFactor(campaign("AUTO_FOR_SALES", { TOP: 50 })), 3);
  equal(bidFactor({ bidding: { bidAdjustmentsByPlacement: [{ placement: "TOP", percentage: -40 }] } }), 1);
  equal(
    bidFactor({
      dynamicBidding: {
        placementBidding: [{ placement: "TOP", percentage: 100 }],
        shopperCohortBidding: [{ shopperCohortType: "A", percentage: 50 }],
      },
    }),
    3,
  );
});

Deno.test("the rise of a campaign's factor is that of the placement which rises most, times the strategy's", () => {
  const rise = (from: EntityFields | undefined, to: EntityFields | undefined): number =>
    Number(bidFactorRise(from, to).toFixed(6));
  equal(rise(undefined, undefined), 1);
  equal(rise(campaign("MANUAL"), campaign("AUTO_FOR_SALES")), 2);
  equal(rise(campaign("AUTO_FOR_SALES"), campaign("MANUAL")), 0.5);
  equal(rise(campaign("MANUAL"), campaign("MANUAL", { TOP: 50 })), 1.5);
  equal(rise(campaign("MANUAL", { TOP: 100 }), campaign("MANUAL", { TOP: 300 })), 2);
  equal(rise(campaign("MANUAL", { TOP: 900, REST: 0 }), campaign("MANUAL", { TOP: 900, REST: 300 })), 4);
  equal(rise(campaign("MANUAL", { TOP: 900 }), campaign("MANUAL", { TOP: 0 })), 1, "no other one fell");
  equal(rise(campaign("MANUAL", { TOP: 100 }), campaign("AUTO_FOR_SALES", { TOP: 200 })), 3);
  const lists = (percentage: number): EntityFields => ({
    dynamicBidding: {
      placementBidding: [{ placement: "TOP", percentage }],
      shopperCohortBidding: [{ shopperCohortType: "A", percentage }],
    },
  });
  equal(rise(lists(0), lists(100)), 4);
  const audience = (audienceId: string): EntityFields => ({
    dynamicBidding: {
      shopperCohortBidding: [{
        shopperCohortType: "AUDIENCE_SEGMENT",
        percentage: 400,
        audienceSegments: [{ audienceId }],
      }],
    },
  });
  deepEqual([rise(audience("1"), audience("1")), rise(audience("1"), audience("2"))], [1, 5]);
});

Deno.test("a lower adjustment that goes is a rise, for without one a placement costs the whole bid", () => {
  const brands = (percentage: number | undefined): EntityFields => ({
    bidding: {
      bidAdjustmentsByPlacement: percentage === undefined ? [] : [{ placement: "TOP", percentage }],
    },
  });
  equal(bidFactorRise(brands(-50), brands(undefined)), 2);
  equal(bidFactorRise(brands(-50), {}), 2);
  equal(bidFactorRise(brands(50), brands(undefined)), 1);
});
