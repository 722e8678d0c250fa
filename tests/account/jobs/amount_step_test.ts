import { equal, throws } from "../../support/assert.ts";
import { parseStep, steppedAmount } from "../../../src/account/jobs/amount_step.ts";

const BOUNDS = { min: 0.02, max: 2.5, decimals: 2 };

for (
  const [step, amount, expected] of [
    ["+10%", 1, 1.1],
    ["-10%", 1, 0.9],
    ["*1.2", 0.5, 0.6],
    ["+0.05", 0.5, 0.55],
    ["-0.05", 0.5, 0.45],
    ["0.8", 0.5, 0.8],
    ["+10%", 2.4, 2.5],
    ["+10%", 2.5, undefined],
    ["+10%", 3, undefined],
    ["-10%", 3, 2.5],
    ["-99%", 0.05, 0.02],
    ["-10%", 0.01, undefined],
    ["+1%", 0.1, undefined],
    ["0.8", 0.8, undefined],
  ] as const
) {
  Deno.test(`${step} makes ${amount} ${expected ?? "stay as it is"}`, () => {
    equal(steppedAmount(amount, parseStep(step), BOUNDS), expected);
  });
}

Deno.test("a change that is none, or leaves nothing above 0, is refused", () => {
  for (const text of ["", "ten", "10%", "*10%", "+-3", "1,5"]) {
    throws(() => parseStep(text), /expected a change/);
  }
  for (const text of ["-10", "+ 2"]) {
    throws(() => parseStep(text), /write [+-]\d+% for percent, or [+-]\d+\.00/);
  }
  equal(parseStep("-10.00").of(12), 2);
  for (const text of ["-100%", "*0", "0"]) throws(() => parseStep(text), /above 0/);
});
