import { it } from "node:test";
import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { parseGoals } from "../../src/account/mod.ts";
import { explainGoal } from "../../src/account/goals/explain_goal.ts";
import { Course } from "../../src/account/goals/market/course.ts";
import { Market } from "../../src/account/goals/market/market.ts";
import { meanRate } from "../../src/account/goals/market/search_terms.ts";
import type { GoalTarget, TermFigures } from "../../src/account/goals/model.ts";
import { planDecidedGoals } from "../../src/account/goals/plan_goals.ts";
import { knownTerms, termsRatio } from "../../src/account/goals/terms.ts";
import { estimateValues } from "../../src/account/goals/value.ts";
import { StoreError } from "../../src/store/model/store_error.ts";
import { storedWorld } from "../account/jobs/stored_world.ts";

function target(id: string, orders: number, terms: readonly TermFigures[], clicks = 100): GoalTarget {
  const week = { days: 7, bid: 1, clicks, cost: 70, orders, sales: 30 * orders, maturity: 1, inBudget: 1 };
  return {
    ...{ id, campaign: "c", adGroup: "g", product: "p", match: "exact", bid: 1, margin: 0.4, terms },
    periods: [{ ...week, age: 1 }],
  };
}

const term = (name: string | null, clicks: number, orders: number): TermFigures => ({
  term: name,
  clicks,
  orders,
});

it("a term counts with what it sold in other targets of the product, and own orders count only in the own rate", () => {
  const targets = [
    target("a", 20, [term("good", 100, 20)]),
    target("b", 20, [term("good", 100, 20)]),
    target("few", 0, [term("good", 4, 0)], 4),
    target("alone", 30, [term("own", 100, 30)]),
    { ...target("elsewhere", 30, [term("good", 100, 30)]), product: "q" },
  ];
  const [a, , few, alone, elsewhere] = knownTerms(targets, new Float64Array(5).fill(0.1));
  // The product has 70 orders where 30.4 are expected. In a: 20 of b and 0 of few, where 10.4 are; in few: 40 where 20 are.
  const ofFew = (40 + 8) / (20 * 70 / 30.4 + 8);
  ok(Math.abs(a![0]!.ratio - (20 + 8) / (10.4 * 70 / 30.4 + 8)) < 1e-9);
  ok(Math.abs(few![0]!.ratio - ofFew) < 1e-9);
  deepEqual([alone?.[0]?.ratio, elsewhere?.[0]?.ratio], [1, 1], "no other target of the product has these");
  ok(Math.abs(termsRatio(few ?? []) - (5 + 4 * ofFew) / 9) < 1e-9);
  equal(termsRatio([]), 1);
});

it("a keyword of few clicks is worth what its terms bring elsewhere, and terms that it alone has change nothing", () => {
  const others = (name: string, orders: number): GoalTarget[] =>
    Array.from({ length: 6 }, (_, at) => target(`${name}${at}`, orders, [term(name, 100, orders)]));
  const rates = (terms: readonly TermFigures[], isUsed = true): number => {
    const targets = [...others("good", 20), ...others("bad", 2), target("few", 0, terms, 4)];
    return estimateValues(targets, { terms: isUsed }).rate.at(-1)!;
  };
  const [good, bad, alone] = [[term("good", 4, 0)], [term("bad", 4, 0)], [term("own", 4, 0)]].map((one) =>
    rates(one)
  );
  ok(good! > 1.3 * bad!, `${good} and ${bad}`);
  ok(good! > 1.1 * alone! && alone! > 1.1 * bad!);
  equal(rates([term("good", 4, 0)], false), rates([term("bad", 4, 0)], false));
  const targets = [...others("good", 20), ...others("bad", 2), target("few", 0, [term("good", 4, 0)], 4)];
  const without = targets.map(({ terms: _, ...one }) => one);
  deepEqual(estimateValues(without), estimateValues(targets, { terms: false }), "none stored, or none used");
});

it("terms that no other target has count as one as they do apart", () => {
  const both = (own: readonly TermFigures[]): GoalTarget[] => [
    target("a", 25, [term("good", 50, 20), ...own]),
    target("b", 10, [term("good", 100, 10)]),
  ];
  const [apart, together] = [
    [term("own", 30, 4), term("rare", 20, 1)],
    [term(null, 50, 5)],
  ].map((own) => estimateValues(both(own)));
  deepEqual(together!.rate, apart!.rate);
  deepEqual(together!.terms?.[0]?.map(({ term, ratio }) => [term, ratio === 1]), [["good", false], [
    null,
    true,
  ]]);
});

it("a report of terms that knows half of the orders makes no term worse than another", () => {
  const targets = ["a", "b", "c"].map((id) => target(id, 20, [term("one", 50, 5), term("two", 50, 5)]));
  for (const own of knownTerms(targets, new Float64Array(3).fill(0.2))) {
    for (const { ratio } of own) ok(Math.abs(ratio - 1) < 1e-9, `${ratio}`);
  }
});

it("search terms are no part of what the ad group lets expect", () => {
  const others = (name: string, orders: number): GoalTarget[] =>
    Array.from({ length: 6 }, (_, at) => target(`${name}${at}`, orders, [term(name, 100, orders)]));
  const few = (name: string): GoalTarget => target(`few ${name}`, 0, [term(name, 4, 0)], 4);
  const { rate, parent } = estimateValues([
    ...others("good", 20),
    ...others("bad", 2),
    few("good"),
    few("bad"),
  ]);
  ok(rate[12]! > 1.3 * rate[13]!);
  ok(Math.abs(parent[12]! / parent[13]! - 1) < 1e-9, `${parent[12]} and ${parent[13]}`);
});

it("the market splits the clicks and orders of a target among terms that several targets share", () => {
  const market = new Market({ seed: "terms test", targets: 60, clicks: 20, weeks: 12 });
  const course = new Course(market);
  const shared = new Map<number, number>();
  market.terms.forEach(({ terms }) => terms.forEach((one) => shared.set(one, (shared.get(one) ?? 0) + 1)));
  ok([...shared.values()].filter((count) => count > 1).length > 10);
  let [expected, seen] = [0, 0];
  for (let week = 0; week < 12; week++) {
    const { final, early, terms } = course.step(market.first);
    terms.forEach((own, at) => {
      const sum = (of: Uint16Array): number => of.reduce((all, one) => all + one, 0);
      deepEqual([sum(own.clicks), sum(own.orders), sum(own.early)], [
        final.clicks[at],
        final.orders[at],
        early.orders[at],
      ]);
      own.early.forEach((one, k) => ok(one <= own.orders[k]!, "what is known early is part of all"));
      // Orders come from the terms that sell more, in the mean.
      const { shares, rates, terms: ids } = market.terms[at]!;
      own.orders.forEach((orders, k) => {
        if (ids.length < 2 || rates[k]! <= meanRate(market.terms[at]!, week)) return;
        seen += orders;
        expected += final.orders[at]! * shares[week * ids.length + k]!;
      });
    });
  }
  ok(seen > 1.05 * expected, `${seen} and ${expected}`);
});

it("stored search terms enter the value of a keyword, and the explanation shows them as stored", async () => {
  await using at = await storedWorld();
  const ca = await at.world.ads.profile("CA");
  const days = { start: "2026-09-09", end: "2026-09-29" };
  const reports = ["sp_targeting", "sp_campaigns", "sp_placement"] as const;
  await at.store.sync(ca, { reports, ...days });
  const file = parseGoals(
    "version: 1\nhold_back: 0\ngoals:\n  all: { aim: sales, acos: 25% }\n",
    "goals.yaml",
  );
  const decide = (explained: readonly string[] = []) =>
    planDecidedGoals(ca, { store: at.store, file, sync: false, explained });
  const before = await decide();
  ok(before.goals[0]?.decision.rows.every(({ terms }) => terms.length === 0));
  await at.store.sync(ca, { reports: ["sp_search_terms"], ...days });
  const after = await decide();
  const rows = after.goals[0]?.decision.rows ?? [];
  const row = rows.find(({ terms }) => terms.some(({ ratio }) => Math.abs(ratio - 1) > 1e-6));
  ok(row !== undefined, "terms are shared");
  const rateOf = (one: typeof before): number | undefined =>
    one.goals[0]?.decision.rows.find(({ id }) => id === row.id)?.rate;
  ok(rateOf(before) !== rateOf(after));
  const { rows: [stored] } = await at.store.query(
    "SELECT search_term AS term, sum(clicks) AS clicks FROM sp_search_terms WHERE profile_id = ? AND keyword_id = ? " +
      "AND search_term IN (SELECT search_term FROM sp_search_terms WHERE profile_id = ? AND keyword_id <> ? AND clicks > 0) " +
      "GROUP BY search_term ORDER BY clicks DESC, search_term LIMIT 1",
    [ca.profileId, row.id, ca.profileId, row.id],
  );
  const { rows: [all] } = await at.store.query(
    "SELECT sum(clicks) AS clicks, sum(coalesce(purchases_14d, purchases_7d)) AS orders FROM sp_search_terms WHERE profile_id = ? AND keyword_id = ?",
    [ca.profileId, row.id],
  );
  const sum = (name: "clicks" | "orders"): number => row.terms.reduce((sum, one) => sum + one[name], 0);
  deepEqual([sum("clicks"), sum("orders")], [all?.["clicks"], all?.["orders"]]);
  equal(row.terms.at(-1)?.term, null, "the demo's keywords have terms of their own");
  match(
    explainGoal(await decide([row.id]), row.id).join("\n"),
    new RegExp(
      `terms {5}by what other targets sold with its search terms, .* ${
        termsRatio(row.terms).toFixed(2)
      } times .*: ` +
        `"${stored?.["term"]}" [\\d.]+ \\(here ${stored?.["clicks"]} clicks?, `,
    ),
  );
  const query = at.store.query.bind(at.store);
  at.store.query = (sql, ...rest) =>
    sql.includes("sp_search_terms") ? Promise.reject(new StoreError("too slow")) : query(sql, ...rest);
  const unread = await decide();
  equal(rateOf(unread), rateOf(before));
  match(unread.plan.warnings.join("\n"), /without search terms, which could not be read \(too slow\)/);
});
