import { deepEqual, match, throws } from "../support/assert.ts";
import { parsePolicy } from "../../src/plans/policy/parse_policy.ts";
import { suggestPolicy } from "../../src/plans/policy/suggest_policy.ts";
import { testPolicy } from "../../src/plans/policy/test_policy.ts";

const POLICY = `
version: 1
max_bid: 2.5
max_changes: 10
rules:
  - { name: poor, when: figures.acos30d > 0.4, level: approve, message: poor }
`;

function results(tests: string): string[] {
  return testPolicy(parsePolicy(POLICY), tests).map(({ name, ok, actual }) => `${name}: ${ok} (${actual})`);
}

Deno.test("cases are judged by the policy and compared with what they expect", () => {
  deepEqual(
    results(`
tests:
  - { name: high, kind: sp.keywords, entity: { bid: 1 }, after: { bid: 3 }, figures: { acos30d: 0.1 }, expect: deny }
  - { name: poor, kind: sp.keywords, entity: { bid: 1 }, after: { bid: 2 }, figures: { acos30d: 0.5 }, expect: approve }
  - { name: fine, kind: sp.keywords, entity: { bid: 1 }, after: { bid: 2 }, figures: { acos30d: 0.1 }, expect: pass }
  - { name: day, kind: sp.keywords, after: { bid: 2 }, figures: { acos30d: 0 }, today: { changes: 10 }, expect: deny, rule: max_changes }
  - { name: wrong, kind: sp.keywords, after: { bid: 2 }, figures: { acos30d: 0 }, expect: deny }
`),
    [
      "high: true (deny by max_bid)",
      "poor: true (approve by poor)",
      "fine: true (pass)",
      "day: true (deny by max_changes)",
      "wrong: false (pass)",
    ],
  );
});

const FORMS: readonly (readonly [policy: string, one: string, actual: string])[] = [
  ["max_bid: 2", "kind: sp.keywords, op: create, after: { bid: 3 }", "deny by max_bid"],
  ["max_increase: 10%", "kind: sp.keywords, op: create, entity: { bid: 1 }, after: { bid: 3 }", "pass"],
  ["max_increase: 10%", "kind: sp.keywords, entity: { bid: 1 }, after: { bid: 3 }", "deny by max_increase"],
  [
    "rules: [{ name: r, when: figures.clicks7d > 5.0, level: advise, message: m }]",
    "kind: sp.keywords, op: create, after: { bid: 3 }, figures: { clicks7d: 6 }",
    "advise by r",
  ],
  ["max_archives: 0", "kind: sp.keywords, op: archive", "deny by max_archives"],
  ["protect: { ids: [7] }", "kind: sp.keywords, id: 7, after: { bid: 3 }", "deny by protect"],
  ["protect: { ids: ['1', campaign] }", "kind: sp.keywords, after: { bid: 3 }", "deny by protect"],
  ["protect: { ids: [campaign] }", "kind: sp.keywords, after: { bid: 3 }", "deny by protect"],
  [
    "protect: { ids: [5] }",
    "kind: sp.keywords, entity: { campaignId: 5 }, after: { bid: 3 }",
    "deny by protect",
  ],
  [
    "protect: { names: [A] }",
    "kind: sp.campaigns, entity: { name: A }, after: { name: B }",
    "deny by protect",
  ],
  [
    "protect: { names: [A] }",
    "kind: sp.keywords, campaign: { name: A }, after: { bid: 3 }",
    "deny by protect",
  ],
  ["protect: { names: [A] }", "kind: sp.keywords, after: { bid: 3 }", "pass"],
  ["max_bid: { DE: 2, default: 9 }", "market: DE, kind: sp.keywords, after: { bid: 3 }", "deny by max_bid"],
  ["max_bid: { DE: 2, default: 9 }", "kind: sp.keywords, after: { bid: 3 }", "pass"],
  ["hours: { from: '09:00', to: '18:00' }", "kind: sp.keywords, at: '2026-11-18T18:00:00Z'", "pass"],
  ["hours: { from: '09:00', to: '18:00' }", "kind: sp.keywords, at: '2026-11-18T08:00:00Z'", "deny by hours"],
  ["max_bid: 2\nlevels: { max_bid: advise }", "kind: sp.keywords, after: { bid: 3 }", "advise by max_bid"],
  [
    "max_bid: 2\nmax_changes: 0",
    "kind: sp.keywords, after: { bid: 3 }",
    "deny by max_changes, max_bid",
  ],
  ["max_bid: 2\nmax_changes: 0", "kind: sp.keywords, after: { bid: 3 }, rule: max_bid", "deny by max_bid"],
  [
    "max_bid: 2\nexceptions: [{ rule: max_bid, reason: x, until: 2999-01-01 }]",
    "kind: sp.keywords, after: { bid: 3 }",
    "pass",
  ],
  [
    "max_changes: 5",
    "kind: sp.keywords, after: { bid: 3 }, today: { changes: many, creates: 5 }",
    "pass",
  ],
];

for (const [policy, one, actual] of FORMS) {
  Deno.test(`the case { ${one} } of the policy ${policy.replace("\n", ", ")} gives: ${actual}`, () => {
    const text = `version: 1\n${policy}\ntests: [{ name: x, ${one}, expect: ${actual.split(" ")[0]} }]`;
    const [result] = testPolicy(parsePolicy(text), text);
    deepEqual([result?.ok, result?.actual], [true, actual]);
  });
}

Deno.test("the result of a case says what was expected and what the policy said", () => {
  const text = `${POLICY}tests:
  - { name: x, kind: sp.keywords, entity: { bid: 1 }, after: { bid: 3 }, figures: { acos30d: 0.5 }, rule: poor, expect: deny }`;
  deepEqual(testPolicy(parsePolicy(text), text), [{
    name: "x",
    ok: false,
    expected: "deny by poor",
    actual: "approve by poor",
    messages: ["sp.keywords 1 x: bid 3 USD is above 2.5 USD", "sp.keywords 1 x: poor"],
  }]);
});

Deno.test("a message about the tests names their file", () => {
  throws(
    () => testPolicy(parsePolicy(POLICY), "version: 1"),
    /^ConfigurationError: Cannot test by the tests:/,
  );
  throws(
    () => testPolicy(parsePolicy(POLICY), "version: 1", { source: "cases.yaml" }),
    /Cannot test by cases\.yaml: it has no cases/,
  );
});

Deno.test("tests without a case are refused, and so is a case of another form", () => {
  throws(() => results("version: 1"), /has no cases/);
  throws(() => results("tests: [{ name: x, kind: sp.keywords, expect: maybe }]"), /tests\.0\.expect/);
});

Deno.test("the suggested policy can be used as it is, and its own cases pass", () => {
  for (const bids of [[], [0.5, 0.8, 1.2]]) {
    const text = suggestPolicy({ countryCode: "CA", currency: "CAD", bids, budgets: [15, 40] });
    match(text, /max_budget: \{ CA: 60 \}/);
    const policy = parsePolicy(text);
    for (const { ok, name } of testPolicy(policy, text)) if (!ok && bids.length > 0) throw new Error(name);
  }
});

Deno.test("a suggested limit is half above the 99th percentile, and an account without amounts gets none", () => {
  const suggested = (bids: readonly number[], budgets: readonly number[] = []): string =>
    suggestPolicy({ countryCode: "CA", currency: "CAD", bids, budgets });
  const outliers = [...Array.from({ length: 198 }, () => 1), 2, 500];
  match(suggested(outliers), /^max_bid: \{ CA: 3 \} # CAD; .* of 200 live bids$/m);
  match(suggested([...outliers, 1]), /^max_bid: \{ CA: 1\.5 \} # CAD/m, "of 201 the last two do not count");
  match(suggested(outliers.slice(100)), /^max_bid: \{ CA: 750 \}/m, "of 100 the last one counts");
  match(suggested([0.001]), /^max_bid: \{ CA: 0\.01 \}/m);
  match(suggested([1.11]), /^max_bid: \{ CA: 1\.7 \}/m);
  match(suggested([]), /^# max_bid: \{ CA: 0 \} # .*; the account has none yet$/m);
  match(suggested([], []), /^# max_spend_increase_per_day: \{ CA: 0\.2 \}/m);
  match(
    suggested([], [5]),
    /^# max_spend_increase_per_day: \{ CA: 1 \} # CAD; a fifth of all daily budgets$/m,
  );
  match(suggested([], [15, 40]), /^# max_spend_increase_per_day: \{ CA: 11 \}/m);
  match(suggested([]), /entity: \{ bid: 1, state: ENABLED \}/);
  match(suggested([0.8, 0.9]), /entity: \{ bid: 0\.9, state: ENABLED \}/);
});

Deno.test("the policy of the guide can be used as it is, and its own cases pass", async () => {
  const guide = await Deno.readTextFile("docs/guides/policy.md");
  const text = /```yaml\n([\s\S]*?)```/.exec(guide)?.[1] ?? "";
  const policy = parsePolicy(text);
  deepEqual(testPolicy(policy, text).map(({ name, ok }) => [name, ok]), [["a slip is denied", true]]);
});

Deno.test("a case is judged by the labels of the policy, and by a limit of spend only where it has figures", () => {
  const text = `
version: 1
max_spend_increase_per_day: 5
labels: { core: [5] }
protect: { labels: [core] }
tests:
  - { name: labelled, kind: sp.keywords, campaign: { campaignId: "5" }, entity: { bid: 1 }, after: { bid: 1.1 }, expect: deny, rule: protect }
  - { name: other, kind: sp.keywords, campaign: { campaignId: "6" }, entity: { bid: 1 }, after: { bid: 1.1 }, expect: pass }
  - { name: dear, kind: sp.keywords, entity: { bid: 1 }, after: { bid: 9 }, figures: { cost30d: 300 }, expect: deny, rule: max_spend_increase_per_day }
`;
  deepEqual(testPolicy(parsePolicy(text), text).map(({ name, ok }) => `${name} ${ok}`), [
    "labelled true",
    "other true",
    "dear true",
  ]);
});
