import { deepEqual, equal, ok, throws } from "../support/assert.ts";
import { type BidPeriod, measureElasticity } from "../../src/base/statistics/mod.ts";
import { figuresOf } from "./support.ts";

const period = (id: string, bid: number, days: number, clicks: number, cost: number): BidPeriod => ({
  ...{ id, bid, days, clicks, cost },
});

Deno.test("exponents and intervals agree with a regression on dummies of entities, by another program", () => {
  // By a Python script of its own: weighted least squares with a dummy for each entity, solved by elimination; the luck
  // of periods from the residuals of a first pass; errors by fitting again without each entity; the quantile of t by numerical integration (3.182446 for 3 degrees).
  const periods = [
    period("a", 1.0, 28, 100, 80),
    period("a", 1.2, 28, 112, 105),
    period("a", 0.9, 14, 44, 33),
    period("b", 0.5, 28, 60, 24),
    period("b", 0.75, 21, 58, 33),
    period("c", 2.0, 10, 31, 50),
    period("c", 1.5, 28, 70, 88),
    period("d", 0.8, 28, 4, 3), // fewer than five clicks: the entity is left out
    period("d", 1.6, 28, 40, 40),
    period("e", 0.4, 20, 25, 8),
    period("e", 0.44, 20, 23, 8.2),
  ];
  const found = measureElasticity(periods)!;
  const rounded = ({ value, low, high }: { value: number; low: number; high: number }) =>
    [value, low, high].map((one) => Number(one.toFixed(6)));
  deepEqual([found.entities, found.changes], [4, 5]);
  deepEqual(rounded(found.clicks), [0.675783, 0.490405, 0.86116]);
  deepEqual(rounded(found.cpc), [0.85172, 0.777693, 0.925746]);
  deepEqual(rounded(found.cost), [1.527502, 1.405974, 1.64903]);
  // Of ten times the clicks, chance explains less, and what is left over is the luck of periods: 0.000541.
  const more = periods.filter(({ id }) => id !== "d").map((one) => ({
    ...one,
    ...{ clicks: one.clicks * 10, cost: one.cost * 10 },
  }));
  const sure = measureElasticity(more)!;
  deepEqual(rounded(sure.clicks), [0.675774, 0.481083, 0.870466]);
  deepEqual(rounded(sure.cost), [1.527506, 1.39774, 1.657272]);
});

Deno.test("an exact power law is found exactly, whatever the entities' own levels, and spend is the sum of both", () => {
  const { uniform } = figuresOf("elasticity");
  for (let round = 0; round < 50; round++) {
    const [clicks, cpc] = [2 * uniform() - 0.5, 1.5 * uniform()];
    const periods = Array.from({ length: 6 }, (_, at) => at).flatMap((at) => {
      const [level, price] = [20 + 500 * uniform(), 0.1 + uniform()];
      return [1, 1.1 + uniform(), 0.5 + uniform() / 4].map((bid) => {
        const days = 7 + Math.floor(20 * uniform());
        const brought = level * days * bid ** clicks;
        return period(`k${at}`, bid, days, brought, brought * price * bid ** cpc);
      });
    });
    const found = measureElasticity(periods)!;
    for (
      const [exponent, truth] of [[found.clicks, clicks], [found.cpc, cpc], [
        found.cost,
        clicks + cpc,
      ]] as const
    ) {
      ok(Math.abs(exponent.value - truth) < 1e-9, `${exponent.value} ${truth}`);
      ok(exponent.high - exponent.low < 1e-6);
    }
  }
});

Deno.test("of 400 synthetic accounts, 92 to 98 of 100 intervals hold the exponent that was planted", () => {
  let held = 0;
  const { count, uniform, normal } = figuresOf("coverage of exponents");
  for (let account = 0; account < 400; account++) {
    const periods = Array.from({ length: 40 }, (_, at) => at).flatMap((at) => {
      // A few keywords have most of the clicks.
      const level = 60 * Math.exp(1.2 * normal());
      return [1, 0.7 + 0.8 * uniform()].map((bid) => {
        // Each period has luck of its own beyond that of single clicks.
        const clicks = count(level * bid ** 0.6 * Math.exp(0.2 * normal()));
        return period(`k${at}`, bid, 28, clicks, clicks * bid);
      });
    });
    const { clicks } = measureElasticity(periods)!;
    if (clicks.low <= 0.6 && clicks.high >= 0.6) held++;
  }
  ok(held >= 368 && held <= 392, `${held} of 400`);
});

Deno.test("what cannot be measured is undefined, and what makes no sense is refused", () => {
  equal(measureElasticity([]), undefined);
  equal(measureElasticity([period("a", 1, 7, 10, 5), period("a", 2, 7, 12, 9)]), undefined, "one entity");
  const equalBids = ["a", "b"].flatMap((id) => [period(id, 1, 7, 10, 5), period(id, 1, 7, 12, 9)]);
  equal(measureElasticity(equalBids), undefined);
  const bad: readonly [number, number, number, number][] = [[0, 7, 9, 1], [1, 0, 9, 1], [1, 7, -1, 1], [
    1,
    7,
    9,
    NaN,
  ]];
  for (const [bid, days, clicks, cost] of bad) {
    throws(
      () => measureElasticity([period("a", bid, days, clicks, cost)]),
      /Cannot measure elasticity: \w+ of "a" is/,
    );
  }
});
