import { equal, match, throws } from "node:assert/strict";
import { parsePolicy } from "../../src/policy/parse_policy.ts";

Deno.test("a policy text has its limits of size", () => {
  const padded = (length: number): string => "version: 1\n#".padEnd(length, "x");
  equal(parsePolicy(padded(1_000_000)).rules.length, 0);
  throws(() => parsePolicy(padded(1_000_001)), /It is larger than 1,000,000 characters/);
  const rules = (count: number): string =>
    `version: 1\nrules:\n${
      Array.from({ length: count }, (_, index) =>
        `  - { name: r${index}, when: "true", level: deny, message: m }`)
        .join("\n")
    }`;
  equal(parsePolicy(rules(500)).rules.length, 500);
  throws(() => parsePolicy(rules(501)), /rules/);
  const named = (length: number): string => `version: 1\nallow_kinds: [${"k".repeat(length)}]`;
  equal(parsePolicy(named(80)).rules.length, 1);
  throws(() => parsePolicy(named(81)), /allow_kinds\.0/);
  throws(() => parsePolicy("version: 1\nallow_kinds: ['']"), /allow_kinds\.0/);
});

Deno.test("of very many problems the first hundred are shown, and the rest counted", () => {
  const problems = (count: number): string => {
    const unknown = Array.from({ length: count }, (_, index) => `max_${index}: { from: x }`);
    try {
      parsePolicy(`version: 1\nlevels:\n${unknown.map((_, index) => `  l${index}: deny`).join("\n")}`);
    } catch (error) {
      return (error as Error).message;
    }
    return "";
  };
  equal(problems(100).split("\n").length, 101);
  match(problems(102), /\n {2}and 2 more$/);
});
