import { deepEqual, match, throws } from "node:assert/strict";
import { parsePolicy } from "../../src/policy/parse_policy.ts";
import { suggestPolicy } from "../../src/policy/suggest_policy.ts";
import { testPolicy } from "../../src/policy/test_policy.ts";

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

Deno.test("the policy of the guide can be used as it is, and its own cases pass", async () => {
  const guide = await Deno.readTextFile("docs/guides/policy.md");
  const text = /```yaml\n([\s\S]*?)```/.exec(guide)?.[1] ?? "";
  const policy = parsePolicy(text);
  deepEqual(testPolicy(policy, text).map(({ name, ok }) => [name, ok]), [["a slip is denied", true]]);
});
