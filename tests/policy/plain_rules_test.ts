import { deepEqual, match } from "../support/assert.ts";
import type { Change } from "../../src/plans/model/change.ts";
import { ChangePlan } from "../../src/plans/change_plan/change_plan.ts";
import { NO_TOTALS } from "../../src/plans/state/day_totals.ts";
import { Unread } from "../../src/plans/model/prior_state.ts";
import { parsePolicy } from "../../src/plans/policy/parse_policy.ts";
import type { PolicyContext } from "../../src/plans/policy/policy.ts";
import { accountState } from "../support/account_state.ts";

/** 2026-11-18, a Wednesday, 10:00 in Los Angeles. */
const NOW = Date.UTC(2026, 10, 18, 18);

function keyword(before: Change["before"], after: Change["after"], more: Partial<Change> = {}): Change {
  return { kind: "sp.keywords", op: "update", id: "9", before, after, label: "x", campaignId: "1", ...more };
}

function campaign(before: Change["before"], after: Change["after"], more: Partial<Change> = {}): Change {
  return keyword(before, after, { kind: "sp.campaigns", id: "1", ...more });
}

const CALL = keyword({}, { operation: "reporting:x" }, { kind: "call", op: "call", id: null });
const ADJUSTED = (percentage: unknown): Change["after"] => ({
  dynamicBidding: { placementBidding: [{ percentage }] },
});
const NEW = { op: "create", id: null } as const;

const CASES: readonly (readonly [policy: string, what: string, change: Change, isDenied: boolean])[] = [
  ["max_bid: 2", "archiving what has a high bid", keyword({ bid: 50 }, {}, { op: "archive" }), false],
  [
    "max_bid: 2",
    "pausing what has a high bid",
    keyword({ bid: 50, state: "ENABLED" }, { state: "PAUSED" }),
    false,
  ],
  [
    "max_bid: 2",
    "enabling what has a high bid",
    keyword({ bid: 50, state: "PAUSED" }, { state: "ENABLED" }),
    true,
  ],
  [
    "max_bid: 2",
    "enabling what is enabled",
    keyword({ bid: 50, state: "ENABLED" }, { state: "ENABLED" }),
    false,
  ],
  ["max_bid: 2", "a new name of what has a high bid", keyword({ bid: 50 }, { name: "y" }), false],
  ["max_bid: 2", "lowering a bid that stays too high", keyword({ bid: 50 }, { bid: 40 }), true],
  ["max_bid: 2", "an archive with a bid in words", keyword({}, { bid: "lots" }, { op: "archive" }), false],
  ["max_bid: { US: 2, default: 9 }", "a bid between two limits", keyword({ bid: 1 }, { bid: 3 }), true],
  ["max_budget: 100", "a budget at the limit", campaign({ budget: 50 }, { budget: 100 }), false],
  ["max_budget: 100", "a new campaign above it", campaign({}, { budget: 101 }, NEW), true],
  ["max_budget: 100", "a budget in words", campaign({ budget: 50 }, { budget: "much" }), true],
  [
    "max_budget: 100",
    "a cap of a portfolio, which is no daily budget",
    keyword({}, { budget: { amount: 5000 } }, { kind: "portfolios" }),
    false,
  ],
  ["max_increase: 30%", "a new name", keyword({ bid: 1 }, { name: "y" }), false],
  ["max_increase: 30%", "a fall by half", keyword({ bid: 1 }, { bid: 0.5 }), false],
  ["max_increase: 30%", "a bid after one that is unknown", keyword({}, { bid: 9 }), true],
  ["max_bid: 2", "a bid of words that is taken away", keyword({ bid: 50 }, { bid: null }), true],
  ["max_increase: 0", "any raise", keyword({ bid: 1 }, { bid: 1.01 }), true],
  ["max_increase: 30%", "an archive", keyword({ bid: 1 }, { bid: 9, state: "ARCHIVED" }), false],
  ["max_increase: 10%", "a raise by 10 % with binary noise", keyword({ bid: 0.7 }, { bid: 0.77 }), false],
  ["max_increase: 10%", "a raise by a little more", keyword({ bid: 1 }, { bid: 1.100001 }), true],
  ["max_decrease: 30%", "a new name", keyword({ bid: 1 }, { name: "y" }), false],
  ["max_decrease: 30%", "a raise", keyword({ bid: 1 }, { bid: 9 }), false],
  ["max_decrease: 50%", "a fall by half", keyword({ bid: 1 }, { bid: 0.5 }), false],
  ["max_decrease: 50%", "a budget that falls further", campaign({ budget: 10 }, { budget: 4.9 }), true],
  ["max_placement_adjustment: 50%", "half", campaign({}, ADJUSTED(50)), false],
  ["max_placement_adjustment: 50%", "more", campaign({}, ADJUSTED(51)), true],
  ["max_placement_adjustment: 50%", "what was more already", campaign(ADJUSTED(90), ADJUSTED(90)), false],
  [
    "max_placement_adjustment: 50%",
    "what is lowered and still more",
    campaign(ADJUSTED(90), ADJUSTED(80)),
    true,
  ],
  ["max_placement_adjustment: 50%", "an archive", campaign({}, ADJUSTED(90), { op: "archive" }), false],
  ["max_placement_adjustment: 50%", "a new name", campaign({}, { name: "y" }), false],
  ["max_bid: 2", "a percentage that nobody limits", campaign({}, ADJUSTED("much")), false],
  ["max_placement_adjustment: 50%", "one in a list", campaign({}, ADJUSTED([900])), true],
  ["allow_kinds: [sp.campaigns]", "a campaign", campaign({}, { name: "y" }), false],
  ["allow_kinds: [sp.campaigns]", "a keyword", keyword({ bid: 1 }, { bid: 2 }), true],
  ["allow_kinds: [sp.campaigns]\nallow_operations: ['reporting:*']", "a call that is listed", CALL, false],
  ["allow_kinds: [sp.campaigns]", "a call that is not", CALL, true],
  ["protect: { ids: [7] }", "what is in a protected ad group", keyword({ adGroupId: "7" }, { bid: 1 }), true],
  ["protect: { ids: [7] }", "what is moved to one", keyword({}, { adGroupId: "7" }), true],
  ["protect: { ids: [7] }", "what is created in one", keyword({}, { adGroupId: "7" }, NEW), true],
  [
    "protect: { ids: [7] }",
    "what is in a protected portfolio",
    campaign({ portfolioId: "7" }, { name: "y" }),
    true,
  ],
  ["protect: { ids: [7] }", "another one", keyword({ adGroupId: "8" }, { bid: 1 }), false],
  ["protect: { names: [Brand] }", "a new campaign of that name", campaign({}, { name: "Brand" }, NEW), false],
  [
    "protect: { names: [Brand] }",
    "a campaign that gives up that name",
    campaign({ name: "Brand" }, { name: "y" }),
    true,
  ],
  ["protect: { names: [Brand] }", "a campaign without a name", campaign({}, { budget: 1 }), false],
  [
    "protect: { labels: ['team:a'] }",
    "a campaign with that tag",
    campaign({ tags: { team: "a" } }, { budget: 1 }),
    true,
  ],
  [
    "protect: { labels: ['team:a'] }",
    "a campaign with another",
    campaign({ tags: { team: "b" } }, { budget: 1 }),
    false,
  ],
  [
    "protect: { kinds: [sp.targets] }",
    "a keyword of an unread campaign",
    keyword({ bid: 1 }, { bid: 2 }),
    false,
  ],
];

for (const [policy, what, change, isDenied] of CASES) {
  Deno.test(`${policy.split("\n")[0]} ${isDenied ? "denies" : "allows"} ${what}`, () => {
    const found = parsePolicy(`version: 1\n${policy}`).check(
      new ChangePlan({ profileId: "1", countryCode: "US", changes: [change] }),
      { now: NOW },
    );
    deepEqual(found.map(({ level }) => level), isDenied ? ["deny"] : []);
  });
}

function denies(policy: string, changes: readonly Change[], context: PolicyContext = {}): boolean {
  const plan = new ChangePlan({ profileId: "1", countryCode: "US", changes });
  return parsePolicy(`version: 1\n${policy}`).check(plan, { now: NOW, ...context }).length > 0;
}

Deno.test("the campaign that the account has protects what is in it, by id, portfolio, name and tag", () => {
  const account = accountState((kind) =>
    kind === "sp.keywords" ? { campaignId: "5" } : { name: "Brand", portfolioId: "3", tags: { team: "a" } }
  );
  const changes = [keyword({ bid: 1 }, { bid: 1.1 })];
  for (const rule of ["ids: [5]", "ids: [3]", "names: [Brand]", "labels: ['team:a']"]) {
    deepEqual(denies(`protect: { ${rule} }`, changes, { account }), true, rule);
  }
  for (const rule of ["ids: [4]", "names: [Other]", "labels: ['team:b']"]) {
    deepEqual(denies(`protect: { ${rule} }`, changes, { account }), false, rule);
  }
});

/** Policies, and changes of what could not be read that they must deny, and others that they let pass. */
const UNREAD:
  readonly (readonly [policy: string, kind: string, after: Change["after"], isDenied: boolean])[] = [
    ["max_bid: 2", "sp.keywords", { state: "ENABLED" }, true],
    ["max_bid: 2", "sp.keywords", { state: "ENABLED", bid: 1 }, false],
    ["max_bid: 2", "sp.keywords", { name: "x" }, false],
    ["max_bid: 2", "sp.keywords", { state: "PAUSED" }, false],
    ["max_bid: 2", "sp.ad_groups", { state: "ENABLED" }, true],
    ["max_bid: 2", "sp.ad_groups", { name: "x" }, false],
    ["max_bid: 2", "sp.campaigns", { endDate: null }, true],
    ["max_bid: 2", "sp.campaigns", { name: "x" }, false],
    ["max_bid: 2", "sp.negative_keywords", { state: "ENABLED" }, false],
    ["max_effective_bid: 2", "sp.keywords", { state: "ENABLED" }, true],
    ["max_effective_bid: 2", "sp.ad_groups", { state: "ENABLED" }, true],
    ["max_effective_bid: 2", "sp.campaigns", { state: "ENABLED" }, true],
    ["max_effective_bid: 2", "sp.campaigns", ADJUSTED(900), true],
    ["max_effective_bid: 2", "sp.campaigns", { name: "x" }, false],
    ["max_budget: 2", "sp.campaigns", { state: "ENABLED" }, true],
    ["max_budget: 2", "sp.campaigns", { state: "ENABLED", budget: 1 }, false],
    ["max_budget: 2", "sp.campaigns", { state: "PAUSED" }, false],
    ["max_increase: 10%", "sp.campaigns", { budget: 500 }, true],
    ["max_increase: 10%", "sp.campaigns", ADJUSTED(900), true],
    ["max_increase: 10%", "portfolios", { budget: { amount: 500 } }, true],
    ["max_increase: 10%", "sp.campaigns", { name: "x" }, false],
    ["max_decrease: 10%", "sp.campaigns", { budget: 1 }, true],
    ["protect: { ids: [7] }", "sp.campaigns", { name: "x" }, true],
    ["protect: { ids: [7] }", "sp.keywords", { bid: 1 }, true],
    ["protect: { kinds: [sp.targets] }", "sp.keywords", { bid: 1 }, false],
  ];

for (const [policy, kind, after, isDenied] of UNREAD) {
  Deno.test(`${policy} ${isDenied ? "denies" : "allows"} ${JSON.stringify(after)} of unread ${kind}`, () => {
    const plan = new ChangePlan({
      profileId: "1",
      countryCode: "US",
      changes: [{ kind, op: "update", id: "9", before: {}, after, label: "x" }],
    });
    const account = { entity: () => new Unread("no answer"), below: () => new Unread("no answer below") };
    const found = parsePolicy(`version: 1\n${policy}`).check(plan, { now: NOW, account });
    deepEqual(found.map(({ level }) => level), isDenied ? ["deny"] : []);
    for (const { message } of found) match(message, /unknown.*, because no answer/);
  });
}

Deno.test("hours hold from their first minute up to their last, on their days, across midnight too", () => {
  const at = (hours: string, time: string): boolean =>
    !denies(`hours: ${hours}`, [keyword({ bid: 1 }, { bid: 1.1 })], {
      now: Date.parse(`2026-11-18T${time}Z`),
      timeZone: "UTC",
    });
  const table: readonly (readonly [string, string, boolean])[] = [
    ["{ from: '09:00', to: '18:00' }", "08:59", false],
    ["{ from: '09:00', to: '18:00' }", "09:00", true],
    ["{ from: '09:00', to: '18:00' }", "17:59", true],
    ["{ from: '09:00', to: '18:00' }", "18:00", false],
    ["{ from: '09:00', to: '24:00' }", "23:59", true],
    ["{ from: '22:00', to: '06:00' }", "21:59", false],
    ["{ from: '22:00', to: '06:00' }", "22:00", true],
    ["{ from: '22:00', to: '06:00' }", "05:59", true],
    ["{ from: '22:00', to: '06:00' }", "06:00", false],
    ["{ from: '09:00', to: '18:00', days: [Mon, Wed] }", "12:00", true],
    ["{ from: '09:00', to: '18:00', days: [Mon, Tue] }", "12:00", false],
  ];
  for (const [hours, time, isOpen] of table) deepEqual(at(hours, time), isOpen, `${hours} at ${time}`);
});

Deno.test("more spend is denied where its limit or the spend itself is unknown, and the hint says what to do", () => {
  const changes = [campaign({ budget: 10 }, { budget: 12 })];
  const check = (policy: string, context: PolicyContext = {}, countryCode = "US"): unknown[] =>
    parsePolicy(`version: 1\n${policy}`).check(
      new ChangePlan({ profileId: "1", countryCode, changes }),
      { now: NOW, ...context },
    ).map(({ message, hint }) => [message, hint]);
  deepEqual(check("max_spend_increase_per_day: { DE: 5 }"), [
    ["no limit is set for market US", "Add US or default"],
  ]);
  deepEqual(check("max_spend_increase_per_day: 5", { today: { ...NO_TOTALS, spendIncrease: undefined } }), [
    [
      "the increase in daily spend is unknown",
      "Sync a report store and name it, so that the clicks on these bids are known",
    ],
  ]);
  deepEqual(check("max_spend_increase_per_day: 5", { today: { ...NO_TOTALS, spendIncrease: 3 } }), []);
  deepEqual(
    check("max_spend_increase_per_day: { default: 5 }", { today: { ...NO_TOTALS, spendIncrease: 3.01 } }),
    [
      ["up to 5.01 USD more a day, including plans applied today; at most 5 USD are allowed", undefined],
    ],
  );
  deepEqual(
    check("max_spend_increase_per_day: { JP: 500 }", { today: { ...NO_TOTALS, spendIncrease: 600 } }, "JP"),
    [
      ["up to 602 JPY more a day, including plans applied today; at most 500 JPY are allowed", undefined],
    ],
  );
});
