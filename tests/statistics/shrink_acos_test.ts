import { deepEqual, equal, ok } from "../support/assert.ts";
import { shrinkAcos } from "../../src/base/statistics/mod.ts";
import { figuresOf } from "./support.ts";

const one = (id: string, clicks: number, orders: number, cost: number, sales: number) => ({
  ...{ id, clicks, orders, cost, sales },
});

Deno.test("estimates and ends of ACOS agree with another program", () => {
  // A Python script from the definition: prior of 153.652 clicks at 11.5622 %, quantiles of the beta distribution by
  // numerical integration and bisection.
  const found = shrinkAcos([
    one("a", 3, 0, 2, 0),
    one("b", 100, 10, 80, 400),
    one("c", 200, 30, 150, 900),
    one("d", 40, 2, 30, 50),
    one("without clicks", 0, 0, 0, 0),
  ]);
  deepEqual(
    found.map((
      { id, acos, low, high },
    ) => [id, ...[acos, low, high].map((value) => Number(value.toFixed(5)))]),
    [
      ["a", 0.18289, 0.12394, 0.30145],
      ["b", 0.18271, 0.1328, 0.26975],
      ["c", 0.1851, 0.1449, 0.24629],
      ["d", 0.29392, 0.20229, 0.4717],
    ],
  );
});

Deno.test("the estimate lies within its ends, more clicks without an order raise it, and nothing sold tells nothing", () => {
  const { uniform, count } = figuresOf("acos");
  for (let round = 0; round < 40; round++) {
    const account = Array.from({ length: 30 }, (_, at) => {
      const [clicks, price] = [1 + count(20), 10 + 30 * uniform()];
      const orders = count(clicks * 0.1);
      return { ...one(`k${at}`, clicks, orders, clicks * 0.7, orders * price), parents: [`g${at % 3}`] };
    });
    for (const { acos, low, high } of shrinkAcos(account)) ok(low <= acos && acos <= high && low >= 0);
    const [few, more] = [3, 60].map((clicks) =>
      shrinkAcos([...account, { ...one("no order", clicks, 0, clicks * 0.7, 0), parents: ["g0"] }]).at(-1)!
    );
    ok(few!.acos < more!.acos, "each click without an order counts against it");
    ok(few!.low < 0.5, "three of them prove nothing");
  }
  equal(shrinkAcos([one("a", 5, 0, 3, 0)]).length, 0);
  equal(shrinkAcos([]).length, 0);
});
