import { deepEqual } from "../support/assert.ts";
import type { GoalTarget, TargetPeriod } from "../../src/account/goals/model.ts";
import { darkWeeks, recoveryWeeks } from "../../src/account/goals/stock_outs.ts";

/** Two targets of a product that share its weekly clicks, oldest first. */
function targetsOf(weeks: readonly (number | readonly [clicks: number, days: number])[]): GoalTarget[] {
  return ["t", "u"].map((id) => ({
    ...{ id, campaign: "c", adGroup: "g", product: "p", match: "exact", bid: 1, margin: 1 },
    periods: weeks.map((one, at): TargetPeriod => {
      const [clicks, days] = typeof one === "number" ? [one, 7] : one;
      return {
        ...{ days, age: 7 * (weeks.length - at) - 6, bid: 1, clicks: clicks / 2 },
        ...{ cost: 0, orders: 0, sales: 0, maturity: 1, inBudget: 1 },
      };
    }),
  }));
}

const agesOf = (found: ReadonlyMap<string, ReadonlySet<number>>): number[] =>
  [...found.get("p") ?? []].sort((a, b) => a - b);

Deno.test("a launch and a campaign that is resumed are no stock-outs: nothing was sold before", () => {
  const launch = targetsOf([0, 0, 0, 0, 4, 100, 100, 100]);
  deepEqual(agesOf(recoveryWeeks(launch)), []);
  deepEqual(agesOf(darkWeeks(launch)), [22, 29, 36, 43, 50], "such weeks still say nothing about bids");
  deepEqual(agesOf(recoveryWeeks(targetsOf([100, 0, 0, 100, 100, 100]))), [1, 8, 15, 22]);
  const soldOutLater = targetsOf([0, 0, 100, 100, 0, 100]);
  deepEqual(agesOf(recoveryWeeks(soldOutLater)), [1], "only the stock-out after the launch counts");
});

Deno.test("a week with few stored days is compared by its clicks per day, and below four days not at all", () => {
  deepEqual(agesOf(darkWeeks(targetsOf([[14, 1], 100, 100, 100]))), []);
  deepEqual(agesOf(recoveryWeeks(targetsOf([100, [0, 3], 100, 100]))), []);
  deepEqual(agesOf(darkWeeks(targetsOf([100, [10, 4], 100, 100]))), [], "17.5 clicks a week");
  deepEqual(agesOf(darkWeeks(targetsOf([100, [4, 4], 100, 100]))), [15], "7 clicks a week");
  const split = targetsOf([100, 4, 100, 100]).map((one) => ({
    ...one,
    periods: one.periods.flatMap((period) => [
      { ...period, days: 3, clicks: 0.5 * period.clicks },
      { ...period, days: 4, bid: 2, clicks: 0.5 * period.clicks },
    ]),
  }));
  deepEqual(agesOf(darkWeeks(split)), [15], "a week in which the bid changed is still one of seven days");
});
