import { deepEqual, equal, match } from "../support/assert.ts";
import { ChangePlan } from "../../src/plans/change_plan/change_plan.ts";
import type { Change, EntityFields } from "../../src/plans/model/change.ts";
import { type DayTotals, NO_TOTALS } from "../../src/plans/state/day_totals.ts";
import { judgeByRules } from "../../src/plans/policy/judge_by_rules.ts";
import { judgedChange } from "../../src/plans/policy/judged_change.ts";
import { parsePolicy } from "../../src/plans/policy/parse_policy.ts";
import type { PolicyContext } from "../../src/plans/policy/policy.ts";
import { accountState, stepsOf } from "../support/account_state.ts";

/** 2026-11-18, a Wednesday, 10:00 in Los Angeles. */
const NOW = Date.UTC(2026, 10, 18, 18);

function bid(from: number, to: unknown, more: Partial<Change> = {}): Change {
  const amounts = { before: { bid: from }, after: { bid: to } };
  return { kind: "sp.keywords", op: "update", id: "9", ...amounts, label: "shoes", campaignId: "1", ...more };
}

function budget(from: EntityFields, to: EntityFields): Change {
  const amounts = { before: { budget: from }, after: { budget: to } };
  return { kind: "sp.campaigns", op: "update", id: "1", ...amounts, label: "A" };
}

function adjusted(percentage: unknown): Change {
  const after = { dynamicBidding: { placementBidding: [{ placement: "PLACEMENT_TOP", percentage }] } };
  return { ...budget({}, {}), before: {}, after };
}

function call(operation: string): Change {
  return bid(1, 1, {
    kind: "call",
    op: "call",
    id: null,
    before: {},
    after: { operation },
    label: operation,
  });
}

function planOf(changes: readonly Change[]): ChangePlan {
  return new ChangePlan({ profileId: "1", countryCode: "US", changes });
}

type Expected = readonly [code: string, message: string, allowed?: string | undefined, hint?: string];

const CASES:
  readonly (readonly [policy: string, change: Change, expected: Expected | undefined, PolicyContext?])[] = [
    ["max_bid: 2", bid(1, 2), undefined],
    ["max_bid: 2", bid(1, 2.01), ["MAX_BID", "bid 2.01 USD is above 2 USD", "up to 2 USD"]],
    ["max_bid: { DE: 2 }", bid(1, 2), [
      "MAX_BID",
      "no limit is set for market US",
      undefined,
      "Add US or default",
    ]],
    ["max_bid: 2", bid(1, "lots"), [
      "MAX_BID",
      "the bid is not a number",
      undefined,
      "Give a plain decimal number",
    ]],
    ["max_bid: 2", bid(3, 3), undefined],
    ["max_budget: 10", budget({ budget: 5 }, { budget: 11 }), [
      "MAX_BUDGET",
      "budget 11 USD is above 10 USD",
      "up to 10 USD",
    ]],
    ["max_increase: 30%", bid(1, 1.5), [
      "MAX_INCREASE",
      "an increase of 50.0 % since the start of the day is above 30.0 %",
      "up to 30.0 %",
    ]],
    ["max_increase: 30%", bid(0, 1), [
      "MAX_INCREASE",
      "an increase without end since the start of the day is above 30.0 %",
      "up to 30.0 %",
    ]],
    ["max_decrease: 30%", bid(2, 1), [
      "MAX_DECREASE",
      "a decrease of 50.0 % since the start of the day is above 30.0 %",
      "up to 30.0 %",
    ]],
    ["max_decrease: 30%", bid(1, 9), undefined],
    ["max_increase: 30%", bid(9, 1), undefined],
    ["max_placement_adjustment: 50%", adjusted(50), undefined],
    ["max_placement_adjustment: 50%", adjusted(75), [
      "MAX_PLACEMENT_ADJUSTMENT",
      "a bid adjustment of 75 % is above 50 %",
      "up to 50 %",
    ]],
    ["max_placement_adjustment: 50%", adjusted("much"), [
      "MAX_PLACEMENT_ADJUSTMENT",
      "a percentage is not a number",
    ]],
    ["allow_kinds: [sp.campaigns, sb.ads]", bid(1, 2), [
      "ALLOW_KINDS",
      "keywords is not a kind that may be changed",
      "campaigns, brands-ads",
    ]],
    ["protect: { kinds: [sp.keywords] }", bid(1, 2), ["PROTECT", "keywords is protected"]],
    ["protect: { ids: [1] }", bid(1, 2), ["PROTECT", "1 is protected"]],
    ["protect: { names: ['B*'] }", bid(1, 2), [
      "PROTECT",
      "the campaign could not be read, so it is unknown whether it is protected",
    ]],
    ["labels: { core: [5] }\nprotect: { labels: [core] }", bid(1, 2), [
      "PROTECT",
      "the campaign could not be read, so it is unknown whether it is protected",
    ]],
    ["protect: { ids: [7] }", bid(1, 2), undefined],
  ];

for (const [policy, change, expected, context] of CASES) {
  Deno.test(`${policy} says of ${JSON.stringify(change.after)}: ${expected?.[1] ?? "nothing"}`, () => {
    const found = parsePolicy(`version: 1\n${policy}`).check(planOf([change]), { now: NOW, ...context });
    const subject = change.kind === "sp.keywords" ? "sp.keywords 9 shoes" : "sp.campaigns 1 A";
    const wanted = expected === undefined ? [] : [{
      code: `POLICY_${expected[0]}`,
      message: `${subject}: ${expected[1]}`,
      allowed: expected[2],
      hint: expected[3],
      level: "deny",
      change: 0,
    }];
    deepEqual(
      found.map(({ code, message, allowed, hint, level, change }) => ({
        code,
        message,
        allowed,
        hint,
        level,
        change,
      })),
      wanted,
    );
  });
}

const OF_PLANS: readonly (readonly [policy: string, message: string, allowed?: string])[] = [
  ["max_changes: 1", "2 changes today including this plan; at most 1 are allowed"],
  ["max_archives: 0", "1 archives today including this plan; at most 0 are allowed"],
  [
    "max_spend_increase_per_day: 4",
    "up to 5.00 USD more a day, including plans applied today; at most 4 USD are allowed",
    "up to 4 USD",
  ],
  ["max_spend_increase_per_day: { DE: 4 }", "no limit is set for market US"],
  ["hours: { from: '11:00', to: '18:00' }", "it is Wed 10:00 in America/Los_Angeles", "11:00 to 18:00"],
  [
    "hours: { from: '09:00', to: '18:00', days: [Mon, Tue] }",
    "it is Wed 10:00 in America/Los_Angeles",
    "09:00 to 18:00 on Mon, Tue",
  ],
  ["hours: { from: '08:00', to: '10:00' }", "it is Wed 10:00 in America/Los_Angeles", "08:00 to 10:00"],
  [
    "freeze: [{ from: 2026-11-18, to: 2026-11-18, reason: peak }]",
    "changes are frozen from 2026-11-18 to 2026-11-18: peak",
  ],
  ["freeze: [{ from: 2026-11-01, to: 2026-11-18 }]", "changes are frozen from 2026-11-01 to 2026-11-18"],
];

const RAISED_AND_ARCHIVED = [
  budget({ budget: 10 }, { budget: 15 }),
  bid(1, 1, { after: { state: "ARCHIVED" } }),
];

for (const [policy, message, allowed] of OF_PLANS) {
  Deno.test(`${policy} says of a plan: ${message}`, () => {
    const found = parsePolicy(`version: 1\n${policy}`).check(planOf(RAISED_AND_ARCHIVED), { now: NOW });
    deepEqual(found.map((finding) => [finding.message, finding.allowed, finding.change]), [
      [message, allowed, undefined],
    ]);
  });
}

const NO_FINDINGS: readonly string[] = [
  "max_changes: 2",
  "max_archives: 1",
  "max_spend_increase_per_day: 5",
  "hours: { from: '10:00', to: '10:01' }",
  "hours: { from: '10:00', to: '24:00' }",
  "freeze: [{ from: 2026-11-19, to: 2026-11-20 }, { from: 2026-11-16, to: 2026-11-17 }]",
];

for (const policy of NO_FINDINGS) {
  Deno.test(`${policy} has nothing to say of a plan at its limit`, () => {
    deepEqual(parsePolicy(`version: 1\n${policy}`).check(planOf(RAISED_AND_ARCHIVED), { now: NOW }), []);
  });
}

const LOWERING: readonly (readonly [what: string, change: Change])[] = [
  ["a lower bid", bid(2, 1)],
  [
    "a lower bid beside the state that it has",
    bid(2, 1, { before: { bid: 2, state: "ENABLED" }, after: { bid: 1, state: "ENABLED" } }),
  ],
  [
    "a lower default bid",
    bid(2, 1, { kind: "sp.ad_groups", before: { defaultBid: 2 }, after: { defaultBid: 1 } }),
  ],
  ["a bid that stays", bid(2, 2)],
  ["a pause", bid(1, 1, { before: { state: "ENABLED" }, after: { state: "PAUSED" } })],
  ["an archive", bid(1, 1, { op: "archive", after: {} })],
  ["a lower budget", budget({ budget: 9, budgetType: "DAILY" }, { budget: 8, budgetType: "DAILY" })],
];
const RAISING: readonly (readonly [what: string, change: Change])[] = [
  ["a higher bid", bid(1, 2)],
  ["a bid that is taken away", bid(2, null)],
  ["a lower bid of what is enabled", bid(2, 1, { before: { bid: 2 }, after: { bid: 1, state: "ENABLED" } })],
  [
    "a lower bid behind a higher default bid",
    bid(2, 1, { kind: "sp.ad_groups", before: { defaultBid: 2 }, after: { defaultBid: 3, bid: 1 } }),
  ],
  ["a higher budget", budget({ budget: 8, budgetType: "DAILY" }, { budget: 9.5, budgetType: "DAILY" })],
  ["a bid in place of an unknown one", bid(1, 1, { before: {} })],
  ["an enabled keyword", bid(1, 1, { before: { state: "PAUSED" }, after: { state: "ENABLED" } })],
  ["a field that may do anything", bid(2, 1, { after: { bid: 1, smartBidding: true } })],
  [
    "a daily budget in place of one for life",
    budget({ budget: 9, budgetType: "LIFETIME" }, {
      budget: 8,
      budgetType: "DAILY",
    }),
  ],
  ["a new keyword", bid(1, 1, { op: "create", id: null, before: {}, after: { bid: 1 } })],
];

for (const [cases, isDenied] of [[LOWERING, false], [RAISING, true]] as const) {
  for (const [what, change] of cases) {
    Deno.test(`without figures ${what} is ${isDenied ? "denied" : "allowed"} by a limit of more spend`, () => {
      const found = parsePolicy("version: 1\nmax_spend_increase_per_day: 1").check(planOf([change]), {
        now: NOW,
      });
      deepEqual(found.map(({ rule }) => rule), isDenied ? ["max_spend_increase_per_day"] : []);
    });
  }
}

Deno.test("a plan of three amounts is not judged by the moves of a create", () => {
  const create = bid(0, 5, { op: "create", id: null, before: {} });
  deepEqual(parsePolicy("version: 1\nmax_increase: 10%").check(planOf([create]), { now: NOW }), []);
});

Deno.test("a call passes only where its operation is listed, and rules judge it only where they are meant for calls", () => {
  const rule = (more: string): string =>
    `rules:\n  - { name: r, ${more}when: "true", level: advise, message: m }`;
  const judge = (policy: string): string[] =>
    parsePolicy(`version: 1\n${policy}`).check(planOf([call("reporting:createReport")]), { now: NOW })
      .map(({ code, message }) => `${code} ${message}`);
  deepEqual(judge("max_bid: 2"), [
    "POLICY_NOT_JUDGED the effect of reporting:createReport cannot be checked",
  ]);
  deepEqual(judge("allow_operations: ['reporting:*']"), []);
  const listed = "allow_operations: ['reporting:*']\n";
  deepEqual(judge(listed + rule("")), []);
  deepEqual(judge(listed + rule("ops: [update], ")), []);
  const found = ["POLICY_RULE call (new) reporting:createReport: m"];
  deepEqual(judge(listed + rule("ops: [call], ")), found);
  deepEqual(judge(listed + rule("kinds: [call], ")), found);
});

Deno.test("a rule judges its kinds and operations only", () => {
  const judge = (more: string): number =>
    parsePolicy(`version: 1\nrules:\n  - { name: r, ${more}, when: "true", level: advise, message: m }`)
      .check(planOf([bid(1, 2)]), { now: NOW }).length;
  equal(judge("kinds: [sp.keywords]"), 1);
  equal(judge("kinds: [sp.targets]"), 0);
  equal(judge("ops: [update]"), 1);
  equal(judge("ops: [create, archive]"), 0);
});

Deno.test("rules that take more than a second for a change deny it, and the slowest is named", () => {
  const now = performance.now;
  let clock = 0;
  const rule = (name: string, milliseconds: number) => ({
    name,
    when: "false",
    level: "advise" as const,
    message: "m",
    judge: () => {
      clock += milliseconds;
      return "passes" as const;
    },
  });
  const change = judgedChange(stepsOf([bid(1, 2)])[0]!);
  const parts = {
    change: {},
    before: {},
    after: {},
    entity: {},
    market: {},
    figures: {},
    plan: {},
    today: {},
  };
  try {
    performance.now = () => clock;
    const judge = (...rules: ReturnType<typeof rule>[]) =>
      judgeByRules(rules, { facts: parts, judged: change! });
    deepEqual(judge(rule("a", 600), rule("b", 400)), []);
    const [finding] = judge(rule("a", 200), rule("b", 700), rule("c", 101));
    equal(finding?.level, "deny");
    equal(finding?.rule, "b");
    match(finding?.message ?? "", /more than 1000 ms for this change, mostly in rule "b"/);
  } finally {
    performance.now = now;
  }
});

Deno.test("a rule that cannot judge says what to do: get the figures, or correct the rule", () => {
  const hint = (when: string): string | undefined =>
    parsePolicy(`version: 1\nrules: [{ name: r, when: '${when}', level: advise, message: m }]`)
      .check(planOf([bid(1, 2)]), { now: NOW })[0]?.hint;
  match(hint("figures.acos30d > 0.4") ?? "", /^Sync a report store and name it/);
  match(hint("1 / 0 == 1") ?? "", /^Changes that cannot be checked are not sent\. Correct the rule/);
});

Deno.test("a rule knows whether a plan restores", () => {
  const policy = parsePolicy(
    `version: 1\nrules:\n  - { name: r, when: "plan.source == 'rollback'", level: advise, message: m }`,
  );
  equal(policy.check(planOf([bid(1, 2)]), { now: NOW }).length, 0);
  const undo = new ChangePlan({
    profileId: "1",
    countryCode: "US",
    changes: [bid(1, 2)],
    reverses: "20261118-100000-abc",
  });
  equal(policy.check(undo, { now: NOW }).length, 0, "it only claims to");
  const sent = [{ kind: "sp.keywords", id: "9", was: { bid: 2 }, wrote: { bid: 1 } }];
  equal(policy.check(undo, { now: NOW, sent }).length, 1);
});

Deno.test("an undo is held to a limit of rises beside placements that rose today, and to none of falls", () => {
  const placementBidding = [{ placement: "PLACEMENT_TOP", percentage: 20 }];
  const campaign = { campaignId: "1", dynamicBidding: { strategy: "LEGACY_FOR_SALES", placementBidding } };
  const undone = (policy: string, wrote: number, was: number): string[] => {
    const account = accountState((kind) =>
      kind === "sp.campaigns" ? campaign : { bid: wrote, campaignId: "1" }
    );
    const sent = [{ kind: "sp.keywords", id: "9", was: { bid: was }, wrote: { bid: wrote } }];
    const today = { ...NO_TOTALS, firstValue: (kind: string) => kind === "sp.campaigns" ? 1 : undefined };
    return parsePolicy(`version: 1\n${policy}`).check(planOf([bid(wrote, was)]), {
      now: NOW,
      account,
      sent,
      today,
    })
      .map(({ level, message }) => `${level} ${/an? \w+ of [\d.]+ %/.exec(message)![0]}`);
  };
  deepEqual(undone("max_increase: 10%", 2, 3), ["approve an increase of 80.0 %"]);
  deepEqual(undone("max_decrease: 10%", 3, 2), ["note a decrease of 20.0 %"]);
});

const TODAY: DayTotals = { ...NO_TOTALS, changes: 3, archives: 1, firstValue: () => undefined };

Deno.test("limits of a day count what was applied today", () => {
  const found = parsePolicy("version: 1\nmax_changes: 4\nmax_archives: 1").check(
    planOf(RAISED_AND_ARCHIVED),
    {
      now: NOW,
      today: TODAY,
    },
  );
  deepEqual(found.map(({ message }) => message.split(";")[0]), [
    "5 changes today including this plan",
    "2 archives today including this plan",
  ]);
});
