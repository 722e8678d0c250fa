import { deepEqual, equal, ok } from "../support/assert.ts";
import type { Change } from "../../src/plans/model/change.ts";
import { NO_TOTALS } from "../../src/plans/state/day_totals.ts";
import { Unread } from "../../src/plans/model/prior_state.ts";
import {
  firstValues,
  type JudgedChange,
  judgedChange,
  mayRaiseSpend,
  nameOf,
  relativeMove,
} from "../../src/plans/policy/judged_change.ts";
import { accountState, stepsOf } from "../support/account_state.ts";

function judged(change: Partial<Change>): JudgedChange {
  const whole: Change = {
    kind: "sp.keywords",
    op: "update",
    id: "9",
    before: {},
    after: {},
    label: "x",
    ...change,
  };
  return judgedChange(stepsOf([whole])[0]!);
}

const QUIET_DAY = { today: NO_TOTALS };
const DAY_BEGAN_AT = (value: number) => ({ today: { ...NO_TOTALS, firstValue: () => value } });

Deno.test("an operation is judged by what it does", () => {
  equal(judged({ op: "update", id: null }).op, "create");
  equal(judged({ op: "update", after: { state: "archived" } }).op, "archive");
  equal(judged({ op: "update", after: { state: "PAUSED" } }).op, "update");
  equal(judged({ op: "update", after: { state: 7 } }).op, "update");
  equal(judged({ op: "create", id: null, after: { state: "ENABLED" } }).op, "create");
  equal(judged({ op: "archive" }).op, "archive");
});

Deno.test("a move is a share of what the amount was, or of what the day began with", () => {
  const raised = judged({ before: { bid: 2 }, after: { bid: 3 } });
  equal(relativeMove(raised, QUIET_DAY), 0.5);
  equal(relativeMove(raised, DAY_BEGAN_AT(1)), 2);
  equal(relativeMove(judged({ before: { bid: 2 }, after: { bid: 1 } }), QUIET_DAY), -0.5);
  equal(relativeMove(judged({ before: { bid: 0 }, after: { bid: 1 } }), QUIET_DAY), Infinity);
  equal(relativeMove(judged({ before: { bid: 1 }, after: { bid: 0 } }), DAY_BEGAN_AT(0)), 0);
});

Deno.test("no amount moves where one is missing or stays", () => {
  equal(relativeMove(judged({ before: { bid: 2 }, after: { bid: 2 } }), QUIET_DAY), undefined);
  ok(
    relativeMove(judged({ before: {}, after: { bid: 2 } }), QUIET_DAY) instanceof Unread,
    "it inherits an unread bid",
  );
  equal(relativeMove(judged({ before: { bid: 2 }, after: { state: "PAUSED" } }), QUIET_DAY), undefined);
  equal(relativeMove(judged({ op: "create", id: null, after: { bid: 2 } }), QUIET_DAY), undefined);
});

Deno.test("a made-up field does not hide the move of the amount that a kind has", () => {
  const campaign = judged({
    kind: "sb.campaigns",
    before: { bid: 100, budget: 10 },
    after: { bid: 1, budget: 15 },
  });
  equal(relativeMove(campaign, QUIET_DAY), 0.5);
  const keyword = judged({ before: { bid: 1, budget: 100 }, after: { bid: 1.5, budget: 1 } });
  equal(relativeMove(keyword, QUIET_DAY), 0.5);
});

Deno.test("an adjustment that goes is compared with none, as one that is put to 0 is", () => {
  const adjusted = (campaign: JudgedChange["change"]["before"]): JudgedChange =>
    judged({
      kind: "sb.campaigns",
      before: { bidding: { bidAdjustmentsByPlacement: [campaign] } },
      after: { bidding: { bidAdjustmentsByPlacement: null } },
    });
  const [lower, higher] = [-50, 100].map((percentage) => adjusted({ placement: "HOME", percentage }));
  equal(relativeMove(lower!, QUIET_DAY), 1);
  equal(relativeMove(higher!, QUIET_DAY), -0.5);
  const field = "factor.bidding.bidAdjustmentsByPlacement HOME" as const;
  deepEqual(firstValues([lower!], NO_TOTALS), [{ kind: "sb.campaigns", id: "9", field, value: 0.5 }]);
});

Deno.test("a bid rises with an adjustment of its campaign that goes beside it", () => {
  const account = accountState({
    "sb.keywords 9": { keywordId: "9", campaignId: "1", bid: 1 },
    "sb.campaigns 1": {
      campaignId: "1",
      bidding: { bidAdjustmentsByPlacement: [{ placement: "HOME", percentage: -50 }] },
    },
  });
  const update = (kind: string, id: string, after: Change["after"]): Change => ({
    ...{ kind, op: "update", id, before: {}, after, label: "x" },
  });
  const [bid] = stepsOf([
    update("sb.keywords", "9", { bid: 2 }),
    update("sb.campaigns", "1", { bidding: { bidAdjustmentsByPlacement: null } }),
  ], account);
  equal(relativeMove(judgedChange(bid!), QUIET_DAY), 3);
});

const BUDGETS = (from: unknown, to: unknown): Partial<Change> => ({
  kind: "sp.campaigns",
  before: { budget: from },
  after: { budget: to },
});

/** Changes that can only lower what is spent, and changes that may raise it. */
const MAY_RAISE: readonly (readonly [what: string, change: Partial<Change>, mayRaise: boolean])[] = [
  ["an archive", { op: "archive" }, false],
  ["an update that archives", { after: { state: "ARCHIVED" } }, false],
  ["a pause", { before: { state: "ENABLED" }, after: { state: "PAUSED", bid: 9 } }, false],
  ["enabling", { before: { state: "PAUSED" }, after: { state: "ENABLED" } }, true],
  ["a lower bid", { before: { bid: 2 }, after: { bid: 1 } }, false],
  ["the same bid", { before: { bid: 2 }, after: { bid: 2 } }, false],
  ["a higher bid", { before: { bid: 2 }, after: { bid: 2.01 } }, true],
  ["a bid that was unknown", { before: {}, after: { bid: 1 } }, true],
  ["a lower budget", BUDGETS({ budget: 9, budgetType: "DAILY" }, { budget: 8, budgetType: "DAILY" }), false],
  ["a lower Brands budget", { ...BUDGETS(9, 8), kind: "sb.campaigns" }, false],
  ["a higher budget", BUDGETS(9, 10), true],
  [
    "a budget of another type",
    BUDGETS({ budget: 9, budgetType: "DAILY" }, { budget: 8, budgetType: "LIFETIME" }),
    true,
  ],
  ["a lower bid and a name", { before: { bid: 2 }, after: { bid: 1, name: "x" } }, true],
  ["a higher adjustment of a campaign whose budget stays", {
    kind: "sp.campaigns",
    before: { budget: { budget: 9, budgetType: "DAILY" } },
    after: { dynamicBidding: { placementBidding: [{ placement: "PLACEMENT_TOP", percentage: 900 }] } },
  }, true],
  ["a new keyword", { op: "create", id: null, after: { bid: 1 } }, true],
  ["a new keyword that is paused", { op: "create", id: null, after: { bid: 1, state: "PAUSED" } }, false],
  ["archiving a negative", { kind: "sp.negative_keywords", op: "archive" }, true],
  ["pausing a negative", { kind: "sp.negative_keywords", after: { state: "PAUSED" } }, true],
  ["a new negative", { kind: "sp.negative_keywords", op: "create", id: null, after: {} }, false],
  [
    "a new negative that is paused",
    { kind: "sp.negative_keywords", op: "create", id: null, after: { state: "PAUSED" } },
    true,
  ],
  ["a call", { kind: "call", op: "call", id: null, after: { operation: "x" } }, true],
  ["a change of nothing", { before: { bid: 2 } }, false],
];

for (const [what, change, mayRaise] of MAY_RAISE) {
  Deno.test(`${what} ${mayRaise ? "may raise" : "cannot raise"} what is spent`, () => {
    equal(mayRaiseSpend(judged(change)), mayRaise);
  });
}

Deno.test("labels of a policy are those of the entity and of what it is in", () => {
  const labels = new Map([["9", ["core"]], ["7", ["group"]], ["5", ["core", "big"]]]);
  const after = { bid: 1, campaignId: 5, adGroupId: "7", portfolioId: "3" };
  const change: Change = { kind: "sp.keywords", op: "update", id: "9", before: {}, after, label: "x" };
  const found = judgedChange(stepsOf([change])[0]!, labels);
  deepEqual([...found.after.labels].sort(), ["big", "core", "group"]);
});

Deno.test("an entity is in the campaign of its ad group where the plan creates the ad group", () => {
  const account = accountState((kind, id) =>
    kind === "sb.campaigns" ? { name: `campaign ${id}` } : undefined
  );
  const create = (after: Change["after"], ref?: string): Change => ({
    kind: ref === undefined ? "sb.keywords" : "sb.ad_groups",
    op: "create",
    id: null,
    before: {},
    after,
    label: "x",
    ...(ref === undefined ? {} : { ref }),
  });
  const campaignOf = (campaignId: unknown): unknown[] => {
    const group = create(campaignId === undefined ? {} : { campaignId }, "g");
    const keyword = create({ adGroupId: { ref: "g" } });
    const found = judgedChange(stepsOf([group, keyword], account)[1]!);
    return [found?.campaign?.kind, found?.campaign?.name, found?.campaignUnknown, found?.campaignIsNew];
  };
  deepEqual(campaignOf("5"), ["sb.campaigns", "campaign 5", false, false]);
  deepEqual(campaignOf(5), ["sb.campaigns", "campaign 5", false, false]);
  deepEqual(campaignOf(undefined), [undefined, undefined, true, false]);
});

Deno.test("the campaign of a campaign is itself: as it is, or as it is created", () => {
  const renamed = judged({ kind: "sp.campaigns", before: { name: "old" }, after: { name: "new" } });
  equal(renamed.campaign?.name, "old");
  const created = judged({ kind: "sp.campaigns", op: "create", id: null, after: { name: "new" } });
  equal(created.campaign?.name, "new");
  deepEqual([created.campaignUnknown, created.campaignIsNew], [false, false]);
});

Deno.test("a change is named by kind, id and label, in one line", () => {
  equal(nameOf(judged({ label: " red\n shoes " })), "sp.keywords 9 red shoes");
  equal(nameOf(judged({ op: "create", id: null, label: "" })), "sp.keywords (new)");
});

Deno.test("the first values of a day are of the amounts that move and have no entry yet", () => {
  const moved = judged({ before: { bid: 2, budget: 10 }, after: { bid: 3 } });
  deepEqual(firstValues([moved], NO_TOTALS), [{ kind: "sp.keywords", id: "9", field: "bid", value: 2 }]);
  deepEqual(firstValues([moved], DAY_BEGAN_AT(1).today), []);
  deepEqual(firstValues([judged({ before: { bid: 2 }, after: { bid: 2 } })], NO_TOTALS), []);
  deepEqual(firstValues([judged({ op: "create", id: null, after: { bid: 2 } })], NO_TOTALS), []);
  deepEqual(firstValues([judged({ before: {}, after: { bid: 2 } })], NO_TOTALS), []);
  const cleared = judged({ before: { bid: 2 }, after: { bid: null } });
  deepEqual(firstValues([cleared], NO_TOTALS), [{ kind: "sp.keywords", id: "9", field: "bid", value: 2 }]);
});
