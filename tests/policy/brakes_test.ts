import { deepEqual } from "../support/assert.ts";
import { ChangePlan } from "../../src/plans/change_plan/change_plan.ts";
import type { Change } from "../../src/plans/model/change.ts";
import { Unread } from "../../src/plans/model/prior_state.ts";
import { parsePolicy } from "../../src/plans/policy/parse_policy.ts";
import { NO_TOTALS } from "../../src/plans/state/day_totals.ts";
import { accountState } from "../support/account_state.ts";

const NOW = Date.UTC(2026, 10, 18, 18);

/** A keyword of a campaign that could not be read, and a campaign with a placement over entities that could not be. */
const ACCOUNT = {
  ...accountState((kind, id) => {
    if (kind === "sp.keywords") {
      return { keywordId: id, campaignId: "1", adGroupId: "2", bid: 1, state: "ENABLED" };
    }
    if (kind === "sp.ad_groups") return { adGroupId: id, campaignId: "1", defaultBid: 1, state: "ENABLED" };
    if (id !== "5") return new Unread("the campaign was not read");
    const dynamicBidding = { placementBidding: [{ placement: "PLACEMENT_TOP", percentage: 50 }] };
    return { campaignId: id, state: "ENABLED", budget: { budget: 10, budgetType: "DAILY" }, dynamicBidding };
  }),
  below: () => new Unread("its child entities were not read"),
};

/** Rules whose figures are unknown, and changes that they hold back or let pass. */
const UNKNOWN = {
  acos: rule("figures.acos30d > 0.4"),
  spend: rule("plan.spendIncrease > 10.0"),
  ofPauses: rule("after.state == 'PAUSED' && figures.orders30d > 5.0"),
  ofFalls: rule("figures.orders30d > 5.0 && change.increase < -0.2"),
  effective: "max_effective_bid: 9",
  increase: "max_increase: 30%",
  day: "max_spend_increase_per_day: 5",
  protect: "protect: { names: [Brand*] }",
};

type Policy = keyof typeof UNKNOWN;
const LOWER = keyword({ bid: 0.6 });
const RAISE = keyword({ bid: 1.2 });
const PAUSE = keyword({ state: "PAUSED" });
const PLACEMENT = (percentage: number): Change =>
  campaign({ dynamicBidding: { placementBidding: [{ placement: "PLACEMENT_TOP", percentage }] } });

const CASES: readonly (readonly [what: string, change: Change, denied: readonly Policy[]])[] = [
  ["a pause", PAUSE, ["ofPauses", "protect"]],
  ["a lower bid", LOWER, ["ofFalls", "protect"]],
  ["a pause with a lower bid", keyword({ state: "PAUSED", bid: 0.9 }), ["ofPauses", "protect"]],
  ["a higher bid", RAISE, ["acos", "spend", "effective", "day", "protect"]],
  ["a pause with a higher bid", keyword({ state: "PAUSED", bid: 99 }), [
    "acos",
    "ofPauses",
    "effective",
    "increase",
    "protect",
  ]],
  ["an archive", { ...PAUSE, op: "archive", after: { state: "ARCHIVED" } }, ["acos", "protect"]],
  ["a paused campaign", campaign({ state: "PAUSED" }), ["ofPauses"]],
  ["a lower budget", campaign({ budget: { budget: 7 } }), ["ofFalls"]],
  ["a budget for another period", campaign({ budget: { budget: 10, budgetType: "LIFETIME" } }), [
    "acos",
    "spend",
    "ofFalls",
    "increase",
    "day",
  ]],
  ["a higher budget", campaign({ budget: { budget: 12 } }), ["acos"]],
  ["a lower placement", PLACEMENT(20), ["acos", "spend", "ofFalls", "day"]],
  ["a higher placement", PLACEMENT(90), ["acos", "spend", "effective", "day"]],
];

for (const [what, change, denied] of CASES) {
  Deno.test(`where figures are unknown, ${what} is denied by ${denied.join(", ")} alone`, () => {
    const names = Object.entries(UNKNOWN).filter(([, text]) => denies(text, [change])).map(([name]) => name);
    deepEqual(names, denied);
  });
}

Deno.test("an unknown or used-up increase of the day holds back raises, and no pause or lower bid", () => {
  for (const spendIncrease of [undefined, 99]) {
    const today = { ...NO_TOTALS, spendIncrease };
    const of = (changes: readonly Change[]): boolean => denies(UNKNOWN.day, changes, today);
    deepEqual(
      [of([PAUSE]), of([LOWER]), of([PAUSE, { ...RAISE, id: "8" }])],
      [false, false, true],
      String(spendIncrease),
    );
  }
});

Deno.test("a rule about a move that is unknown denies in words, also behind has(), and says why", () => {
  const unread = { ...ACCOUNT, entity: () => new Unread("the keyword was not read") };
  for (const when of ["change.increase > 0.3", "has(change.increase) && change.increase > 0.3"]) {
    const plan = new ChangePlan({ profileId: "1", countryCode: "US", changes: [RAISE] });
    const [{ level, message, hint } = {}] = parsePolicy(`version: 1\n${rule(when)}`)
      .check(plan, { now: NOW, account: unread });
    deepEqual([level, message, hint], [
      "deny",
      'sp.keywords 9 x: rule "mine" cannot judge this change: the size of this change is unknown, because the keyword was not read',
      "Changes that cannot be checked are not sent. Try again later, or leave this one out",
    ]);
  }
});

function rule(when: string): string {
  return `rules: [{ name: mine, when: ${JSON.stringify(when)}, level: deny, message: not so }]`;
}

function denies(policy: string, changes: readonly Change[], today = NO_TOTALS): boolean {
  const plan = new ChangePlan({ profileId: "1", countryCode: "US", changes });
  const found = parsePolicy(`version: 1\n${policy}`).check(plan, { now: NOW, account: ACCOUNT, today });
  return found.some(({ level }) => level === "deny");
}

function keyword(after: Change["after"]): Change {
  return { kind: "sp.keywords", op: "update", id: "9", before: {}, after, label: "x", campaignId: "1" };
}

function campaign(after: Change["after"]): Change {
  return { ...keyword(after), kind: "sp.campaigns", id: "5" };
}
