import { equal, ok } from "../support/assert.ts";
import { decideGoal } from "../../src/account/goals/decide.ts";
import { goal, LIMITS, target, twenty } from "./made_goal.ts";

/** Twenty targets at an ACOS of 23 %, and twenty whose bids are far too high. */
const good = Array.from({ length: 20 }, (_, at) => target(`good${at}`, {}, { adGroup: "good" }));
const bad = Array.from(
  { length: 20 },
  (_, at) => target(`bad${at}`, { bid: 6, cost: 84, orders: 1, sales: 30 }, { adGroup: "bad", bid: 6 }),
);
const isGood = (id: string): boolean => id.startsWith("good");

Deno.test("a target of ACOS that steps put off is not met by cutting what pays already", () => {
  const aim = { kind: "sales", acos: 0.5 } as const;
  const decided = decideGoal(goal([...good, ...bad], { aim }));
  ok(decided.expected.acos > 0.5);
  ok(decided.rows.every(({ id, bid, next }) => isGood(id) ? next >= bid : next === 4.2));
  const limits = { ...LIMITS, cut: 0.99 };
  const { scale, expected } = decideGoal(goal([...good, ...bad], { aim, limits }));
  ok(expected.acos <= 0.5 && Math.abs(scale / decided.scale - 1) < 0.01);
  const waiting = bad.map((one) => ({ ...one, locked: "cooling" }));
  equal(decideGoal(goal([...good, ...waiting], { aim })).scale, decided.scale);
});

Deno.test("an amount is kept from the first day on, and what it allows is spent", () => {
  const aim = { kind: "sales", acos: 0.5 } as const;
  const poor = decideGoal(goal([...good, ...bad], { aim, money: { left: 500, daysLeft: 10, reserve: 0 } }));
  ok(poor.rows.every(({ id, next }) => next === (isGood(id) ? 0.7 : 4.2)));
  const spent = decideGoal(goal(twenty(), {
    ...{ aim: { kind: "sales", acos: 20 }, limits: { ...LIMITS, cut: 0.9 } },
    money: { left: 440, daysLeft: 10, reserve: 0 },
  }));
  ok(Math.abs(spent.expected.cost / (0.98 * 44) - 1) < 0.02, `${spent.expected.cost}`);
});

Deno.test("an amount that steps can spend is spent, though bids without steps would cost more", () => {
  const targets = [...twenty(), ...bad.map((one) => ({ ...one, bid: 1, periods: twenty()[0]!.periods }))];
  const money = { left: 1200, daysLeft: 10, reserve: 0 };
  const { rows, expected } = decideGoal(goal(targets, { aim: { kind: "sales", acos: 20 }, money }));
  ok(expected.cost > 100 && rows.every(({ bid, next }) => next > bid), `${expected.cost}`);
});

Deno.test("a target of ACOS that is met is not given up for a volume far beyond the steps of a plan", () => {
  const cheap = target("cheap", { bid: 0.2, cost: 2.8, orders: 4, sales: 120 }, {
    adGroup: "cheap",
    bid: 0.2,
  });
  const usual = bad.map(({ id }) => target(id, { cost: 10, orders: 1, sales: 30 }));
  const decided = decideGoal(goal([cheap, ...usual], { aim: { kind: "sales", acos: 0.33 } }));
  ok(decided.rows.every(({ bid, next }) => next >= bid));
});

Deno.test("where locked bids cost too much, the others meet the target and cost no more", () => {
  const locked = bad.map((one) => ({ ...one, locked: "never" }));
  const decided = decideGoal(goal([...good, ...locked], { aim: { kind: "sales", acos: 0.3 } }));
  const own = decided.rows.filter(({ id }) => isGood(id));
  const sum = (figures: readonly number[]): number => figures.reduce((all, one) => all + one, 0);
  ok(sum(own.map(({ change }) => change.cost)) <= 1e-6);
  ok(own.every(({ bid, next }) => next >= 0.9 * bid));
  const strict = decideGoal(goal([...good, ...locked], { aim: { kind: "sales", acos: 0.18 } }));
  ok(strict.rows.every(({ id, bid, next }) => !isGood(id) || next < 0.9 * bid));
});

Deno.test("bids that cool down are counted as they are where they would rise, and lower where they are too high", () => {
  const cheap = Array.from(
    { length: 10 },
    (_, at) =>
      target(`cheap${at}`, { orders: 8, sales: 480 }, {
        adGroup: "cheap",
        product: "other",
        locked: "cooling",
      }),
  );
  const dear = Array.from({ length: 30 }, (_, at) => target(`dear${at}`, { orders: 1, sales: 30 }));
  const decided = decideGoal(goal([...cheap, ...dear], { aim: { kind: "sales", acos: 0.14 } }));
  ok(decided.expected.acos <= 0.14, `${decided.expected.acos}`);
});

Deno.test("where a target is out of reach, what may fall later pays for no raise today", () => {
  const never = bad.map((one) => ({ ...one, id: `never ${one.id}`, locked: "never" }));
  const cooling = bad.map((one) => ({ ...one, locked: "cooling" }));
  const aim = { kind: "sales", acos: 0.5 } as const;
  const decided = decideGoal(goal([...good, ...cooling, ...never], { aim }));
  ok(
    decided.expected.cost <= decided.before.cost + 1e-6,
    `${decided.expected.cost} of ${decided.before.cost}`,
  );
});

Deno.test("a target of ACOS that no bids meet gives those that come nearest, and not the lowest", () => {
  const targets = Array.from({ length: 40 }, (_, at) => target(`t${at}`, { orders: 1 + at % 3 }));
  const limits = { ...LIMITS, cut: 0.99 };
  const at = (acos: number) => decideGoal(goal(targets, { aim: { kind: "sales", acos }, limits }));
  const [none, low] = [at(0.01), at(0.02)];
  ok(none.rows.every(({ next }) => next > 0.1));
  equal(none.scale, low.scale);
});
