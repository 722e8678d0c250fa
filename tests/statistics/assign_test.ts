import { deepEqual, equal, ok, throws } from "../support/assert.ts";
import { assign, type ExperimentUnit } from "../../src/base/statistics/mod.ts";
import { figuresOf } from "./support.ts";

function units(count: number, seed = "units"): ExperimentUnit[] {
  const { normal } = figuresOf(seed);
  return Array.from({ length: count }, (_, at) => ({ id: `k${at}`, spend: 20 * Math.exp(1.2 * normal()) }));
}

Deno.test("a draw holds back the share, every unit is in one list, and both lists keep the order", () => {
  for (
    const [count, share, wanted] of [[40, 0.25, 10], [41, 0.25, 10], [43, 0.25, 11], [7, 0.5, 4], [
      2,
      0.5,
      1,
    ]] as const
  ) {
    const given = units(count);
    const { held, treated, strata } = assign(given, { share, seed: 1 });
    equal(held.length, wanted, `${count} units`);
    deepEqual([...held, ...treated].sort(), given.map(({ id }) => id).sort());
    const place = (id: string): number => given.findIndex((unit) => unit.id === id);
    deepEqual(held, held.toSorted((a, b) => place(a) - place(b)));
    equal(strata.size, count);
  }
});

Deno.test("a draw depends on seed and units, and not on their order", () => {
  const given = units(60);
  const draw = (seed: string | number, list = given): string[] =>
    [...assign(list, { share: 0.25, seed }).held].sort();
  deepEqual(draw("a"), draw("a", given.toReversed()));
  ok(draw("a").join() !== draw("b").join());
  deepEqual(draw(7), draw("7"));
});

Deno.test("each stratum gives its share, and products are drawn by themselves", () => {
  const given = units(80).map((unit, at) => ({ ...unit, product: at % 2 === 0 ? "sp" : "sb" }));
  const { held, strata } = assign(given, { share: 0.25, seed: 3, strata: 10 });
  for (let stratum = 0; stratum < 10; stratum++) {
    const members = given.filter(({ id }) => strata.get(id) === stratum);
    equal(members.length, 8);
    equal(members.filter(({ id }) => held.includes(id)).length, 2, `stratum ${stratum}`);
    equal(new Set(members.map(({ product }) => product)).size, 1);
  }
});

Deno.test("over many seeds each unit is held back as often as any other, and the groups spend alike", () => {
  const given = units(40);
  const times = new Map(given.map(({ id }) => [id, 0]));
  let difference = 0;
  for (let seed = 0; seed < 2000; seed++) {
    const { held } = assign(given, { share: 0.25, seed });
    for (const id of held) times.set(id, times.get(id)! + 1);
    const spend = given.filter(({ id }) => held.includes(id)).reduce((sum, unit) => sum + unit.spend, 0);
    difference += spend / given.reduce((sum, unit) => sum + unit.spend, 0) - 0.25;
  }
  // 500 are expected of 2,000; five standard deviations are 97.
  for (const [id, count] of times) ok(Math.abs(count - 500) < 97, `${id} ${count} times`);
  ok(Math.abs(difference / 2000) < 0.01, String(difference / 2000));
});

Deno.test("what cannot be drawn is refused and says why", () => {
  throws(() => assign(units(3), { share: 0.1, seed: 1 }), /Cannot hold back 10% of 3 units/);
  throws(() => assign(units(10), { share: 1, seed: 1 }), /Cannot hold back a share of 1/);
  throws(() => assign(units(10), { share: NaN, seed: 1 }), /Cannot hold back a share of NaN/);
  throws(
    () => assign([...units(4), { id: "k0", spend: 1 }], { share: 0.25, seed: 1 }),
    /"k0" is given twice/,
  );
  throws(
    () => assign([{ id: "a", spend: -1 }, { id: "b", spend: 1 }], { share: 0.5, seed: 1 }),
    /spend of unit "a" is -1/,
  );
  throws(() => assign(units(10), { share: 0.25, seed: "" }), /seed is neither/);
  throws(() => assign(units(10), { share: 0.25, seed: 1, strata: 0 }), /Cannot make 0 strata/);
});
