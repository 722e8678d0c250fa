import { deepEqual, ok, throws } from "../support/assert.ts";
import { assign, type Effect, measureEffect, type UnitTotals } from "../../src/base/statistics/mod.ts";
import { figuresOf } from "./support.ts";
import { long } from "../support/long.ts";

const unit = (id: string, before: number, after: number, stratum = 0): UnitTotals => ({
  id,
  before,
  after,
  stratum,
});

Deno.test("the effect is the ratio of ratios, worked by hand", () => {
  // Changed: 30 / 20 = 1.5; held back: 12 / 10 = 1.2; 1.5 / 1.2 - 1 = 0.25, with next to no bias of units that grow alike.
  const treated = [unit("a", 12, 18), unit("b", 8, 12)];
  const { effect } = measureEffect({ treated, held: [unit("c", 10, 12)], seed: 1, redraws: 50 });
  ok(Math.abs(effect - 0.25) < 0.003, String(effect));
});

Deno.test("the p-value of four units is that of their six draws", () => {
  // Of six ways to hold two of four back, only the one that was made is as extreme, for each side.
  const treated = [unit("a", 10, 20), unit("b", 10, 21)];
  const held = [unit("c", 10, 10), unit("d", 10, 11)];
  const { pValue } = measureEffect({ treated, held, seed: 1, redraws: 20_000 });
  ok(Math.abs(pValue - 2 / 6) < 0.02, String(pValue));
});

Deno.test("units of another stratum never change places", () => {
  const treated = [unit("a", 10, 20, 1), unit("b", 10, 10, 2)];
  const held = [unit("c", 10, 10, 1), unit("d", 10, 5, 2)];
  // Two draws in each stratum, four together: 1, 1/2... the one that was made is the most extreme of four.
  const { pValue } = measureEffect({ treated, held, seed: 1, redraws: 20_000 });
  ok(Math.abs(pValue - 0.5) < 0.02, String(pValue));
});

Deno.test("the same seed gives the same answer, whatever the order of the units", () => {
  const { count } = figuresOf("order");
  const all = Array.from({ length: 24 }, (_, at) => unit(`k${at}`, 20 + count(10), 20 + count(10)));
  const measure = (seed: number): Effect =>
    measureEffect({ treated: all.slice(6), held: all.slice(0, 6), seed, redraws: 500 });
  deepEqual(measure(1), measure(1));
  ok(Math.abs(measure(1).effect - measure(2).effect) < 0.005);
});

long();
Deno.test("the interval covers the truth in about 95 of 100 tries, with and without an effect", () => {
  for (const truth of [0, 0.1, -0.2]) {
    const tries = 500;
    const { normal, count } = figuresOf(`coverage ${truth}`);
    let covered = 0;
    for (let attempt = 0; attempt < tries; attempt++) {
      const units = Array.from({ length: 60 }, (_, at) => ({ id: `k${at}`, spend: 30 * Math.exp(normal()) }));
      const { held, strata } = assign(units, { share: 0.25, seed: attempt });
      const totals = units.map(({ id, spend }) => {
        const own = 0.7 * Math.exp(0.3 * normal()) * (held.includes(id) ? 1 : 1 + truth);
        return unit(id, count(spend), count(spend * own), strata.get(id));
      });
      const { low, high } = measureEffect({
        treated: totals.filter(({ id }) => !held.includes(id)),
        held: totals.filter(({ id }) => held.includes(id)),
        seed: attempt,
        redraws: 399,
      });
      if (low <= truth && truth <= high) covered++;
    }
    ok(covered >= 0.925 * tries && covered <= 0.975 * tries, `${covered} of ${tries} with ${truth}`);
  }
});

Deno.test("where few units make up most of a group, the effect is right on average; a plain ratio is too high", () => {
  for (const truth of [0.2, -0.2]) {
    let [plain, corrected, tries] = [0, 0, 0];
    for (let account = 0; account < 60; account++) {
      const { normal } = figuresOf(`heavy tails ${account}`);
      const units = Array.from({ length: 30 }, (_, at) => {
        const spend = Math.exp(1.5 * normal());
        const [before, after] = [spend * Math.exp(0.3 * normal()), spend * Math.exp(0.3 * normal())];
        return { id: `k${at}`, spend, before, after };
      });
      for (let seed = 0; seed < 20; seed++) {
        const { held, strata } = assign(units, { share: 0.25, seed });
        const isHeld = new Set(held);
        const totals = units.map(({ id, before, after }) =>
          unit(id, before, after * (isHeld.has(id) ? 1 : 1 + truth), strata.get(id))
        );
        const groups = {
          treated: totals.filter(({ id }) => !isHeld.has(id)),
          held: totals.filter(({ id }) => isHeld.has(id)),
        };
        const growth = (group: readonly UnitTotals[]): number =>
          group.reduce((sum, one) => sum + one.after, 0) / group.reduce((sum, one) => sum + one.before, 0);
        plain += growth(groups.treated) / growth(groups.held) - 1 - truth;
        corrected += measureEffect({ ...groups, seed, redraws: 49 }).effect - truth;
        tries++;
      }
    }
    ok(plain / tries > 0.03, `plain: ${plain / tries} with ${truth}`);
    ok(Math.abs(corrected) < plain / 3, `${corrected / tries} with ${truth}, plain ${plain / tries}`);
  }
});

Deno.test("few units have an interval without end, and nothing is found", () => {
  const { low, high, pValue } = measureEffect({
    treated: [unit("a", 10, 30)],
    held: [unit("b", 10, 10)],
    seed: 1,
    redraws: 200,
  });
  deepEqual([low, high, pValue > 0.05], [-1, Infinity, true]);
});

Deno.test("what cannot be measured is refused and says why", () => {
  const held = [unit("h", 10, 10)];
  throws(
    () => measureEffect({ treated: [unit("a", 0, 1)], held, seed: 1 }),
    /the changed units have nothing before/,
  );
  throws(
    () => measureEffect({ treated: held, held: [unit("x", 1, 0)], seed: 1 }),
    /the held-back units have nothing after/,
  );
  throws(() => measureEffect({ treated: held, held, seed: 1 }), /unit "h" is given twice/);
  throws(() => measureEffect({ treated: [unit("a", 1, NaN)], held, seed: 1 }), /after of unit "a" is NaN/);
  throws(
    () => measureEffect({ treated: [unit("a", 1, 1)], held, seed: 1, redraws: 0 }),
    /Cannot draw 0 times/,
  );
  throws(
    () => measureEffect({ treated: [unit("a", 1, 1)], held, seed: 1, confidence: 95 }),
    /confidence of 95/,
  );
});
