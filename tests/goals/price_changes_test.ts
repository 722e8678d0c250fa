import { deepEqual, match } from "../support/assert.ts";
import { priceWarnings } from "../../src/account/goals/goal_notes.ts";
import type { Goal } from "../../src/account/goals/goals_file.ts";
import type { GoalEntity, GoalPlace } from "../../src/account/goals/read_goals.ts";

/** One ad group with orders of each week, newest first, and the value of an order lately and before. */
function warnings(orders: number, { latest, before }: { latest: number; before: number }): string[] {
  const weekly = new Map([[
    "k",
    new Map([0, 1, 2, 3, 4].map((week) => [week, {
      ...{ clicks: 100, cost: 50, orders },
      sales: orders * (week < 2 ? latest : before),
    }])),
  ]]);
  return priceWarnings({
    goal: { name: "all" } as Goal,
    campaigns: [{ id: "c", name: "Shoes" } as GoalPlace],
    entities: [{ id: "k", adGroupId: "g", campaignId: "c" } as GoalEntity],
  }, { weekly });
}

Deno.test("a changed price is recognised by the value of orders, and named with its campaign", () => {
  const [text = "", ...others] = warnings(40, { latest: 30, before: 20 });
  match(
    text,
    /^all: an order of 1 ad group has another value than before, for example 30.00 instead of 20.00 in campaign "Shoes"/,
  );
  deepEqual(others, []);
  match(warnings(40, { latest: 14, before: 20 })[0] ?? "", /14.00 instead of 20.00/);
});

Deno.test("few orders, or values that differ by chance, are not taken for another price", () => {
  deepEqual(warnings(4, { latest: 40, before: 20 }), []);
  deepEqual(warnings(8, { latest: 26, before: 20 }), []);
  deepEqual(warnings(400, { latest: 22, before: 20 }), []);
});
