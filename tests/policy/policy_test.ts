import { deepEqual, equal, match, ok, throws } from "../support/assert.ts";
import { visited } from "../support/visited.ts";
import { ChangePlan } from "../../src/plans/change_plan/change_plan.ts";
import type { Change, EntityFields } from "../../src/plans/model/change.ts";
import { NO_TOTALS } from "../../src/plans/state/day_totals.ts";
import type { SentWrite } from "../../src/plans/state/day_ledger.ts";
import { parsePolicy } from "../../src/plans/policy/parse_policy.ts";
import type { PolicyContext } from "../../src/plans/policy/policy.ts";
import { accountState as accountOf } from "../support/account_state.ts";

/** 2026-11-18, a Wednesday, 10:00 in Los Angeles. */
const NOW = Date.UTC(2026, 10, 18, 18);

function bid(before: number, after: unknown, more: Partial<Change> = {}): Change {
  return {
    kind: "sp.keywords",
    op: "update",
    id: "9",
    before: { bid: before },
    after: { bid: after },
    label: '"shoes" (EXACT)',
    campaignId: "1",
    ...more,
  };
}

function planOf(changes: readonly Change[], countryCode = "US", reverses: string | null = null): ChangePlan {
  return new ChangePlan({ profileId: "1", countryCode, changes, reverses });
}

/** Rule and level of each finding. */
function judged(
  policy: string,
  changes: readonly Change[],
  context: PolicyContext & { country?: string } = {},
): string[] {
  const { country = "US", ...rest } = context;
  return parsePolicy(`version: 1\n${policy}`).check(planOf(changes, country), { now: NOW, ...rest })
    .map(({ rule, level }) => `${rule} ${level}`);
}

Deno.test("a plan within every limit has no findings", () => {
  const policy = "max_bid: 2.5\nmax_increase: 30%\nmax_changes: 10\nrules:\n" +
    "  - { name: exact, when: 'after.bid > 2.0 && after.matchType == \"EXACT\"', level: deny, message: too much }";
  deepEqual(judged(policy, [bid(1, 1.3)]), []);
});

const CASES: readonly (readonly [what: string, policy: string, change: Change, expected: string[]])[] = [
  ["a bid above the limit", "max_bid: 2.5", bid(2.35, 999), ["max_bid deny"]],
  ["a bid at the limit", "max_bid: 2.5", bid(2.35, 2.5), []],
  ["a bid written as text", "max_bid: 2.5", bid(2.35, "1e3"), ["max_bid deny"]],
  ["a bid in hexadecimal", "max_bid: 2.5", bid(2.35, "0x10"), ["max_bid deny"]],
  ["a bid as a text of digits", "max_bid: 2.5", bid(2.35, "999"), ["max_bid deny"]],
  ["a bid that is no number", "max_bid: 2.5", bid(2.35, "lots"), ["max_bid deny"]],
  ["a bid without a limit for its market", "max_bid: { DE: 2 }", bid(1, 1.1), ["max_bid deny"]],
  ["the limit of the market", "max_bid: { US: 5, default: 1 }", bid(1, 4), []],
  [
    "the default bid of an ad group",
    "max_bid: 2.5",
    bid(1, 1, { kind: "sp.ad_groups", before: { defaultBid: 1 }, after: { defaultBid: 3 } }),
    ["max_bid deny"],
  ],
  [
    "an entity that is created with a bid above the limit",
    "max_bid: 2.5",
    bid(1, 1, { op: "create", id: null, before: {}, after: { bid: 3, keywordText: "x" } }),
    ["max_bid deny"],
  ],
  [
    "an update without an id, which creates",
    "max_bid: 2.5",
    bid(1, 1, { op: "create", id: null, before: {}, after: { bid: 3 } }),
    ["max_bid deny"],
  ],
  [
    "a daily budget",
    "max_budget: 100",
    bid(1, 1, {
      kind: "sp.campaigns",
      before: { budget: { budget: 15, budgetType: "DAILY" } },
      after: { budget: { budget: 999_999, budgetType: "DAILY" } },
    }),
    ["max_budget deny"],
  ],
  [
    "a Brands budget, which is a plain number",
    "max_budget: 100",
    bid(1, 1, { kind: "sb.campaigns", before: { budget: 15 }, after: { budget: 101 } }),
    ["max_budget deny"],
  ],
  ["an increase of 31 %", "max_increase: 30%", bid(1, 1.31), ["max_increase deny"]],
  ["an increase of 30 %", "max_increase: 0.3", bid(1, 1.3), []],
  ["a decrease of half", "max_decrease: 40%", bid(1, 0.5), ["max_decrease deny"]],
  ["a softened limit", "max_bid: 2.5\nlevels: { max_bid: approve }", bid(2, 3), ["max_bid approve"]],
  ["a protected id", "protect: { ids: [9] }", bid(1, 1.1), ["protect deny"]],
  ["the id of its campaign", 'protect: { ids: ["1"] }', bid(1, 1.1), ["protect deny"]],
  ["a protected kind", "protect: { kinds: [sp.keywords] }", bid(1, 1.1), ["protect deny"]],
  ["a kind outside of the list", "allow_kinds: [sp.campaigns]", bid(1, 1.1), ["allow_kinds deny"]],
  ["an update that archives", "max_archives: 0", bid(1, 1, { after: { state: "archived" } }), [
    "max_archives deny",
  ]],
  [
    "a placement adjustment",
    "max_placement_adjustment: 50%",
    bid(1, 1, {
      kind: "sp.campaigns",
      before: {},
      after: { dynamicBidding: { placementBidding: [{ placement: "PLACEMENT_TOP", percentage: 900 }] } },
    }),
    ["max_placement_adjustment deny"],
  ],
  ["a time outside of the hours", "hours: { from: '11:00', to: '18:00' }", bid(1, 1.1), ["hours deny"]],
  ["a time inside of the hours", "hours: { from: '09:00', to: '18:00', days: [Wed] }", bid(1, 1.1), []],
  ["a night across midnight", "hours: { from: '22:00', to: '10:30' }", bid(1, 1.1), []],
  ["a frozen day", "freeze: [{ from: 2026-11-18, to: 2026-11-30 }]", bid(1, 1.1), ["freeze deny"]],
  ["the day after a freeze", "freeze: [{ from: 2026-11-01, to: 2026-11-17 }]", bid(1, 1.1), []],
];

for (const [what, policy, change, expected] of CASES) {
  Deno.test(`a policy judges ${what}`, () => deepEqual(judged(policy, [change]), expected));
}

Deno.test("a name is protected however it is written", () => {
  const account = accountOf({ "sp.campaigns 1": { campaignId: "1", name: "BrаndＳhoes \u200BEU" } }); // Cyrillic а
  deepEqual(judged('protect: { names: ["brandshoes*"] }', [bid(1, 1.1)], { account }), ["protect deny"]);
});

Deno.test("a name that cannot be read is not taken for one that is free", () => {
  deepEqual(judged('protect: { names: ["Brand*"] }', [bid(1, 1.1)]), ["protect deny"]);
});

Deno.test("enabling a paused keyword is judged by the bid that it has", () => {
  const change = bid(1, 1, { before: { state: "PAUSED" }, after: { state: "ENABLED" } });
  const account = accountOf({ "sp.keywords 9": { bid: 50, state: "PAUSED" } });
  deepEqual(judged("max_bid: 2", [change], { account }), ["max_bid deny"]);
});

Deno.test("a state that is not known to stop delivery counts as one that starts it", () => {
  const account = accountOf({ "sp.keywords 9": { bid: 50, state: "PAUSED" } });
  const to = (state: string): Change => bid(1, 1, { before: { state: "PAUSED" }, after: { state } });
  for (const state of ["enabled", " ENABLED", "ENABLING", "aktiv"]) {
    deepEqual(judged("max_bid: 2", [to(state)], { account }), ["max_bid deny"], state);
  }
  for (const state of ["paused", "ARCHIVED", "PROPOSED"]) {
    deepEqual(judged("max_bid: 2", [to(state)], { account }), [], state);
  }
});

Deno.test("many small steps of a day count as one", () => {
  const today = { ...NO_TOTALS, firstValue: () => 1 };
  deepEqual(judged("max_increase: 30%", [bid(1.25, 1.35)], { today }), ["max_increase deny"]);
});

Deno.test("limits of counts hold for the day, not for each plan", () => {
  const today = { ...NO_TOTALS, changes: 9 };
  deepEqual(judged("max_changes: 10", [bid(1, 1.1)], { today }), []);
  deepEqual(judged("max_changes: 10", [bid(1, 1.1), bid(1, 1.1, { id: "8" })], { today }), [
    "max_changes deny",
  ]);
});

Deno.test("more spend a day is judged by budgets, and what is unknown is denied", () => {
  const policy = "max_spend_increase_per_day: 50";
  const campaign = (to: number): Change =>
    bid(1, 1, {
      kind: "sp.campaigns",
      id: "1",
      before: { budget: { budget: 15, budgetType: "DAILY" } },
      after: { budget: { budget: to, budgetType: "DAILY" } },
    });
  deepEqual(judged(policy, [campaign(65)]), []);
  deepEqual(judged(policy, [campaign(65.01)]), ["max_spend_increase_per_day deny"]);
  deepEqual(judged(policy, [campaign(20)], { today: { ...NO_TOTALS, spendIncrease: 46 } }), [
    "max_spend_increase_per_day deny",
  ]);
  deepEqual(judged(policy, [bid(1, 1.1)]), ["max_spend_increase_per_day deny"], "no figures");
});

const RULE = (when: string, level = "deny"): string =>
  `rules:\n  - name: mine\n    when: ${JSON.stringify(when)}\n    level: ${level}\n    message: not so`;

const EXPRESSIONS: readonly (readonly [when: string, expected: string[]])[] = [
  ["after.bid > 2", ["mine deny"]],
  ["after.bid > 2 * before.bid", ["mine deny"]],
  ["after.bid == 3", ["mine deny"]],
  ["change.increase > 1.5", ["mine deny"]],
  ["after.keywordText == 'x'", []],
  ["!(after.keywordText == 'x')", []],
  ["figures.acos30d < 0.2", ["mine deny"]],
  ["has(figures.acos30d) && figures.acos30d < 0.2", []],
  ["today.changes > 0", ["mine deny"]],
  ["plan.updates == 1.0", ["mine deny"]],
  ["change.campaignId == '1' && change.id == '9'", ["mine deny"]],
  ["market.country == 'US' && market.currency == 'USD'", ["mine deny"]],
  ["like(campaign.name, 'Brand*')", ["mine deny"]],
  ["campaign.labels.exists(one, one == 'team:blue')", ["mine deny"]],
];

for (const [when, expected] of EXPRESSIONS) {
  Deno.test(`the rule ${when} judges a bid of 1 that becomes 3`, () => {
    const account = accountOf({
      "sp.keywords 9": { campaignId: "1", bid: 1 },
      "sp.campaigns 1": { name: "Brand shoes", tags: { team: "blue" } },
    });
    deepEqual(judged(RULE(when), [bid(1, 3)], { account }), expected);
  });
}

Deno.test("a figure that is unknown denies, and the message names the figure and the way out", () => {
  const policy = parsePolicy(`version: 1\n${RULE("figures.acos30d > 0.4", "advise")}`);
  const [finding] = policy.check(planOf([bid(1, 3)]));
  equal(finding?.level, "deny");
  equal(finding?.code, "POLICY_RULE_FAILED");
  match(finding?.message ?? "", /figures\.acos30d is unknown/);
  const figures = new Map([["9", { acos30d: 0.5 }]]);
  deepEqual(policy.check(planOf([bid(1, 3)]), { figures }).map(({ level }) => level), ["advise"]);
});

Deno.test("a campaign that could not be read denies where a rule asks for it", () => {
  deepEqual(judged(RULE("campaign.name == 'x'"), [bid(1, 3)]), ["mine deny"]);
});

Deno.test("an exception softens one rule until its day", () => {
  const policy = (until: string): string =>
    `max_bid: 2\nexceptions:\n  - { rule: max_bid, reason: launch, until: ${until}, ids: ["1"] }`;
  deepEqual(judged(policy("2026-11-18"), [bid(1, 3)]), ["max_bid note"]);
  deepEqual(judged(policy("2026-11-17"), [bid(1, 3)]), ["max_bid deny"]);
  deepEqual(judged(policy("2026-11-18"), [bid(1, 3, { campaignId: "2" })]), ["max_bid deny"]);
});

Deno.test("what restores is allowed and said so; a plan that only claims to reverse another is not", () => {
  const policy = parsePolicy("version: 1\nmax_bid: 2");
  const undo = planOf([bid(1, 3)], "US", "20261118-100000-abc");
  deepEqual(policy.check(undo, { now: NOW }).map(({ level }) => level), ["deny"]);
  const account = accountOf({ "sp.keywords 9": { bid: 1, campaignId: "1" } });
  const check = (policy: string, sent: SentWrite): string[] =>
    parsePolicy(`version: 1\n${policy}`).check(undo, { now: NOW, account, sent: [sent] })
      .map(({ level, message }) => `${level} ${/restores [^.]*/.exec(message)?.[0] ?? ""}`);
  const written = { kind: "sp.keywords", id: "9", was: { bid: 3 }, wrote: { bid: 1 } };
  deepEqual(
    check("max_bid: 2", written),
    ["approve restores an earlier value"],
    "a fixed limit asks a person",
  );
  deepEqual(check("max_increase: 10%", written), ["note restores the value from before the change"]);
  for (
    const other of [
      { ...written, was: { bid: 2.9 } },
      { ...written, wrote: { bid: 1.1 } },
      { ...written, id: "8" },
      { kind: "sp.keywords", id: "9" },
    ]
  ) {
    deepEqual(check("max_bid: 2", other), ["deny "]);
    deepEqual(check("max_increase: 10%", other), ["deny "]);
  }
});

const REFUSED: readonly (readonly [text: string, message: RegExp])[] = [
  ["", /It is empty/],
  ["max_bid: 2", /version/],
  ["version: 2", /newer release/],
  ["version: 1\nmax_bids: 2", /Line 2: Unknown key max_bids/],
  ["version: 1\nmax_bid: two", /Line 2: max_bid/],
  ["version: 1\nmax_bid: -1", /max_bid/],
  ["version: 1\nmax_bid: { GBR: 1 }", /country code/],
  ["version: 1\nmax_increase: thirty", /percentage/],
  ["version: 1\nfreeze: [{ from: 2026-12-02, to: 2026-12-01 }]", /ends before it begins/],
  ["version: 1\nlevels: { max_bit: deny }", /not a plain key/],
  ["version: 1\nexceptions: [{ rule: nobody, reason: x, until: 2026-12-01 }]", /no rule is called/],
  ["version: 1\n  bad: [", /Line/],
  [`version: 1\n${RULE("after.bdi > 2")}`, /No such key: bdi/],
  [`version: 1\n${RULE("after.bid >")}`, /rule "mine"/],
  [`version: 1\n${RULE("after.bid")}`, /must be true or false/],
  [`version: 1\n${RULE("after.name.matches('(a+)+$')")}`, /Cannot use matches/],
  [`version: 1\n${RULE("after.id == 123")}`, /rule "mine"/],
  [
    `version: 1\n${RULE("after.labels.all(a, after.labels.all(b, after.labels.all(c, a == b && b == c)))")}`,
    /more than two macros/,
  ],
  [`version: 1\n${RULE("true" + "||true".repeat(600))}`, /rule "mine"/],
];

for (const [text, message] of REFUSED) {
  Deno.test(`the policy ${JSON.stringify(text.slice(0, 60))} is refused`, () => {
    throws(() => parsePolicy(text, { source: "policy.yaml" }), (error: Error) => {
      match(error.message, message);
      match(error.message, /policy\.yaml, so nothing may be sent/);
      return true;
    });
  });
}

Deno.test("every problem of a policy file is reported at once", () => {
  throws(
    () => parsePolicy(`version: 1\nmax_bid: no\nmax_budget: no\nsurprise: 1`),
    (error: Error) => error.message.split("\n").length === 4,
  );
});

Deno.test("50 rules judge ten times the changes with about ten times the work", async () => {
  const rules = Array.from(
    { length: 50 },
    (_, index) =>
      `  - { name: r${index}, when: "after.bid > ${
        index + 10
      } * before.bid && change.op == 'update'", level: deny, message: x }`,
  );
  const policy = parsePolicy(`version: 1\nmax_bid: 1000\nrules:\n${rules.join("\n")}`);
  const planOfSize = (length: number): ReturnType<typeof planOf> =>
    planOf(Array.from({ length }, (_, index) => bid(1, 1.5, { id: String(index) })));
  const work = (length: number): Promise<number> => {
    const plan = planOfSize(length);
    return visited(() => deepEqual(policy.check(plan), []));
  };
  await work(200);
  const [few, many] = [await work(200), await work(2000)];
  ok(few > 200 && many < 15 * few, `${few} for 200 changes, ${many} for 2,000`);
});

Deno.test("what a plan says of its campaign cannot lead a rule away from the campaign that it is in", () => {
  const account = accountOf({
    "sp.keywords 9": { keywordId: "9", bid: 1, campaignId: "5" },
    "sp.campaigns 5": { campaignId: "5", name: "Brand" },
    "sp.campaigns 6": { campaignId: "6", name: "Harmless" },
  });
  const policy = "protect: { names: [Brand] }";
  const forged: Partial<Change> = { campaignId: "6" };
  deepEqual(judged(policy, [bid(1, 1.1, forged)], { account }), ["protect deny"]);
  const before = { bid: 1, campaignId: "6" };
  deepEqual(judged(policy, [bid(1, 1.1, { ...forged, before })], { account }), ["protect deny"]);
  const fields = { campaignId: "5", adGroupId: "7", keywordText: "x", bid: 1 };
  const create: Partial<Change> = { op: "create", id: null, before: {}, after: fields };
  deepEqual(judged(policy, [bid(1, 1, { ...create, ...forged })], { account }), ["protect deny"]);
  const numbered = { ...fields, campaignId: 7 };
  deepEqual(judged(policy, [bid(1, 1, { ...create, ...forged, after: numbered })], { account }), [
    "protect deny",
  ], "a campaign that was not read");
  const planned: Change = {
    kind: "sp.campaigns",
    op: "create",
    id: null,
    before: {},
    after: { name: "Harmless" },
    label: "x",
    ref: "c1",
  };
  const hidden = bid(1, 1.1, { after: { bid: 1.1, campaignId: { ref: "c1" } } });
  deepEqual(judged(policy, [planned, hidden], { account }), ["protect deny"]);
});

Deno.test("what a plan says of an entity as it was counts for nothing where the account was read", () => {
  const account = accountOf({
    "sp.keywords 9": { keywordId: "9", bid: 1, state: "PAUSED", campaignId: "5" },
  });
  deepEqual(judged("max_bid: 2", [bid(99, 99)], { account }), ["max_bid deny"]);
  deepEqual(judged("max_increase: 30%", [bid(99, 99)], { account }), ["max_increase deny"]);
  const policy = "rules:\n  - { name: low, when: 'before.bid < 2.0', level: advise, message: m }";
  deepEqual(judged(policy, [bid(99, 99)], { account }), ["low advise"]);
  const awake = { before: { state: "ENABLED" }, after: { state: "ENABLED" } };
  deepEqual(judged("max_bid: 0.5", [bid(1, 1, awake)], { account }), ["max_bid deny"]);
});

Deno.test("rules see the campaign that the plan itself creates, for what is created in it", () => {
  const create = (kind: string, after: EntityFields, ref?: string): Change => ({
    kind,
    op: "create",
    id: null,
    before: {},
    after,
    label: kind,
    ...(ref === undefined ? {} : { ref }),
  });
  const changes = [
    create("sp.campaigns", { name: "Brand new", targetingType: "MANUAL", budget: { budget: 12 } }, "c1"),
    create("sp.ad_groups", { campaignId: { ref: "c1" }, name: "Shoes", defaultBid: 0.5 }, "g1"),
    create("sp.keywords", { adGroupId: { ref: "g1" }, keywordText: "red", bid: 3 }),
    create("sp.keywords", { campaignId: "8", keywordText: "red", bid: 3 }),
  ];
  const rule =
    "rules:\n  - { name: small, when: 'campaign.budget < 20.0 && after.bid > 2.0', level: deny, message: m }";
  deepEqual(judged(rule, changes.slice(0, 3)), ["small deny"]);
  const found = parsePolicy(`version: 1\nprotect: { names: ["Brand*"] }`).check(planOf(changes), {
    now: NOW,
  });
  deepEqual(found.map(({ change }) => change), [3], "what is new is not protected");
  match(found[0]?.message ?? "", /the campaign could not be read, so it is unknown whether it is protected/);
});

Deno.test("labels of the policy protect what they name and what is in it, and rules see them", () => {
  const account = accountOf({
    "sp.keywords 9": { keywordId: "9", bid: 1, campaignId: "5", adGroupId: "7" },
    "sp.ad_groups 7": { adGroupId: "7", campaignId: "5" },
    "sp.campaigns 5": { campaignId: "5", name: "A", portfolioId: "3" },
  });
  for (const id of ["9", "7", "5", "3"]) {
    const policy = `labels: { core: ["${id}"] }\nprotect: { labels: [core] }`;
    deepEqual(judged(policy, [bid(1, 1.1, { campaignId: "5" })], { account }), ["protect deny"], id);
    const fields = { campaignId: "5", adGroupId: "7", keywordText: "x", bid: 1 };
    const create: Partial<Change> = { op: "create", id: null, before: {}, after: fields };
    const expected = id === "9" ? [] : ["protect deny"];
    deepEqual(judged(policy, [bid(1, 1, create)], { account }), expected, `a new one in ${id}`);
  }
  const rule =
    "labels: { core: [5] }\nrules:\n  - { name: r, when: '\"core\" in campaign.labels', level: advise, message: m }";
  deepEqual(judged(rule, [bid(1, 1.1)], { account }), ["r advise"]);
  throws(() => parsePolicy("version: 1\nlabels: { core: 5 }"), /Line 2: labels\.core/);
});
