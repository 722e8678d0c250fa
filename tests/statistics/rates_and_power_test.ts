import { deepEqual, equal, ok, throws } from "../support/assert.ts";
import { measurePower, shrinkRates } from "../../src/base/statistics/mod.ts";
import { betaCdf, betaQuantile } from "../../src/base/statistics/beta.ts";
import { figuresOf } from "./support.ts";

Deno.test("the beta distribution agrees with closed forms", () => {
  const near = (a: number, b: number): void => ok(Math.abs(a - b) < 1e-9, `${a} ${b}`);
  near(betaCdf(0.3, 1, 1), 0.3);
  near(betaCdf(0.3, 2, 1), 0.09); // x^2
  near(betaCdf(0.3, 1, 3), 1 - 0.7 ** 3);
  near(betaCdf(0.5, 7.5, 7.5), 0.5);
  near(betaCdf(0.25, 0.5, 0.5), 2 / Math.PI * Math.asin(0.5)); // arcsine law
  near(betaQuantile(0.975, 1, 1), 0.975);
  near(betaCdf(betaQuantile(0.025, 30, 970), 30, 970), 0.025);
});

Deno.test("an entity with few trials is drawn to its group, one with many keeps its own rate", () => {
  const { count, uniform } = figuresOf("rates");
  const group = Array.from({ length: 60 }, (_, at) => {
    const rate = 0.05 + 0.1 * uniform();
    return { id: `k${at}`, parents: ["c", "g"], trials: 400, successes: Math.min(400, count(400 * rate)) };
  });
  const sparse = { id: "sparse", parents: ["c", "g"], trials: 3, successes: 0 };
  const rich = { id: "rich", parents: ["c", "g"], trials: 100_000, successes: 30_000 };
  const found = new Map(shrinkRates([...group, sparse, rich]).map((one) => [one.id, one]));
  const few = found.get("sparse")!;
  ok(few.rate > 0.05 && few.weight < 0.3 && few.low < 0.06 && few.high > 0.15, JSON.stringify(few));
  const many = found.get("rich")!;
  ok(Math.abs(many.rate - 0.3) < 0.005 && many.weight > 0.99, JSON.stringify(many));
});

Deno.test("a rate that all share is known from all their trials, and no better", () => {
  const equalRates = Array.from({ length: 10 }, (_, at) => ({ id: `k${at}`, trials: 100, successes: 10 }));
  const { low, high } = shrinkRates(equalRates)[0]!;
  // The interval of 110 of 1,100 by the beta distribution, near 0.1 plus and minus 1.96 * sqrt(0.09 / 1100).
  ok(Math.abs(low - 0.083) < 0.002 && Math.abs(high - 0.118) < 0.002, `${low} ${high}`);
});

Deno.test("groups keep their own levels, and equal rates are pooled whole", () => {
  const of = (campaign: string, rate: number) =>
    Array.from({ length: 20 }, (_, at) => ({
      id: `${campaign}${at}`,
      parents: [campaign],
      trials: 200,
      successes: 200 * rate,
    }));
  const [a, b] = ["a0", "b0"].map((id) =>
    shrinkRates([...of("a", 0.02), ...of("b", 0.2)]).find((one) => one.id === id)!
  );
  ok(a!.rate < 0.04 && b!.rate > 0.15, `${a!.rate} ${b!.rate}`);
  ok(a!.weight < 0.01, "no difference was seen within the campaigns");
});

Deno.test("intervals of rates hold the truth about as often as they say", () => {
  const { count, uniform } = figuresOf("cover");
  let [covered, all] = [0, 0];
  for (let account = 0; account < 60; account++) {
    const truth = new Map<string, number>();
    const entities = Array.from({ length: 40 }, (_, at) => {
      const [id, rate, trials] = [`k${at}`, 0.04 + 0.12 * uniform(), 20 + Math.floor(300 * uniform())];
      truth.set(id, rate);
      return { id, trials, successes: Math.min(trials, count(trials * rate)) };
    });
    for (const { id, low, high } of shrinkRates(entities)) {
      all++;
      if (low <= truth.get(id)! && truth.get(id)! <= high) covered++;
    }
  }
  ok(covered / all > 0.9 && covered / all < 0.99, String(covered / all));
});

Deno.test("counts that are none are refused; more orders than clicks count as all of them", () => {
  throws(() => shrinkRates([{ id: "a", trials: -1, successes: 0 }]), /trials of "a" is -1/);
  throws(
    () =>
      shrinkRates([{ id: "a", trials: 1, successes: 0, parents: ["x"] }, {
        id: "b",
        trials: 1,
        successes: 0,
      }]),
    /"b" has 0 parents/,
  );
  const [one] = shrinkRates([{ id: "a", trials: 2, successes: 5 }]);
  ok(one!.rate <= 1);
  equal(shrinkRates([]).length, 0);
});

function past(units: number, days: number, seed: string) {
  const { count, normal } = figuresOf(seed);
  return Array.from({ length: units }, (_, at) => {
    const mean = 5 * Math.exp(0.5 * normal());
    return { id: `k${at}`, days: Array.from({ length: days }, () => count(mean)) };
  });
}

Deno.test("power grows with the effect and the weeks, and is small without an effect to speak of", () => {
  const units = past(40, 112, "power");
  const power = (effect: number, weeks: number): number =>
    measurePower({ units, effect, weeks, share: 0.25, seed: 1, tries: 60 }).power;
  ok(power(0.5, 4) > 0.95, String(power(0.5, 4)));
  ok(power(0.01, 4) < 0.3, String(power(0.01, 4)));
  ok(power(0.08, 8) >= power(0.08, 1));
});

Deno.test("the smallest effect that is shown is found in about 80 of 100 tries", () => {
  const units = past(30, 84, "smallest");
  const { smallestEffect, weeksFor80 } = measurePower({
    units,
    effect: 0.3,
    weeks: 2,
    share: 0.3,
    seed: 2,
    tries: 100,
  });
  const again =
    measurePower({ units, effect: smallestEffect!, weeks: 2, share: 0.3, seed: 9, tries: 200 }).power;
  ok(again > 0.65 && again < 0.95, `${smallestEffect} found in ${again}`);
  equal(weeksFor80, 1);
});

Deno.test("power is the same for the same seed, whatever it stops early", () => {
  const units = past(20, 70, "pinned");
  const power = (effect: number, weeks: number) =>
    measurePower({ units, effect, weeks, share: 0.3, seed: 3, tries: 50 });
  // Found by counting all draws of all tries of all weeks.
  deepEqual(power(0.15, 4), { power: 0.74, weeksFor80: 6, smallestEffect: 0.164 });
  deepEqual(power(-0.15, 1), { power: 0.42, weeksFor80: 4, smallestEffect: 0.297 });
  deepEqual(power(0.12, 2), { power: 0.38, weeksFor80: undefined, smallestEffect: 0.215 });
});

Deno.test("a past that is too short, or not equally long, is refused", () => {
  const units = past(10, 40, "short");
  throws(
    () => measurePower({ units, effect: 0.1, weeks: 4, share: 0.25, seed: 1 }),
    /needs 56 stored days, and there are 40/,
  );
  throws(
    () =>
      measurePower({
        units: [...units, { id: "x", days: [1] }],
        effect: 0.1,
        weeks: 1,
        share: 0.25,
        seed: 1,
      }),
    /"x" has 1 days/,
  );
  throws(() => measurePower({ units, effect: 0, weeks: 1, share: 0.25, seed: 1 }), /an effect of 0/);
});
