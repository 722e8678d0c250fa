import { deepEqual, equal, match, ok } from "../support/assert.ts";
import type { Change, EntityFields } from "../../src/plans/model/change.ts";
import type { MoneyAtRisk } from "../../src/plans/model/plan_data.ts";
import type { BidResponse } from "../../src/plans/review/bid_response.ts";
import { estimateMoney } from "../../src/plans/review/estimate_money.ts";
import { accountState, stepsOf } from "../support/account_state.ts";

const CAMPAIGN: EntityFields = { state: "ENABLED", budget: { budget: 50, budgetType: "DAILY" } };
const KEYWORD: EntityFields = { state: "ENABLED", bid: 1, campaignId: "1" };
/** A keyword that costs 10 a day in a campaign that spends 40 a day. */
const FIGURES = new Map([["9", { cost30d: 300 }], ["1", { cost30d: 1200 }]]);

interface Given {
  readonly figures?: ReadonlyMap<string, { readonly cost30d: number }> | undefined;
  readonly campaign?: EntityFields;
  readonly keyword?: EntityFields;
  readonly today?: string | undefined;
  readonly response?: BidResponse;
}

function moneyOf(
  changes: readonly Partial<Change>[],
  { figures, campaign = CAMPAIGN, keyword = KEYWORD, today, response }: Given,
): MoneyAtRisk {
  const whole = changes.map((change): Change => ({
    kind: "sp.keywords",
    op: "update",
    id: "9",
    before: {},
    after: {},
    label: "x",
    // A campaign is in none, and what is new says so in its fields.
    ...(change.kind?.endsWith(".campaigns") || change.op === "create" ? {} : { campaignId: "1" }),
    ...change,
  }));
  const account = accountState((kind, id) => ({
    ...(kind.endsWith(".campaigns") ? campaign : { campaignId: "1", ...keyword }),
    ...whole.find((change) => change.kind === kind && change.id === id)?.before,
  }));
  return estimateMoney(stepsOf(whole, account), { currency: "CAD", figures, today, response });
}

function estimate(changes: readonly Partial<Change>[], given: Given = {}): unknown[] {
  const { perDay, known, unknown } = moneyOf(changes, { figures: FIGURES, ...given });
  return [Number(perDay.low.toFixed(2)), Number(perDay.high.toFixed(2)), known, unknown];
}

const bid = (from: number, to: number): Partial<Change> => ({ before: { bid: from }, after: { bid: to } });
const budget = (from: number, to: number): Partial<Change> => ({
  kind: "sp.campaigns",
  id: "1",
  before: { budget: { budget: from, budgetType: "DAILY" } },
  after: { budget: { budget: to, budgetType: "DAILY" } },
});

const state = (from: string, to: string): Partial<Change> => ({
  before: { state: from },
  after: { state: to },
});
const daily = (amount: number): EntityFields => ({ budget: { budget: amount, budgetType: "DAILY" } });
const lifetime = { budget: { budget: 70, budgetType: "lifetime" } };

const CASES: readonly (readonly [string, unknown[], unknown[]])[] = [
  ["a budget that is raised is a ceiling", estimate([budget(50, 80)]), [0, 30, 1, 0]],
  [
    "a budget that is lowered below the spend of some days gives up what they spend above it, and what its last click leaves",
    estimate([budget(50, 30)]),
    [-21.5, 0, 1, 0],
  ],
  ["a budget that stays above the spend of all days gives up nothing", estimate([budget(90, 64)]), [
    0,
    0,
    1,
    0,
  ]],
  [
    "a bid that is raised costs at most the square of its ratio, a quarter more, and moves spend in its campaign",
    estimate([bid(1, 1.2)]),
    [0, 6.3, 1, 0],
  ],
  ["the campaign's budget bounds what bids can cost", estimate([bid(1, 3)]), [0, 10, 1, 0]],
  ["so does the budget that the same plan sets", estimate([bid(1, 3), budget(50, 60)]), [0, 20, 2, 0]],
  ["a bid that is lowered saves", estimate([bid(1, 0.5)]), [-10.18, 0, 1, 0]],
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
    estimate([{ op: "create", id: null, after: { bid: 1, campaignId: "1" } }]),
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
  [
    "of a campaign of unknown spend, bids cost up to its budget and nothing moves in it",
    estimate([bid(1, 9)], { figures: new Map([["9", { cost30d: 300 }]]) }),
    [0, 50, 1, 0],
  ],
  ["without any figures a bid is unknown", estimate([bid(1, 2)], { figures: undefined }), [0, 0, 0, 1]],
  [
    "a campaign that spends more than its budget leaves no room",
    estimate([bid(1, 3)], { campaign: daily(30) }),
    [
      ...[0, 0, 1, 0],
    ],
  ],
  [
    "a call is unknown, whatever campaign it is about",
    estimate([{ kind: "call", op: "call", id: null, after: { operation: "x" } }], {
      campaign: { ...CAMPAIGN, state: "PAUSED" },
    }),
    [0, 0, 0, 1],
  ],
  [
    "a new negative stops at most what its campaign spends, as a removed one lets at most its room be spent",
    estimate([{ kind: "sp.negative_keywords", op: "create", id: null, after: { campaignId: "1" } }]),
    [-50, 0, 1, 0],
  ],
  [
    "new negatives stop at most what their terms have cost, and together what their campaign spends",
    estimate(["2026-09-10", "2026-09-01"].map((from) => ({
      ...{ kind: "sp.negative_keywords", op: "create" as const, id: null, after: { campaignId: "1" } },
      evidence: { from, to: "2026-09-10", cost: 20 },
    }))),
    [-27.5, 0, 2, 0],
  ],
  [
    "new negatives of a campaign with unknown spend stop at most its budget",
    estimate([{ kind: "sp.negative_keywords", op: "create", id: null, after: { campaignId: "1" } }], {
      figures: undefined,
    }),
    [-62.5, 0, 1, 0],
  ],
  [
    "what the plan does not say is as the account has it",
    estimate([{ after: { bid: 0.5 } }]),
    [-10.18, 0, 1, 0],
  ],
  [
    "a bid of what is paused moves nothing",
    estimate([bid(1, 9)], { keyword: { ...KEYWORD, state: "PAUSED" } }),
    [0, 0, 1, 0],
  ],
  ["what has no state is live", estimate([bid(1, 0.5)], { keyword: { bid: 1 } }), [-10.18, 0, 1, 0]],
  ["a new name of a portfolio moves nothing", estimate([{ kind: "portfolios", after: { name: "y" } }]), [
    ...[0, 0, 1, 0],
  ]],
  [
    "a new portfolio without a budget moves nothing",
    estimate([{ kind: "portfolios", op: "create", id: null, after: { name: "y" } }]),
    [0, 0, 1, 0],
  ],
  ["a budget of a portfolio is unknown", estimate([{ kind: "portfolios", after: { budget: {} } }]), [
    ...[0, 0, 0, 1],
  ]],
  [
    "what is created paused moves nothing",
    estimate([{ op: "create", id: null, after: { state: "paused", campaignId: "1" } }]),
    [0, 0, 1, 0],
  ],
  ["what is enabled costs up to what the campaign leaves", estimate([state("PAUSED", "ENABLED")]), [
    ...[0, 10, 1, 0],
  ]],
  ["what is paused and stays so moves nothing", estimate([state("PAUSED", "ARCHIVED")]), [0, 0, 1, 0]],
  [
    "a campaign that is enabled costs up to its budget, the new one where it gets one",
    estimate([{
      kind: "sp.campaigns",
      id: "1",
      before: { state: "PAUSED", ...daily(50) },
      after: { state: "ENABLED", ...daily(80) },
    }]),
    [0, 80, 1, 0],
  ],
  [
    "what is enabled in a campaign without a daily budget is unknown",
    estimate([state("PAUSED", "ENABLED"), { op: "create", id: null, after: { campaignId: "1" } }], {
      campaign: { state: "ENABLED", ...lifetime },
    }),
    [0, 0, 0, 2],
  ],
  [
    "a budget that replaces an unknown one, or one for life, is unknown",
    [
      estimate([{ kind: "sp.campaigns", id: "1", after: daily(30) }], { campaign: { state: "ENABLED" } }),
      estimate([{ kind: "sp.campaigns", id: "1", before: daily(50), after: lifetime }]),
      estimate([{ kind: "sb.campaigns", id: "1", after: { budget: 30 } }], {
        campaign: { budget: 50, budgetType: "LIFETIME" },
      }),
    ],
    [[0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 1]],
  ],
  [
    "a Brands budget is beside its type",
    estimate([{ kind: "sb.campaigns", id: "1", after: { budget: 80 } }], {
      campaign: { budget: 50, budgetType: "DAILY" },
    }),
    [0, 30, 1, 0],
  ],
  [
    "a budget that is lowered without figures gives up the difference",
    estimate([budget(50, 30)], { figures: new Map() }),
    [-21.5, 0, 1, 0],
  ],
  [
    "the bid of an ad group counts, its name does not",
    [
      estimate([{ kind: "sp.ad_groups", before: { defaultBid: 2 }, after: { defaultBid: 1, name: "y" } }], {
        keyword: {},
      }),
      estimate([{ kind: "sp.ad_groups", after: { name: "y" } }]),
    ],
    [[-10.18, 0, 1, 0], [0, 0, 1, 0]],
  ],
  ["any other field of what is in a campaign is unknown", estimate([{ after: { bid: 2, expression: [] } }]), [
    ...[0, 0, 0, 1],
  ]],
  [
    "a bid in place of 0 or of none, or none in place of one, is unknown",
    [bid(0, 1), { after: { bid: 1 } }, { before: { bid: 1 }, after: { bid: null } }]
      .map((change) => estimate([change], { keyword: { state: "ENABLED" } })),
    [[0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 1]],
  ],
  [
    "the budget that a plan sets counts, wherever in it that stands",
    estimate([budget(50, 60), { kind: "sp.campaigns", id: "1", after: { name: "y" } }, bid(1, 3)]),
    [0, 20, 3, 0],
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
  const { perDay, known, unknown } = estimateMoney(
    stepsOf([
      create("sp.campaigns", { budget: { budget: 15, budgetType: "DAILY" } }, "c"),
      create("sp.ad_groups", { campaignId, defaultBid: 1 }, "g"),
      create("sp.keywords", { campaignId, adGroupId: { ref: "g" }, bid: 1 }, "k"),
    ], accountState({})),
    { currency: "USD" },
  );
  deepEqual([perDay, known, unknown], [{ low: 0, high: 15 }, 3, 0]);
});

Deno.test("money at risk is weighed by the account, whatever a plan says of itself", () => {
  const account = accountState((kind, id) =>
    kind === "sp.keywords" ? KEYWORD : id === "1" ? CAMPAIGN : { ...CAMPAIGN, state: "PAUSED" }
  );
  const high = (change: Partial<Change>): number =>
    estimateMoney(
      stepsOf([{
        kind: "sp.keywords",
        op: "update",
        id: "9",
        before: { bid: 1 },
        after: { bid: 1.2 },
        label: "x",
        ...change,
      }], account),
      { currency: "CAD", figures: FIGURES },
    ).perDay.high;
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
    const account = accountState((kind) => kind === "sp.ad_groups" ? entity : CAMPAIGN);
    const { perDay, unknown } = estimateMoney(stepsOf([change], account), {
      currency: "CAD",
      figures: FIGURES,
    });
    return [perDay.high > 0, unknown];
  };
  deepEqual(weighed({ defaultBid: 1.2 }), [true, 0]);
  deepEqual(weighed({ defaultBid: 1 }), [false, 0]);
  deepEqual(weighed({ defaultBid: 1.2, bid: 0.1 }), [false, 1]);
});

Deno.test("an estimate says its ground in one line, with the days of its figures", () => {
  const basis = (
    changes: readonly Partial<Change>[],
    { today, daysBack30d }: { today?: string; daysBack30d?: number } = {},
  ): readonly string[] => {
    const back = daysBack30d === undefined ? {} : { daysBack30d };
    const figures = new Map([...FIGURES].map(([id, one]) => [id, { ...one, ...back }]));
    return moneyOf(changes, { figures, today }).basis;
  };
  const bids = "bids between no effect and the squared bid ratio plus a quarter";
  deepEqual(basis([bid(1, 0.9), budget(50, 60), bid(1, 0.8), state("ENABLED", "PAUSED")]), [
    `B${
      bids.slice(1)
    }; budgets by their difference (lowered ones by past spend above the new budget); pauses and archives ` +
    "by past spend, plus or minus a quarter",
  ]);
  deepEqual(basis([state("PAUSED", "ENABLED"), { kind: "sp.negative_keywords", op: "create", id: null }]), [
    "New and enabled entities by their campaign's budget; negatives between no effect and the past cost of their terms, or " +
    "else the spend of their campaign",
  ]);
  deepEqual(basis([{ kind: "sp.campaigns", id: "1", after: { name: "y" } }], { today: "2026-11-24" }), []);
  const today = "2026-11-24";
  deepEqual(basis([bid(1, 0.9)], { today }), [`Based on spend from 2026-10-25 to 2026-11-23: ${bids}`]);
  deepEqual(basis([bid(1, 0.9)], { today, daysBack30d: 1 }), [
    `Based on spend from 2026-10-24 to 2026-11-22 (the next day is not stored): ${bids}`,
  ]);
  deepEqual(basis([bid(1, 0.9)], { today, daysBack30d: 3 }), [
    `Based on spend from 2026-10-22 to 2026-11-20 (the next 3 days are not stored): ${bids}`,
  ]);
  deepEqual(basis([bid(1.96, 9)], { today }), [
    `Based on spend from 2026-10-25 to 2026-11-23: ${bids}; raised bids at most by the unspent part of their campaigns' budgets`,
  ]);
});

Deno.test("a known response of the account to bids takes the place of the formula, and an unknown one is named", () => {
  const weigh = (change: Partial<Change>, spend: BidResponse["spend"]): MoneyAtRisk =>
    moneyOf([change], {
      figures: FIGURES,
      response: { changes: 43, needed: 30, spend, unknown: spend === null ? "7 changes" : null },
    });
  const known = { value: 0.9, low: 0.6, high: 1.2 };
  // 10 a day times (1.2^0.6 - 1) = 1.1559 less a quarter, and times (1.2^1.2 - 1) = 2.4456 and a quarter more; what else is
  // in the campaign, which spends 40 a day, may follow by a fiftieth.
  const raised = weigh(bid(1, 1.2), known);
  deepEqual([raised.perDay.low, raised.perDay.high].map((one) => Number(one.toFixed(3))), [0.867, 3.857]);
  match(
    raised.basis[0] ?? "",
    /^Bids by the account's own response to 43 changes: .* power of 0\.90 \(0\.60 to 1\.20\)/,
  );
  // 0.5^0.6 - 1 = -0.3402 and 0.5^1.2 - 1 = -0.5647.
  const lowered = weigh(bid(1, 0.5), known);
  deepEqual([lowered.perDay.low, lowered.perDay.high].map((one) => Number(one.toFixed(3))), [-7.859, -2.552]);
  const unknown = weigh(bid(1, 1.2), null);
  deepEqual(unknown.perDay, moneyOf([bid(1, 1.2)], { figures: FIGURES }).perDay);
  match(unknown.basis[0] ?? "", /plus a quarter; the account's own response to bids is unknown: 7 changes$/);
  deepEqual(weigh(budget(50, 60), null).basis, moneyOf([budget(50, 60)], { figures: FIGURES }).basis);
});

Deno.test("lower bids never show more spend, and raised ones never less", () => {
  const perDay = (...changes: Partial<Change>[]) => moneyOf(changes, { figures: FIGURES }).perDay;
  equal(perDay(bid(1, 0.9)).high, 0);
  ok(perDay(bid(1, 0.9)).low < 0);
  equal(perDay(bid(1, 1.1)).low, 0);
  ok(perDay(bid(1, 1.1)).high > 0);
});

Deno.test("what wakes is weighed by its campaign's budget: longer campaigns, enabled ad groups, and negatives that go", () => {
  const longer = {
    kind: "sp.campaigns",
    id: "1",
    before: { endDate: "2026-10-01" },
    after: { endDate: "2026-12-31" },
  };
  deepEqual(estimate([longer]), [0, 50, 1, 0]);
  deepEqual(estimate([{ ...longer, after: { endDate: null } }]), [0, 50, 1, 0]);
  const group = { kind: "sp.ad_groups", ...state("PAUSED", "ENABLED") };
  deepEqual(estimate([group]), [0, 10, 1, 0], "up to what the campaign leaves");
  const negative = { kind: "sp.negative_keywords", op: "archive", after: { state: "ARCHIVED" } } as const;
  equal(estimate([negative])[1], 10);
  deepEqual(
    estimate([{ kind: "sp.campaigns", id: "1", ...state("PAUSED", "ENABLED") }], {
      campaign: { ...CAMPAIGN, ...lifetime },
    }),
    [
      ...[0, 0, 0, 1],
    ],
    "a budget for life is none of a day",
  );
});

Deno.test("a change that several markets hold counts once, and as known where it is known in all of them", () => {
  const account = accountState((kind) => kind === "sp.campaigns" ? CAMPAIGN : KEYWORD);
  const market = { country: "CA", currency: "CAD", isForeign: false, isElsewhere: false };
  const counts = (ids: readonly string[]): number[] => {
    const changes = ids.map((id): Change => ({
      ...{ kind: "sp.keywords", op: "update", id, label: id, campaignId: "1" },
      ...{ before: { bid: 1 }, after: { bid: 1.2 } },
    }));
    const steps = stepsOf(changes, account).map((step) => ({ ...step, at: 0, market }));
    const { known, unknown } = estimateMoney(steps, { currency: "CAD", figures: FIGURES });
    return [known, unknown];
  };
  const unknown = "8";
  deepEqual(counts(["9", "9"]), [1, 0]);
  deepEqual(counts(["9", unknown]), [0, 1]);
  deepEqual(counts([unknown, "9"]), [0, 1]);
  deepEqual(counts(["9", unknown, unknown, "9"]), [0, 1]);
});
