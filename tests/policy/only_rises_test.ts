import { equal } from "../support/assert.ts";
import { compileWatch } from "../../src/automation/watch/watch_names.ts";

const OPEN = { growing: new Set(["cost7d", "clicks7d", "orders7d"]), unknown: new Set(["acos7d"]) };

for (
  const [condition, holds] of [
    ["cost7d > 100", true],
    ["100 < cost7d", true],
    ["cost7d >= 2 * cost1d_median + 5", true],
    ["cost7d * 2 > 100 && clicks7d > 10", true],
    ["cost7d > 100 || campaign == 'x'", true],
    ["cost7d + clicks7d > 100", true],
    ["cost7d > clicks7d", false],
    ["cost7d < 100", false],
    ["cost7d > 100 && orders7d == 0", false],
    ["!(cost7d > 100)", false],
    ["cost7d - 5 > 100", false],
    ["cost7d * -1 > 100", false],
    ["acos7d > 30% && cost7d > 100", false],
    ["cost30d > 100 && acos30d > 30%", true],
  ] as const
) {
  Deno.test(`"${condition}" ${holds ? "still holds" : "may not hold"} when missing days arrive`, () => {
    equal(compileWatch(condition, "campaign").onlyRises(OPEN), holds);
  });
}
