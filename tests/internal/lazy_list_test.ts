import { deepEqual, equal, throws } from "../support/assert.ts";
import fc from "fast-check";
import { lazyList } from "../../src/internal/columns/lazy_list.ts";

Deno.test("a list whose items are made when they are read is an array to everybody", () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { maxLength: 30 }), fc.integer(), fc.integer(), (plain, from, to) => {
      const list = lazyList(plain.length, (at) => plain[at]!);
      const isOdd = (number: number): boolean => number % 2 !== 0;
      equal(Array.isArray(list), true);
      equal(list.length, plain.length);
      deepEqual([...list], plain);
      deepEqual([...list.entries()], [...plain.entries()]);
      deepEqual(list.map((number, at) => number + at), plain.map((number, at) => number + at));
      deepEqual(list.flatMap((number) => [number, [number]]), plain.flatMap((number) => [number, [number]]));
      deepEqual(list.filter(isOdd), plain.filter(isOdd));
      equal(list.find(isOdd), plain.find(isOdd));
      equal(list.findIndex(isOdd), plain.findIndex(isOdd));
      equal(list.some(isOdd), plain.some(isOdd));
      equal(list.every(isOdd), plain.every(isOdd));
      deepEqual(list.slice(from, to), plain.slice(from, to));
      deepEqual(list.slice(), plain);
      equal(list.at(-1), plain.at(-1));
      deepEqual(list.toReversed(), plain.toReversed());
      deepEqual(list.concat([1]), plain.concat([1]));
      deepEqual(Object.keys(list), Object.keys(plain));
      equal(JSON.stringify(list), JSON.stringify(plain));
      equal(0 in list, 0 in plain);
      equal(list[plain.length], undefined);
    }),
    { seed: 1 },
  );
});

Deno.test("nothing can be changed in a list whose items are made when they are read", () => {
  const list = lazyList(3, (at) => at) as number[];
  throws(() => list[0] = 9, TypeError);
  throws(() => list.push(9), TypeError);
  throws(() => list.length = 0, TypeError);
  throws(() => list.sort(), TypeError);
  throws(() => delete list[0], TypeError);
  deepEqual([...list], [0, 1, 2]);
});
