import { equal } from "../../support/assert.ts";
import { spendText } from "../../../src/plans/view/plan_lines.ts";

function text(low: number, high: number, currency = "CAD", country = "CA"): string {
  return spendText({ currency, perDay: { low, high }, known: 1, unknown: 0, basis: [] }, country);
}

Deno.test("the range of spend has the decimals of its currency, and one amount where both ends are the same", () => {
  equal(text(0, 5.7852194788953195), "+0.00 to +5.79 CAD");
  equal(text(-1.25, 0.001), "-1.25 to +0.00 CAD");
  equal(text(3.001, 3), "+3.00 CAD");
  equal(text(-120.4, 80.6, "JPY", "JP"), "-120 to +81 JPY");
});
