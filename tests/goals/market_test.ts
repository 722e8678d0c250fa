import { deepEqual, ok } from "../support/assert.ts";
import { auctionTable, gridPlace, readTable } from "../../src/account/goals/market/landscape.ts";
import { Course } from "../../src/account/goals/market/course.ts";
import { drawsOf, poissonAt } from "../../src/account/goals/market/draws.ts";
import { Market } from "../../src/account/goals/market/market.ts";
import { oracle } from "../../src/account/goals/market/oracle.ts";
import { sumBy } from "../../src/account/goals/market/tree.ts";

const total = (values: Float64Array): number => values.reduce((sum, one) => sum + one, 0);
const market = new Market({ seed: "market test", targets: 60, clicks: 8, weeks: 20 });

Deno.test("the market has the clicks and prices of auctions that are played one by one", () => {
  const rivals = { count: 3, sigma: 0.6, slots: [1, 0.6, 0.4], reserve: 0.1 };
  const table = auctionTable(rivals);
  const draws = drawsOf("auctions");
  for (const bid of [0.6, 1, 1.8]) {
    let [clicks, paid] = [0, 0];
    for (let round = 0; round < 20_000; round++) {
      const bids = Array.from(
        { length: poissonAt(rivals.count, draws.uniform()) },
        () => Math.exp(draws.normal(0, rivals.sigma)),
      );
      const won = rivals.slots[bids.filter((one) => one > bid).length] ?? 0;
      clicks += won;
      paid += won * Math.max(rivals.reserve, ...bids.filter((one) => one <= bid));
    }
    const place = gridPlace(Math.log(bid));
    ok(Math.abs(readTable(table.clicks, place) / (clicks / 20_000) - 1) < 0.03, `clicks at ${bid}`);
    ok(Math.abs(readTable(table.price, place) / (paid / clicks) - 1) < 0.03, `price at ${bid}`);
  }
});

Deno.test("the market gives the same weeks for the same seed, and others for another", () => {
  const play = (seed: string): number[] => {
    const one = new Market({ seed, targets: 20, clicks: 5, weeks: 12 });
    const course = new Course(one);
    return [0, 1, 2].map(() => total(course.step(one.first).final.sales));
  };
  deepEqual(play("a"), play("a"));
  ok(play("a").some((sales, at) => sales !== play("b")[at]));
});

Deno.test("the market never spends more than the sum of the daily budgets within a month", () => {
  const course = new Course(market);
  const budgets = market.first.budgets.map((budget) => budget / 3);
  const spent = new Float64Array(market.campaigns);
  for (let week = 0; week < 4; week++) {
    const { expected } = course.step({ ...market.first, budgets });
    sumBy(expected.cost, market.campaignOf, market.campaigns).forEach((cost, at) => spent[at]! += cost);
  }
  spent.forEach((cost, at) => ok(cost <= 28 * budgets[at]! * 1.000001));
  ok(total(spent) > 0.9 * 28 * total(budgets), "most budgets run out");
});

Deno.test("the market reports in the mean what it expects, and early a part of the orders", () => {
  const course = new Course(market);
  let [expected, seen, clicks, seenClicks, early] = [0, 0, 0, 0, 0];
  for (let week = 0; week < 20; week++) {
    const one = course.step(market.first);
    expected += total(one.expected.orders);
    seen += total(one.final.orders);
    clicks += total(one.expected.clicks);
    seenClicks += total(one.final.clicks);
    early += total(one.early.orders);
  }
  ok(Math.abs(seen / expected - 1) < 4 / Math.sqrt(expected));
  ok(Math.abs(seenClicks / clicks - 1) < 4 / Math.sqrt(clicks));
  ok(Math.abs(early / seen - market.maturity) < 0.03);
});

Deno.test("the market lets rivals follow a raise, so that its clicks wear off", () => {
  const settings = {
    ...market.first,
    bids: market.first.bids.map((bid) => bid * 1.4),
    budgets: market.first.budgets.map(() => 1e9),
  };
  const [raised, fresh] = [new Course(market), new Course(market)];
  for (let week = 0; week < 6; week++) raised.step(settings);
  fresh.week = 6;
  ok(total(raised.expect(settings).expected.clicks) < 0.99 * total(fresh.expect(settings).expected.clicks));
});

Deno.test("the market has an oracle that no simple rule beats, and that keeps its ACOS and its money", () => {
  const course = new Course(market);
  const profit = (settings: typeof market.first): number => total(course.expect(settings).profit);
  const best = profit(oracle(course, {}));
  const open = market.first.budgets.map(() => 1e9);
  for (const factor of [0.5, 0.7, 0.85, 1, 1.2, 1.5]) {
    ok(best > profit({ ...market.first, budgets: open, bids: market.first.bids.map((bid) => bid * factor) }));
  }
  const strict = course.expect(oracle(course, { acos: 0.12 })).expected;
  ok(Math.abs(total(strict.cost) / total(strict.sales) - 0.12) < 0.012);
  const money = total(course.expect(oracle(course, {})).expected.cost) / 2;
  const poor = total(course.expect(oracle(course, { money })).expected.cost);
  ok(poor < 1.15 * money && poor > 0.7 * money);
});
