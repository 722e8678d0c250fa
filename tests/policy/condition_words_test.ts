import assert from "node:assert/strict";
import { compileCondition } from "../../src/plans/policy/condition.ts";

const FACTS = {
  entity: { state: "ENABLED", keywordText: "salt and pepper" },
  figures: { clicks30d: 12, acos30d: 0.4, orders30d: 0, sales30d: 0, cost30d: 5 },
};

Deno.test("and, or and not stand for the signs of the language, and mean nothing in texts", () => {
  for (
    const [text, wanted] of [
      ["acos30d > 30% and clicks30d >= 10", true],
      ["acos30d > 50% or clicks30d >= 10", true],
      ["not acos30d > 50% and clicks30d >= 10", true],
      ["not acos30d > 30%", false],
      ["not (acos30d > 30% and clicks30d >= 10)", false],
      ["not not acos30d > 30%", true],
      ["clicks30d > 100 or not (orders30d > 0 or clicks30d > 20)", true],
      ["(not clicks30d > 20) and acos30d > 30%", true],
      ['keywordText == "salt and pepper" AND clicks30d > 1', true],
      ["like(keywordText, 'salt and*') and NOT state == 'PAUSED'", true],
      ["acos30d > 30% && clicks30d >= 10 || orders30d > 3", true],
      ["not clicks30d > 100 or orders30d == 0", true],
      ["not acos30d > 30% or clicks30d >= 10", true],
      ["not (clicks30d >= 10) or acos30d > 30%", true],
      ["not acos30d > 30% && clicks30d >= 10", false],
      ["(not (acos30d > 30%)) || (not clicks30d > 20)", true],
      ["keywordText == 'salt and pepper' or 'not' == 'or'", true],
      ["keywordText == 'acos30d.low' or not state == 'ENABLED'", false],
      ["figures.clicks30d >= 12 AND Not figures.clicks30d > 12", true],
    ] as const
  ) {
    assert.equal(compileCondition(text).judge(FACTS), wanted, text);
    assert.equal(compileCondition(text).text, text);
  }
  assert.throws(() => compileCondition("acos30d > 30% and"), /Cannot read the condition/);
  assert.throws(() => compileCondition(""), /Cannot read the condition ""/);
  assert.throws(() => compileCondition("not"), /Cannot read the condition/);
});
