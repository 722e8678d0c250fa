import assert from "node:assert/strict";
import fc from "fast-check";
import { literalName, namePattern } from "../../src/base/text/name_pattern.ts";

const CASES: [pattern: string, matching: string[], other: string[]][] = [
  ["SP *", ["SP | Shoes", "sp tents", "SP "], ["SP", "x SP | Shoes"]],
  ["*shoes*", ["Trail Shoes 2", "shoes"], ["shoe"]],
  ["a*c", ["abc", "ac", "a\nc"], ["abcd", "bac"]],
  ["50 % (off) *.", ["50 % (off) x."], ["50 % off x."]],
  ["\\** new", ["* very new"], ["a very new"]],
  ["日*", ["日本語"], ["本日"]],
];

Deno.test("a star in a name stands for any text, a star behind a backslash for itself", () => {
  for (const [pattern, matching, other] of CASES) {
    for (const name of matching) assert.match(name, namePattern(pattern)!, pattern);
    for (const name of other) assert.doesNotMatch(name, namePattern(pattern)!, pattern);
  }
  assert.equal(namePattern("5 \\* hotel"), undefined);
  assert.equal(literalName("5 \\* hotel"), "5 * hotel");
});

Deno.test("every name matches itself between stars, whatever it holds", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string(), (name, other) => {
      const typed = name.replaceAll("\\", "").replaceAll("*", "\\*");
      const pattern = namePattern(`*${typed}*`);
      assert.ok(pattern!.test(`${other}${literalName(typed)}${other}`));
    }),
    { seed: 1 },
  );
});
