import { equal } from "../support/assert.ts";
import fc from "fast-check";
import { namePattern, plainName } from "../../src/plans/policy/name_pattern.ts";

const LETTERS = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 8 });

Deno.test("a pattern matches the names that the same regular expression matches", () => {
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 7 });
  fc.assert(
    fc.property(pattern, LETTERS, (text, name) => {
      const expression = new RegExp(`^${text.replaceAll("*", ".*")}$`);
      equal(namePattern(text)(name), expression.test(name), `${text} and ${name}`);
    }),
    { seed: 11, numRuns: 5000 },
  );
});

const CASES: readonly (readonly [pattern: string, name: string, matches: boolean])[] = [
  ["Brand*", "ＢＲＡＮＤ shoes", true],
  ["Brand*", "Br\u200Band shoes", true],
  ["Brand*", "Вrand", true],
  ["*shoes", "Red  SHOES", true],
  ["red shoes", "red   shoes", true],
  ["é", "e\u0301", true],
  ["Brand*", "My Brand", false],
  ["a*bc*d", "a bc d", true],
  ["a*bc*d", "a b c d", false],
];

for (const [pattern, name, matches] of CASES) {
  Deno.test(`the pattern ${pattern} ${matches ? "matches" : "does not match"} ${JSON.stringify(name)}`, () => {
    equal(namePattern(pattern)(name), matches);
  });
}

Deno.test("a plain name has no case, no accents, no invisible characters and no lookalikes", () => {
  equal(plainName("  Ｃafé\u200B  ΑВС "), "cafe abc");
});
