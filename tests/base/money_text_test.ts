import { equal } from "../support/assert.ts";
import { moneyText, roundMoney } from "../../src/base/text/money_text.ts";

Deno.test("amounts are rounded as they are written, halves away from zero, and the smallest to zero", () => {
  for (
    const [amount, decimals, rounded] of [
      [1.005, 2, 1.01],
      [-1.005, 2, -1.01],
      [1199.5, 0, 1200],
      [0.1 + 0.2, 2, 0.3],
      [0.0000005, 2, 0],
      [5e-324, 2, 0],
    ] as const
  ) equal(roundMoney(amount, decimals), rounded, String(amount));
});

Deno.test("an amount has the decimals of its currency, and more where it has more of its own", () => {
  equal(moneyText(1200, 0), "1200");
  equal(moneyText(0.5, 2), "0.50");
  equal(moneyText(0.125, 2), "0.125");
});
