import { deepEqual, equal } from "../support/assert.ts";
import type { Change, EntityFields } from "../../src/plans/model/change.ts";
import { askedByPolicy, type Finding } from "../../src/plans/model/finding.ts";
import type { AccountScale } from "../../src/plans/model/prior_state.ts";
import { changeFindings, planFindings } from "../../src/plans/review/default_findings.ts";
import { accountState, stepsOf } from "../support/account_state.ts";

const SCALE: AccountScale = { medians: new Map([["sp.keywords", 1]]), liveCampaigns: 10, dailyBudgets: 100 };

interface Given {
  readonly scale?: AccountScale;
  /** Every entity as the account has it. */
  readonly entity?: EntityFields;
  readonly currency?: string;
}

function findings(
  changes: readonly Partial<Change>[],
  { scale = SCALE, entity, currency = "CAD" }: Given = {},
): Finding[] {
  const whole = changes.map((change, index): Change => ({
    kind: "sp.keywords",
    op: "update",
    id: String(index),
    before: {},
    after: {},
    label: "x",
    ...change,
  }));
  const steps = stepsOf(whole, entity === undefined ? undefined : accountState(() => entity));
  return [...planFindings(steps, { scale, currency }), ...changeFindings(steps, { scale, currency })];
}

function codes(changes: readonly Partial<Change>[], given?: Given): string[] {
  return findings(changes, given).map(({ code, level, change }) => `${code} ${level} ${change ?? "plan"}`);
}

const bid = (before: number, after: number): Partial<Change> => ({
  before: { bid: before },
  after: { bid: after },
});

const PAUSE: Partial<Change> = {
  kind: "sp.campaigns",
  before: { state: "ENABLED" },
  after: { state: "PAUSED" },
};

Deno.test("a bid that is more than tripled asks for a person, one that is tripled does not", () => {
  deepEqual(codes([bid(1, 3), bid(1, 3.01), bid(5, 2)]), ["AMOUNT_TRIPLED approve 1"]);
});

Deno.test("a bid far above the median of its kind asks for a person, whether it is raised or new", () => {
  deepEqual(
    codes([bid(4, 10.5), { op: "create", id: null, after: { bid: 11 } }, {
      op: "create",
      id: null,
      after: { bid: 10 },
    }]),
    ["AMOUNT_FAR_ABOVE_MEDIAN approve 0", "AMOUNT_FAR_ABOVE_MEDIAN approve 1"],
  );
});

Deno.test("stopping more than 30 % of the live campaigns asks for a person, by pausing and by archiving", () => {
  const archive: Partial<Change> = { ...PAUSE, op: "archive", after: { state: "ARCHIVED" } };
  deepEqual(codes([PAUSE, PAUSE, archive]), []);
  deepEqual(codes([PAUSE, PAUSE, archive, PAUSE]), ["MANY_CAMPAIGNS_STOPPED approve plan"]);
});

Deno.test("more than doubling all daily budgets asks for a person, with campaigns that are new or enabled", () => {
  const budget = (from: number, to: number): Partial<Change> => ({
    kind: "sp.campaigns",
    before: { budget: { budget: from, budgetType: "DAILY" } },
    after: { budget: { budget: to, budgetType: "DAILY" } },
  });
  const create: Partial<Change> = {
    kind: "sp.campaigns",
    op: "create",
    id: null,
    after: { budget: { budget: 60 } },
  };
  deepEqual(codes([budget(20, 60), create]), []);
  deepEqual(codes([budget(20, 60), create, budget(10, 12)]), ["BUDGETS_DOUBLED approve plan"]);
});

Deno.test("a plan within proportion has no findings", () => {
  deepEqual(codes([bid(1, 1.1), { after: { state: "PAUSED" }, before: { state: "ENABLED" } }]), []);
});

Deno.test("what is out of proportion is said with the amounts, their ratio and what would be allowed", () => {
  const budgets = { kind: "sp.campaigns", before: { budget: 25.5 }, after: { budget: 126 } };
  const scale = { ...SCALE, medians: new Map([["sp.keywords", 0.5]]) };
  const texts = (changes: readonly Partial<Change>[]): string[] =>
    findings(changes, { scale }).map(({ message, allowed }) => `${message} (${allowed})`);
  deepEqual(texts([bid(0.5, 2), { op: "create", id: null, after: { bid: 12.5 } }]), [
    "sp.keywords 0 x: 2 CAD is 4.0 times the current 0.5 CAD (up to 3 times without a person's approval)",
    "sp.keywords (new) x: 12.5 CAD is 25.0 times the median of its kind, 0.5 CAD " +
    "(up to 10 times without a person's approval)",
  ]);
  deepEqual(texts([PAUSE, PAUSE, PAUSE, PAUSE, budgets]), [
    "This stops 4 of 10 live campaigns (up to 30 % without a person's approval)",
    "The sum of all daily budgets rises from 100.00 to 200.50 CAD (up to 2 times without a person's approval)",
    "sp.campaigns 4 x: 126 CAD is 4.9 times the current 25.5 CAD (up to 3 times without a person's approval)",
  ]);
});

Deno.test("amounts of a plan have the decimals of the currency", () => {
  const budgets = { kind: "sp.campaigns", before: { budget: 3000 }, after: { budget: 24000 } };
  const [whole] = findings([budgets], { scale: { ...SCALE, dailyBudgets: 10000 }, currency: "JPY" });
  equal(whole?.message, "The sum of all daily budgets rises from 10000 to 31000 JPY");
});

Deno.test("a call asks for a person, for what it does is not known", () => {
  deepEqual(codes([{ kind: "call", op: "call", id: null, after: { operation: "x" } }]), [
    "CALL_NOT_JUDGED approve 0",
  ]);
});

Deno.test("an amount that the plan does not name is that of the account", () => {
  deepEqual(codes([{ after: { bid: 4 } }], { entity: { bid: 1 } }), ["AMOUNT_TRIPLED approve 0"]);
  deepEqual(codes([{ after: { state: "PAUSED" } }], { entity: { bid: 99 } }), []);
});

Deno.test("what a plan makes up about now counts for nothing where the account was read, nor for what is new", () => {
  deepEqual(codes([bid(8, 9)], { entity: { bid: 1 } }), ["AMOUNT_TRIPLED approve 0"]);
  deepEqual(codes([bid(11, 11)], { entity: { bid: 4 } }), ["AMOUNT_FAR_ABOVE_MEDIAN approve 0"]);
  deepEqual(codes([{ ...bid(11, 11), op: "create", id: null }, { ...bid(1, 9), op: "create", id: null }]), [
    "AMOUNT_FAR_ABOVE_MEDIAN approve 0",
  ]);
  const pause = { ...PAUSE, before: { state: "PAUSED" } };
  deepEqual(codes([pause, pause, pause, pause], { entity: { state: "ENABLED" } }), [
    "MANY_CAMPAIGNS_STOPPED approve plan",
  ]);
});

Deno.test("each kind is judged by the amount that it has, whatever else it is given", () => {
  const scale: AccountScale = {
    medians: new Map([["sp.ad_groups", 1], ["sp.campaigns", 1]]),
    liveCampaigns: 1,
    dailyBudgets: 100,
  };
  const group = { kind: "sp.ad_groups", before: {}, after: { defaultBid: 11, bid: 0.1 } };
  const campaign = { kind: "sp.campaigns", before: {}, after: { budget: { budget: 11 }, bid: 0.1 } };
  deepEqual(codes([group, campaign], { scale }), [
    ...["AMOUNT_FAR_ABOVE_MEDIAN approve 0", "AMOUNT_FAR_ABOVE_MEDIAN approve 1"],
  ]);
  deepEqual(codes([{ after: { bid: 0.1, defaultBid: 99, budget: 99 } }]), []);
});

Deno.test("a bid in place of 0 is judged by the median alone", () => {
  deepEqual(codes([bid(0, 5), bid(0, 10.5)]), ["AMOUNT_FAR_ABOVE_MEDIAN approve 1"]);
});

Deno.test("only a live campaign can be stopped, and only by becoming another", () => {
  const paused = { state: "PAUSED" };
  const each = (change: Partial<Change>): string[] => codes(Array(9).fill(change));
  deepEqual(each({ ...PAUSE, kind: "sp.keywords" }), []);
  deepEqual(each({ ...PAUSE, before: paused, after: { name: "y" } }), []);
  deepEqual(each({ ...PAUSE, op: "archive", before: paused, after: { state: "ARCHIVED" } }), []);
  deepEqual(each({ ...PAUSE, op: "create", id: null, before: {} }), []);
  deepEqual(each({ ...PAUSE, after: { name: "y" } }), []);
});

Deno.test("an account whose campaigns could not be read is not compared, one with a single campaign is", () => {
  const create: Partial<Change> = { kind: "sp.campaigns", op: "create", id: null, after: { budget: 3 } };
  const scale = (count: number): AccountScale => ({
    medians: new Map(),
    liveCampaigns: count,
    dailyBudgets: count,
  });
  deepEqual(codes([PAUSE, create], { scale: scale(0) }), []);
  deepEqual(codes([PAUSE, create], { scale: scale(1) }), [
    ...["MANY_CAMPAIGNS_STOPPED approve plan", "BUDGETS_DOUBLED approve plan"],
  ]);
});

Deno.test("campaigns without a budget, and those that are not live, add nothing to the budgets", () => {
  const raised = (to: number): Partial<Change> => ({
    kind: "sp.campaigns",
    before: { budget: 50 },
    after: { budget: to },
  });
  const unbudgeted = { kind: "sp.campaigns", after: { name: "y" } };
  const others: Partial<Change>[] = [
    unbudgeted,
    { ...unbudgeted, op: "create", id: null },
    { ...unbudgeted, before: { state: "PAUSED", budget: 7 } },
    { ...unbudgeted, before: { state: "PAUSED" }, after: { state: "ENABLED" } },
    { ...unbudgeted, before: { state: "ENABLED" }, after: { state: "PAUSED" } },
  ];
  for (const other of others) {
    deepEqual(codes([raised(150), other]), []);
    deepEqual(codes([raised(150), { ...raised(0), after: { budget: 50.5 } }, other]), [
      "BUDGETS_DOUBLED approve plan",
    ]);
  }
});

Deno.test("a person is asked for by a policy only where one of its own findings asks", () => {
  const finding = (code: string, level: Finding["level"]): Finding => ({ code, level, message: "m" });
  equal(askedByPolicy([finding("NOTED", "note"), finding("POLICY_LIMIT", "approve")]).length, 1);
  for (const other of [finding("POLICY_LIMIT", "advise"), finding("AMOUNT_TRIPLED", "approve")]) {
    equal(askedByPolicy([other]).length, 0);
  }
});

Deno.test("a keyword without a bid is judged by the default bid of its ad group, as it is after the plan", () => {
  const group = { defaultBid: 12, state: "ENABLED", campaignId: "1" };
  const account = (defaultBid: number) =>
    accountState((kind) =>
      kind === "sp.ad_groups"
        ? { ...group, defaultBid }
        : kind === "sp.campaigns"
        ? { state: "ENABLED" }
        : { bid: 1, state: "ENABLED", campaignId: "1", adGroupId: "5" }
    );
  const judged = (change: Partial<Change>, defaultBid: number): string[] => {
    const whole = {
      kind: "sp.keywords",
      op: "update",
      id: "9",
      before: {},
      after: {},
      label: "x",
      ...change,
    } as Change;
    return changeFindings(stepsOf([whole], account(defaultBid)), { scale: SCALE, currency: "CAD" })
      .map(({ code }) => code);
  };
  const create = {
    op: "create",
    id: null,
    after: { adGroupId: "5", campaignId: "1", keywordText: "a" },
  } as const;
  deepEqual(judged(create, 12), ["AMOUNT_FAR_ABOVE_MEDIAN"]);
  deepEqual(judged(create, 10), []);
  deepEqual(judged({ after: { bid: null } }, 3.1), ["AMOUNT_TRIPLED"], "an own bid that is taken away");
  deepEqual(judged({ after: { bid: null } }, 2.9), []);
});

Deno.test("a keyword that is archived and created anew at more than three times the bid asks for a person", () => {
  const keyword = {
    adGroupId: "5",
    campaignId: "1",
    keywordText: "shoes",
    matchType: "EXACT",
    state: "ENABLED",
  };
  const recreated = (bid: number): string[] => {
    const changes = [
      { op: "archive", id: "9", after: { state: "ARCHIVED" } },
      { op: "create", id: null, after: { ...keyword, bid } },
    ].map((change) => ({ kind: "sp.keywords", before: {}, label: "x", ...change }) as Change);
    const account = accountState((kind) =>
      kind === "sp.keywords" ? { ...keyword, bid: 1 } : { state: "ENABLED", campaignId: "1" }
    );
    return changeFindings(stepsOf(changes, account), { scale: SCALE, currency: "CAD" })
      .map(({ code, change }) => `${code} ${change}`);
  };
  deepEqual(recreated(3.01), ["AMOUNT_TRIPLED 1"]);
  deepEqual(recreated(3), []);
});

Deno.test("placements from 10 to 900 % and a strategy that doubles them ask for a person", () => {
  const bidding = (strategy: string, percentage: number) => ({
    dynamicBidding: { strategy, placementBidding: [{ placement: "PLACEMENT_TOP", percentage }] },
  });
  const judged = (before: EntityFields, after: EntityFields): string[] =>
    codes([{ kind: "sp.campaigns", id: "1", before, after }]);
  deepEqual(judged(bidding("LEGACY_FOR_SALES", 10), bidding("LEGACY_FOR_SALES", 900)), [
    "PLACEMENTS_TRIPLED approve 0",
  ]);
  deepEqual(judged(bidding("LEGACY_FOR_SALES", 0), bidding("AUTO_FOR_SALES", 60)), [
    "PLACEMENTS_TRIPLED approve 0",
  ]);
  deepEqual(judged(bidding("LEGACY_FOR_SALES", 0), bidding("AUTO_FOR_SALES", 40)), []);
});

Deno.test("a portfolio cap that stays asks for nobody, unless its period changes", () => {
  const budget = { amount: 450, policy: "MONTHLY_RECURRING" };
  const judged = (after: EntityFields): string[] =>
    codes([{ kind: "portfolios", after: { budget: after } }], { entity: { budget } });
  deepEqual(judged(budget), []);
  deepEqual(judged({ ...budget, amount: 451 }), ["CAP_RAISED approve 0"]);
  deepEqual(judged({ ...budget, policy: "DATE_RANGE" }), ["CAP_RAISED approve 0"]);
});
