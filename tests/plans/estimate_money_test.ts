import { deepEqual, equal, ok } from "node:assert/strict";
import type { Change, EntityFields } from "../../src/plans/change.ts";
import { estimateMoney } from "../../src/plans/review/estimate_money.ts";

const CAMPAIGN: EntityFields = { state: "ENABLED", budget: { budget: 50, budgetType: "DAILY" } };
const KEYWORD: EntityFields = { state: "ENABLED", bid: 1, campaignId: "1" };
/** A keyword that costs 10 a day in a campaign that spends 40 a day. */
const FIGURES = new Map([["9", { cost30d: 300 }], ["1", { cost30d: 1200 }]]);

function estimate(
  changes: readonly Partial<Change>[],
  { figures = FIGURES, campaign = CAMPAIGN }: { figures?: typeof FIGURES; campaign?: EntityFields } = {},
): unknown[] {
  const whole = changes.map((change): Change => ({
    kind: "sp.keywords",
    op: "update",
    id: "9",
    before: {},
    after: {},
    label: "x",
    campaignId: "1",
    ...change,
  }));
  const { perDay, known, unknown } = estimateMoney(whole, {
    currency: "CAD",
    figures,
    account: {
      entity: (kind) => kind.endsWith(".campaigns") ? campaign : KEYWORD,
      campaign: () => campaign,
    },
  });
  return [Number(perDay.low.toFixed(2)), Number(perDay.high.toFixed(2)), known, unknown];
}

const bid = (from: number, to: number): Partial<Change> => ({ before: { bid: from }, after: { bid: to } });
const budget = (from: number, to: number): Partial<Change> => ({
  kind: "sp.campaigns",
  id: "1",
  before: { budget: { budget: from, budgetType: "DAILY" } },
  after: { budget: { budget: to, budgetType: "DAILY" } },
});

const CASES: readonly (readonly [string, unknown[], unknown[]])[] = [
  ["a budget that is raised is a ceiling", estimate([budget(50, 80)]), [0, 30, 1, 0]],
  [
    "a budget that is lowered below the spend of some days gives up what they spend above it, and what its last click leaves",
    estimate([budget(50, 30)]),
    [-21.5, 0, 1, 0],
  ],
  [
    "a budget that stays above the spend of all days gives up nothing",
    estimate([budget(90, 64)], { campaign: { ...CAMPAIGN, budget: 90 } }),
    [0, 0, 1, 0],
  ],
  [
    "a bid that is raised costs at most the square of its ratio, a quarter more, and moves spend in its campaign",
    estimate([bid(1, 1.2)]),
    [-0.8, 6.3, 1, 0],
  ],
  ["the campaign's budget bounds what bids can cost", estimate([bid(1, 3)]), [-0.8, 10, 1, 0]],
  ["so does the budget that the same plan sets", estimate([bid(1, 3), budget(50, 60)]), [-0.8, 20, 2, 0]],
  ["a bid that is lowered saves", estimate([bid(1, 0.5)]), [-10.18, 0.8, 1, 0]],
  ["a bid without figures is unknown, and not 0", estimate([bid(1, 2)], { figures: new Map() }), [
    0,
    0,
    0,
    1,
  ]],
  [
    "a pause gives up what was spent, a quarter more or less",
    estimate([{ before: { state: "ENABLED" }, after: { state: "PAUSED" } }]),
    [-12.5, -7.5, 1, 0],
  ],
  [
    "what is in a paused campaign moves nothing",
    estimate([bid(1, 9)], { campaign: { ...CAMPAIGN, state: "PAUSED" } }),
    [0, 0, 1, 0],
  ],
  [
    "a new campaign costs up to its budget",
    estimate([{ ...budget(0, 25), op: "create", id: null, before: {} }]),
    [0, 25, 1, 0],
  ],
  [
    "a new keyword costs up to what the campaign leaves",
    estimate([{ op: "create", id: null, after: { bid: 1 } }]),
    [0, 10, 1, 0],
  ],
  ["a new name moves nothing", estimate([{ kind: "sp.campaigns", id: "1", after: { name: "y" } }]), [
    0,
    0,
    1,
    0,
  ]],
  [
    "a new strategy is unknown",
    estimate([{ kind: "sp.campaigns", id: "1", after: { dynamicBidding: {} } }]),
    [0, 0, 0, 1],
  ],
];

for (const [what, actual, expected] of CASES) {
  Deno.test(`money at risk: ${what}`, () => deepEqual(actual, expected));
}

Deno.test("what a plan creates in a campaign of its own counts once, by that campaign's budget", () => {
  const create = (kind: string, after: Record<string, unknown>, ref: string): Change => ({
    kind,
    op: "create",
    id: null,
    before: {},
    after: { state: "ENABLED", ...after },
    label: ref,
    ref,
  });
  const campaignId = { ref: "c" };
  const account = { entity: () => undefined, campaign: () => undefined };
  const { perDay, known, unknown } = estimateMoney([
    create("sp.campaigns", { budget: { budget: 15, budgetType: "DAILY" } }, "c"),
    create("sp.ad_groups", { campaignId, defaultBid: 1 }, "g"),
    create("sp.keywords", { campaignId, adGroupId: { ref: "g" }, bid: 1 }, "k"),
  ], { currency: "USD", account });
  deepEqual([perDay, known, unknown], [{ low: 0, high: 15 }, 3, 0]);
});

Deno.test("money at risk is weighed by the account, whatever a plan says of itself", () => {
  const account = {
    entity: () => KEYWORD,
    campaign: (_kind: string, id: string) => id === "1" ? CAMPAIGN : { ...CAMPAIGN, state: "PAUSED" },
  };
  const high = (change: Partial<Change>): number =>
    estimateMoney([{
      kind: "sp.keywords",
      op: "update",
      id: "9",
      before: { bid: 1 },
      after: { bid: 1.2 },
      label: "x",
      ...change,
    }], { currency: "CAD", figures: FIGURES, account }).perDay.high;
  const honest = high({ campaignId: "1" });
  ok(honest > 5);
  equal(high({ campaignId: "2" }), honest, "a paused campaign");
  equal(high({ before: { bid: 1.2 } }), honest, "a bid that is there already");
  equal(high({ before: { bid: 1, state: "PAUSED" } }), honest, "a keyword that is paused");
});

Deno.test("an ad group is weighed by its default bid, and a field that means nothing there is unknown", () => {
  const weighed = (after: EntityFields): unknown[] => {
    const change = { kind: "sp.ad_groups", op: "update", id: "9", before: {}, after, label: "x" } as const;
    const entity = { state: "ENABLED", defaultBid: 1, bid: 5, campaignId: "1" };
    const account = { entity: () => entity, campaign: () => CAMPAIGN };
    const { perDay, unknown } = estimateMoney([change], { currency: "CAD", figures: FIGURES, account });
    return [perDay.high > 0, unknown];
  };
  deepEqual(weighed({ defaultBid: 1.2 }), [true, 0]);
  deepEqual(weighed({ defaultBid: 1 }), [true, 0], "0.8 a day moves in its campaign");
  deepEqual(weighed({ defaultBid: 1.2, bid: 0.1 }), [false, 1]);
});
