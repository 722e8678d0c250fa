import { deepEqual, equal, ok, throws } from "../support/assert.ts";
import { decideGoal } from "../../src/account/goals/decide.ts";
import type { GoalInput, GoalTarget, TargetPeriod } from "../../src/account/goals/model.ts";
import { goal, LIMITS, target, twenty, week } from "./made_goal.ts";
import { learnResponses } from "../../src/account/goals/response.ts";
import { estimateValues } from "../../src/account/goals/value.ts";
import { drawsOf, poissonAt } from "../../src/account/goals/market/draws.ts";
import { largeGoal } from "./large_goal.ts";
import { Market } from "../../src/account/goals/market/market.ts";
import { goals, knowing, noChange, play } from "../../src/account/goals/market/play.ts";

/** Siblings that differ: 0 to 4 orders a week. */
const spread = (): GoalTarget[] =>
  Array.from({ length: 20 }, (_, at) => target(`t${at}`, { orders: at % 5, sales: 30 * (at % 5) }));

Deno.test("a target without an order is worth less than its siblings, but not nothing, and says how little is known", () => {
  const targets = [
    ...spread(),
    target("few", { clicks: 2, orders: 0, sales: 0 }),
    target("many", { clicks: 60, orders: 0, sales: 0 }),
  ];
  const { rate, cv } = estimateValues(targets);
  const [usual, few, many] = [rate[2]!, rate[20]!, rate[21]!];
  ok(few > 0.6 * usual && few < usual, "eight clicks say little");
  ok(many < 0.5 * usual && many > 0, "240 clicks say much");
  ok(cv[20]! > 1.2 * cv[2]!);
  const { rows } = decideGoal(goal(targets));
  ok(rows[20]!.clicksMissing > 20 && rows[21]!.ownWeight > 0.8);
});

Deno.test("orders that are still to come do not make the newest days look bad", () => {
  const young = (maturity: number): GoalTarget =>
    target("t", {}, { periods: [week(15), week(8), week(1, { orders: 1, sales: 30, maturity })] });
  const siblings = twenty();
  const late = estimateValues([...siblings, young(0.5)]).rate[20]!;
  const bad = estimateValues([...siblings, young(1)]).rate[20]!;
  ok(late > 1.04 * bad);
});

Deno.test("clicks that move to targets that sell more are not read as a season in which all sell more", () => {
  // Two weeks ago bids moved clicks from targets of 2 % to those of 20 %; each rate stays what it was.
  const two = (id: string, rate: number, clicks: readonly number[]): GoalTarget =>
    target(id, {}, {
      periods: clicks.map((one, at) =>
        week([43, 36, 29, 22, 15, 8, 1][at]!, { clicks: one, orders: rate * one, sales: 30 * rate * one })
      ),
    });
  const targets = Array.from(
    { length: 40 },
    (_, at) =>
      at % 2 === 0
        ? two(`good${at}`, 0.2, [100, 100, 100, 100, 100, 300, 300])
        : two(`bad${at}`, 0.02, [300, 300, 300, 300, 300, 100, 100]),
  );
  const { rate } = estimateValues(targets);
  ok(Math.abs(rate[0]! / 0.2 - 1) < 0.05, `${rate[0]}`);
  ok(Math.abs(rate[1]! / 0.02 - 1) < 0.1, `${rate[1]}`);
});

Deno.test("an ad group whose clicks stop keeps its bids and adjustments, because a stop says nothing about bids", () => {
  const stopped = [22, 15, 8].map((age) => week(age));
  const groups = [
    ...twenty().map((one) => ({
      ...one,
      periods: [...stopped, week(1, { clicks: 0, cost: 0, orders: 0, sales: 0 })],
    })),
    ...twenty({ campaign: "d", adGroup: "h" }).map((one) => ({ ...one, id: `${one.id}h` })),
  ];
  const places = [300, 200, 100].map((orders) => ({ adjustment: 0, clicks: 2000, orders }));
  const campaigns = ["c", "d"].map((id) => ({ id, budget: 50, placements: places }));
  const { rows, adjustments } = decideGoal(goal(groups, { campaigns }));
  ok(rows.slice(0, 20).every(({ kept, locked }) => kept === "locked" && locked === "no_clicks"));
  ok(rows.slice(20).some(({ kept }) => kept === null));
  deepEqual([...adjustments.keys()], ["d"]);
});

Deno.test("a stock-out does not teach the value: what sells less after it is expected to sell as before later", () => {
  const usual = { clicks: 100, orders: 10, sales: 300 };
  const out = { clicks: 0, cost: 0, orders: 0, sales: 0 };
  const weak = { clicks: 100, orders: 6, sales: 180 };
  const weeks = (figures: readonly Partial<TargetPeriod>[]): TargetPeriod[] =>
    figures.map((one, at) => week(7 * (figures.length - at) - 6, one));
  const rates = (latest: readonly Partial<TargetPeriod>[], recover: boolean): readonly [number, number] => {
    const steady = Array.from({ length: 6 + latest.length }, () => usual);
    const targets = [
      ...twenty().map((one) => ({ ...one, periods: weeks(steady) })),
      ...twenty({ product: "q", campaign: "d", adGroup: "h" }).map((one) => ({
        ...one,
        id: `${one.id}q`,
        periods: weeks([usual, usual, usual, usual, usual, usual, ...latest]),
      })),
    ];
    const { rate } = estimateValues(targets, { recover });
    return [rate[0]!, rate[20]!];
  };
  const back = [out, out, weak, weak, weak, weak];
  const [, during] = rates(back, true);
  ok(during > 0.055 && during < 0.07, `${during}`);
  const [other, after] = rates([...back, usual, usual, usual], true);
  ok(Math.abs(after / 0.1 - 1) < 0.03 && Math.abs(other / 0.1 - 1) < 0.02, `${after}`);
  ok(rates([...back, usual, usual, usual], false)[1] < 0.95 * after);
});

Deno.test("the elasticity of an account is learned from its own changes of bids", () => {
  const learned = (elasticity: number): number => {
    const draws = drawsOf(`elasticity ${elasticity}`);
    const targets = Array.from({ length: 150 }, (_, at) => {
      const usual = draws.between(10, 60);
      return target(`t${at}`, {}, {
        periods: [36, 29, 22, 15, 8, 1].map((age) => {
          const bid = Math.exp(draws.normal(0, 0.25));
          const clicks = poissonAt(usual * bid ** elasticity, draws.uniform());
          return week(age, { bid, clicks, cost: 0.6 * bid * clicks });
        }),
      });
    });
    const found = learnResponses(targets, new Float64Array(150).fill(1)).elasticity;
    return found.reduce((sum, one) => sum + one, 0) / 150;
  };
  const [low, high] = [learned(0.5), learned(1.3)];
  ok(Math.abs(low - 0.5) < 0.12, `0.5 is learned as ${low}`);
  ok(Math.abs(high - 1.3) < 0.25, `1.3 is learned as ${high}`);
});

Deno.test("a change of a bid that was not drawn says a third of what its clicks would say", () => {
  // An elasticity of 0.8 by the price: 0.8 × c / (m - c), with c = 0.7 of the bid and a prior m of 1.4.
  const [usual, step, price, prior] = [4, 0.3, 0.7, 1.4];
  const learned = (count: number): number => {
    const targets = Array.from({ length: count }, (_, at) =>
      target(`t${at}`, {}, {
        periods: [8, 1].map((age) => {
          const bid = age === 1 ? 1 : Math.exp(at % 2 === 0 ? step : -step);
          const clicks = usual * bid ** 0.8;
          return week(age, { bid, clicks, cost: price * bid ** 0.8 * clicks });
        }),
      }));
    return learnResponses(targets, new Float64Array(count).fill(1)).marginalDeviation;
  };
  // Fisher information of one change about ln(m), by the binomial split of its clicks over both weeks.
  const slope = step * 0.8 * price * prior / (prior - price) ** 2;
  const information = 2 * usual / 4 * slope ** 2;
  // The drift of 0.08 comes on top of what the data say.
  const precision = (count: number): number => 1 / (learned(count) ** 2 - 0.08 ** 2);
  const share = (precision(2000) - precision(1000)) / (1000 * information);
  ok(share > 0.21 && share < 0.3, `${share}`);
});

Deno.test("a bid that a schedule moves by the hour responds as its mean bid, whatever it is at the moment", () => {
  const learned = (more: Partial<GoalTarget>): readonly number[] => {
    const all = [...twenty(), target("t", { bid: 0.8, cost: 12 }, more)];
    const { clicks, price, elasticity } = learnResponses(all, new Float64Array(21).fill(1));
    return [clicks[20]!, price[20]!, elasticity[20]!, price[0]!];
  };
  deepEqual(learned({ bid: 0.4, meanBid: 0.8 }), learned({ bid: 0.8 }));
});

Deno.test("days out of budget are not read as weak demand", () => {
  const clicks = (inBudget: number): number =>
    learnResponses([...twenty(), target("t", { clicks: 10, inBudget })], new Float64Array(21).fill(1))
      .clicks[20]!;
  ok(Math.abs(clicks(0.5) / clicks(1) - 2) < 0.15);
});

Deno.test("every bid pays the same share of its worth, unless a bound binds, which the row says", () => {
  const targets = [
    ...twenty(),
    target("good", { orders: 6, sales: 180 }, { adGroup: "h" }),
    target("bad", { orders: 0, sales: 0, clicks: 60 }, { adGroup: "i" }),
  ];
  const decision = decideGoal(goal(targets, { money: { left: 300, daysLeft: 10, reserve: 0 } }));
  ok(decision.scale < 1 && decision.priceOfMoney > 0);
  for (const row of decision.rows) {
    ok(Math.abs(row.free - decision.scale * row.worth.value / decision.marginal) < 1e-9);
    ok(row.next >= 0.7 && row.next <= 1.4);
  }
  equal(decision.rows[20]!.bound ?? decision.rows[20]!.kept, "raise");
  equal(decision.rows[20]!.next, 1.4);
  equal(decision.rows[21]!.bound, "cut");
  equal(decision.rows[21]!.next, 0.7);
});

Deno.test("budgets times days left never exceed what is left less the reserve", () => {
  const campaigns = ["c", "d"].map((id) => ({ id, budget: 400 }));
  const targets = [
    ...twenty(),
    ...twenty({ campaign: "d", adGroup: "x" }).map((one) => ({ ...one, id: `${one.id}x` })),
  ];
  for (const left of [80, 400, 3000]) {
    const { budgets } = decideGoal(goal(targets, { campaigns, money: { left, daysLeft: 13, reserve: 20 } }));
    const sum = campaigns.reduce((all, { id, budget }) => all + (budgets.get(id) ?? budget), 0);
    ok(13 * sum <= left - 20 + 1e-9, `${13 * sum} of ${left}`);
  }
  const [least, ...other] = campaigns;
  const { stopped, budgets, rows } = decideGoal(goal(targets, {
    campaigns: [{ ...least!, budget: 0.5 }, ...other],
    limits: { ...LIMITS, minBudget: 5, floorBudget: 1 },
    money: { left: -30, daysLeft: 20, reserve: 0 },
  }));
  deepEqual(
    [stopped, [...budgets]],
    ["amount_too_small", [["d", 1]]],
    "an amount that is used up raises none",
  );
  ok(rows.every(({ bid, next, kept }) => bid === next && kept === "amount_too_small"));
});

Deno.test("budgets fall below those of the goal only as far as the month needs, and never rise above its limit", () => {
  const campaigns = Array.from({ length: 10 }, (_, at) => ({ id: `c${at}`, budget: 25 }));
  const targets = campaigns.map(({ id }, at) => target(`t${at}`, {}, { campaign: id, adGroup: id }));
  const limits = { ...LIMITS, minBudget: 20, floorBudget: 1 };
  const { budgets } = decideGoal(goal(targets, {
    campaigns,
    limits,
    money: { left: 5700, daysLeft: 30, reserve: 0 },
  }));
  // Ten budgets of 19 over 30 days.
  deepEqual([...new Set(budgets.values())], [19]);
  equal(budgets.size, 10);
  const small = decideGoal(goal(twenty({ bid: 1.9 }), {
    campaigns: [{ id: "c", budget: 2 }],
    limits: { ...LIMITS, maxBudget: 2 },
  }));
  ok((small.budgets.get("c") ?? 2) <= 2);
});

Deno.test("what the month left unspent, and what today has spent, is taken off the budgets", () => {
  const targets = twenty();
  const money = { left: 400, daysLeft: 10, reserve: 0 };
  const budget = (more: object): number =>
    decideGoal(goal(targets, { campaigns: [{ id: "c", budget: 400, ...more }], money })).budgets.get("c") ??
      400;
  equal(budget({}), 40);
  // Ten days of twice the budget come to 400.
  equal(budget({ unspent: 1000 }), 20);
  equal(budget({ unspent: 50 }), 35);
  // 58 of today and nine budgets.
  equal(budget({ spentToday: 58 }), 38);
  equal(budget({ isFixed: true }), 400);
  equal(budget({ unspent: 1000, highestBid: 22.5 }), 22.5, "no budget is lower than a bid");
  const roomy = decideGoal(
    goal(targets, { campaigns: [{ id: "c", budget: 400 }], money: { ...money, left: 9000 } }),
  );
  deepEqual([roomy.budgets.size, roomy.most], [0, 4000], "an amount with room lowers nothing");
});

Deno.test("campaigns that share what they leave have one sum of it, and what others lend is taken off too", () => {
  const targets = [...twenty(), ...twenty({ campaign: "d" }).map((one) => ({ ...one, id: `${one.id}d` }))];
  const budgets = (isSharing: boolean, lent = 0): number => {
    const campaigns = [
      { id: "c", budget: 400, isSharing, unspent: 400 },
      { id: "d", budget: 400, isSharing },
    ];
    const decision = decideGoal(
      goal(targets, { campaigns, money: { left: 400, daysLeft: 10, reserve: 0, lent } }),
    );
    return campaigns.reduce((sum, { id }) => sum + decision.budgets.get(id)!, 0);
  };
  const [alone, sharing, borrowing] = [budgets(false), budgets(true), budgets(true, 5000)];
  // Alone, only the first may spend twice its budget.
  ok(alone > 26 && alone < 27);
  ok(Math.abs(sharing - 20) < 0.03);
  ok(Math.abs(borrowing - 20) < 0.03);
  const all = twenty();
  const lent = decideGoal(goal(all, {
    campaigns: [{ id: "c", budget: 400, isSharing: true }],
    money: { left: 400, daysLeft: 10, reserve: 0, lent: 100 },
  }));
  equal(lent.budgets.get("c"), 30);
});

Deno.test("orders are bought up to their cost, and a lower cost gives lower bids", () => {
  const targets = Array.from({ length: 40 }, (_, at) => target(`t${at}`, { orders: 1 + at % 3 }));
  const at = (cost: number) => decideGoal(goal(targets, { aim: { kind: "orders", cost } }));
  const [strict, loose] = [at(6), at(7)];
  ok(strict.expected.cost / strict.expected.orders <= 6 + 1e-3);
  ok(loose.expected.orders > strict.expected.orders);
  ok(strict.rows.every((row, place) => row.free < loose.rows[place]!.free));
});

Deno.test("a lower target of ACOS gives lower bids and an expected ACOS that keeps it", () => {
  const targets = Array.from(
    { length: 40 },
    (_, at) => target(`t${at}`, { orders: 1 + at % 3, sales: 30 + 30 * (at % 3) }),
  );
  const limits = { ...LIMITS, cut: 0.9 };
  const at = (acos: number) => decideGoal(goal(targets, { aim: { kind: "sales", acos }, limits }));
  const [strict, loose] = [at(0.2), at(0.24)];
  ok(strict.expected.acos <= 0.98 * 0.2 + 1e-3 && loose.expected.acos > strict.expected.acos);
  ok(strict.rows.every((row, place) => row.free < loose.rows[place]!.free));
});

Deno.test("with too few orders everything stays, and so it does where sales are no longer counted", () => {
  const few = decideGoal(
    goal(
      [target("t"), target("u", { orders: 0, sales: 0 })].map((one) => ({
        ...one,
        periods: one.periods.slice(0, 1),
      })),
    ),
  );
  deepEqual([few.stopped, few.rows.every(({ next, bid }) => next === bid)], ["too_few_data", true]);
  ok(few.ordersMissing >= 13);
  const broken = twenty().map((one) => ({
    ...one,
    periods: one.periods.map((period) => period.age === 1 ? { ...period, orders: 0, sales: 0 } : period),
  }));
  const stopped = decideGoal(goal(broken, { money: { left: 3000, daysLeft: 10, reserve: 10 } }));
  deepEqual([stopped.stopped, stopped.rows.every(({ next, bid }) => next === bid)], ["sales_stopped", true]);
});

Deno.test("a stopped goal raises no bid and no budget, with an amount that is wide, tight or absent", () => {
  const siblings = [...twenty(), ...twenty({ campaign: "d" }).map((one) => ({ ...one, id: `${one.id}d` }))];
  const broken = siblings.map((one) => ({
    ...one,
    periods: one.periods.map((period) => period.age === 1 ? { ...period, orders: 0, sales: 0 } : period),
  }));
  const campaigns = [{ id: "c", budget: 2 }, { id: "d", budget: 90 }];
  const limits = { ...LIMITS, minBudget: 3 };
  for (const left of [undefined, 9000, 500]) {
    const money = left === undefined ? {} : { money: { left, daysLeft: 10, reserve: 0 } };
    const run = (targets: readonly GoalTarget[], isHarmful: boolean) =>
      decideGoal(
        goal(targets, {
          aim: { kind: "sales", acos: 0.5 },
          campaigns,
          limits,
          isHarmful,
          explore: 0.1,
          ...money,
        }),
      );
    const free = run(siblings, false);
    ok((free.budgets.get("c") ?? 0) > 2, `${left}`);
    ok(left === 500 || free.rows.some(({ bid, next }) => next > bid), `${left}`);
    for (
      const [stopped, one] of [["harmful", run(siblings, true)], [
        "sales_stopped",
        run(broken, false),
      ]] as const
    ) {
      equal(one.stopped, stopped);
      ok(one.rows.every(({ bid, next }) => bid === next), `${stopped} at ${left}`);
      ok(
        campaigns.every(({ id, budget }) => (one.budgets.get(id) ?? budget) <= budget),
        `${stopped} at ${left}`,
      );
      equal(one.adjustments.size, 0);
    }
  }
});

Deno.test("a locked target keeps its bid, and a brand target is worth its incremental share", () => {
  const targets = [
    ...twenty(),
    target("locked", { orders: 8, sales: 240 }, { locked: "cooling" }),
    target("brand", {}, { incremental: 0.4 }),
  ];
  const { rows } = decideGoal(goal(targets));
  deepEqual([rows[20]!.next, rows[20]!.kept, rows[20]!.locked], [1, "locked", "cooling"]);
  ok(Math.abs(rows[21]!.worth.value / rows[0]!.worth.value - 0.4) < 1e-9);
});

Deno.test("adjustments follow what placements bring, and base bids make room for them", () => {
  const placements = [
    { adjustment: 0, clicks: 1000, orders: 200 },
    { adjustment: 0, clicks: 1000, orders: 120 },
    { adjustment: 0, clicks: 1000, orders: 100 },
  ];
  const plain = decideGoal(goal(twenty()));
  const { adjustments, rows } = decideGoal(
    goal(twenty(), { campaigns: [{ id: "c", budget: 50, placements }] }),
  );
  const [top = 0, rest = 0, pages = 0] = adjustments.get("c") ?? [];
  ok(top === 0.25 && rest > 0.05 && rest < 0.25 && pages === 0);
  ok(rows[0]!.free < plain.rows[0]!.free);
});

Deno.test("adjustments stay where a bid must stay, or half of the clicks wait", () => {
  const placements = [300, 200, 100].map((orders) => ({ adjustment: 0, clicks: 2000, orders }));
  const other = twenty({ campaign: "d", adGroup: "h" }).map((one) => ({ ...one, id: `${one.id}h` }));
  const campaigns = ["c", "d"].map((id) => ({ id, budget: 50, placements }));
  const moved = (more: readonly GoalTarget[]): [ids: string[], waiting: number] => {
    const { adjustments, placementsWaiting } = decideGoal(
      goal([...twenty(), ...other, ...more], { campaigns }),
    );
    return [[...adjustments.keys()], placementsWaiting];
  };
  deepEqual(moved([target("open")]), [["c", "d"], 0]);
  const cooling = (clicks: number) => moved([target("cooling", { clicks }, { locked: "cooling" })]);
  deepEqual(cooling(20), [["c", "d"], 0]);
  deepEqual(cooling(20 * 19), [["c", "d"], 0]);
  deepEqual(cooling(20 * 20), [["d"], 1]);
  for (const locked of ["never", "held_back", "scheduled"]) {
    deepEqual(moved([target("locked", {}, { locked })]), [["d"], 0], locked);
  }
  const quiet = (clicks: number) =>
    moved([
      target("quiet", {}, {
        adGroup: "q",
        periods: [22, 15, 8, 1].map((age) =>
          week(age, age === 1 ? { clicks: 0, cost: 0, orders: 0, sales: 0 } : { clicks })
        ),
      }),
    ]);
  deepEqual(quiet(100), [["c", "d"], 0]);
  deepEqual(quiet(600), [["d"], 1]);
});

Deno.test("a stopped goal expects no effect, because its adjustments stay, too", () => {
  const placements = [300, 200, 100].map((orders) => ({ adjustment: 0, clicks: 2000, orders }));
  const campaigns = [{ id: "c", budget: 50, placements }];
  const { stopped, adjustments, effect, rows, expected, before } = decideGoal(
    goal(twenty(), { campaigns, isHarmful: true }),
  );
  deepEqual([stopped, adjustments.size], ["harmful", 0]);
  equal(effect.value, 0);
  deepEqual([effect.low, effect.high].map(Math.abs), [0, 0]);
  ok(rows.every(({ multiplier, change }) => multiplier === 1 && change.cost === 0));
  ok(Math.abs(expected.cost - before.cost) < 1e-9);
});

Deno.test("trials go to targets that few clicks made look bad, and cost no more than their share", () => {
  const targets = [
    ...spread(),
    ...Array.from(
      { length: 10 },
      (_, at) => target(`few${at}`, { clicks: 4, cost: 2.8, orders: 0, sales: 0 }),
    ),
  ];
  targets.push(target("lucky", { clicks: 4, cost: 2.8, orders: 1, sales: 30 }));
  const without = decideGoal(goal(targets));
  const { rows, expected } = decideGoal(goal(targets, { explore: 0.02 }));
  const tried = rows.filter(({ isTrial }) => isTrial);
  ok(tried.length > 0 && tried.every(({ id }) => id.startsWith("few")));
  ok(expected.cost <= 1.02 * without.expected.cost + 1e-9 && expected.cost > without.expected.cost);
});

Deno.test("a campaign that the goal does not name is refused", () => {
  throws(
    () => decideGoal(goal([target("t", {}, { campaign: "other" })])),
    TypeError,
    "campaign other of target t",
  );
});

Deno.test("the same input gives the same decision, and the order of targets does not matter", () => {
  const input = largeGoal(300);
  const byId = (one: GoalInput) => decideGoal(one).rows.map(({ id, next }) => `${id} ${next}`).sort();
  deepEqual(byId(input), byId({ ...input, targets: input.targets.toReversed() }));
});

Deno.test("in a market that it does not know, it comes near an oracle and beats no change, within its amount", () => {
  const market = new Market({ seed: "test", targets: 60, clicks: 8, weeks: 20 });
  const best = play(market, knowing({ kind: "profit" }));
  const ours = play(market, goals({ kind: "profit" }));
  ok(ours.profit > 0.85 * best.profit, `${ours.profit} of ${best.profit}`);
  ok(ours.profit > play(market, noChange).profit);
  const amount = 1.5 * 28 * market.campaigns;
  const poor = play(market, goals({ kind: "profit" }), { amount });
  ok(
    poor.months.length === 3 && poor.months.every((spend) => spend <= amount && spend > 0.6 * amount),
    `${poor.months} of ${amount}`,
  );
});

Deno.test("no month exceeds its amount in the markets where days carried over what others left unspent", () => {
  for (const [seed, targets, clicks, amount] of [[2, 30, 5, 482.28], [3, 60, 12, 1066.9]] as const) {
    for (const dayLimit of [1.25, 2]) {
      const market = new Market({
        ...{ seed: `report ${seed} ${targets} ${clicks}`, targets, clicks, weeks: 26, dayLimit },
      });
      const { months } = play(market, goals({ kind: "profit" }), { amount });
      ok(months.every((spend) => spend <= amount), `${months} of ${amount}`);
      ok(Math.max(...months) > 0.9 * amount, `the amount is nearly spent: ${months} of ${amount}`);
    }
  }
});
