import { deepEqual, equal, ok } from "../support/assert.ts";
import { assign, measureMoney, type UnitMoney } from "../../src/base/statistics/mod.ts";
import { figuresOf } from "./support.ts";
import { long } from "../support/long.ts";

const unit = (id: string, cost: readonly [number, number], sales: readonly [number, number]): UnitMoney => ({
  id,
  before: { cost: cost[0], sales: sales[0] },
  after: { cost: cost[1], sales: sales[1] },
});

Deno.test("ACOS and profit are worked by hand", () => {
  // Held back: cost 10 -> 12 (1.2), sales 50 -> 55 (1.1). Changed: cost 20 -> 30 (1.5), sales 100 -> 132 (1.32).
  const request = {
    treated: [unit("a", [12, 18], [60, 79.2]), unit("b", [8, 12], [40, 52.8])],
    held: [unit("c", [6, 7.2], [30, 33]), unit("d", [4, 4.8], [20, 22])],
    seed: 1,
    redraws: 50,
    margin: 0.4,
  };
  const { acos, profit } = measureMoney(request);
  // ACOS: (1.5 / 1.2) / (1.32 / 1.1) - 1. Profit: 0.4 * (132 - 110) - (30 - 24).
  ok(Math.abs(acos!.value - (1.25 / 1.2 - 1)) < 0.003, String(acos!.value));
  ok(Math.abs(profit!.value - 2.8) < 1e-9, String(profit!.value));
  equal(measureMoney({ ...request, margin: undefined }).profit, undefined);
  deepEqual(measureMoney(request), measureMoney(request));
});

Deno.test("without sales in a group there is no effect on ACOS", () => {
  const treated = [unit("a", [10, 10], [5, 5]), unit("b", [10, 10], [5, 5])];
  const held = [unit("c", [10, 10], [0, 0]), unit("d", [10, 10], [0, 0])];
  equal(measureMoney({ treated, held, seed: 1, redraws: 50 }).acos, undefined);
});

long();
Deno.test("the intervals of ACOS and profit cover the truth in about 95 of 100 tries, of few large units too", () => {
  for (const [truth, width] of [[0, 1], [0.2, 1], [-0.2, 1.5]] as const) {
    const tries = 300;
    const { normal, count } = figuresOf(`money ${truth}`);
    let [acosCovered, profitCovered] = [0, 0];
    for (let attempt = 0; attempt < tries; attempt++) {
      const units = Array.from(
        { length: 60 },
        (_, at) => ({ id: `k${at}`, spend: 40 * Math.exp(width * normal()) }),
      );
      const { held, treated, strata } = assign(units, { share: 0.3, seed: attempt });
      const spends = new Map(units.map(({ id, spend }) => [id, spend]));
      let expected = 0;
      const money = (id: string, factor: number): UnitMoney => {
        const spend = spends.get(id)!;
        const drift = Math.exp(0.2 * normal());
        expected += (0.4 * 3 - 1) * spend * drift * (factor - 1);
        return {
          id,
          stratum: strata.get(id)!,
          before: { cost: count(spend), sales: 3 * count(spend) },
          after: { cost: count(spend * drift * factor), sales: 3 * count(spend * drift * factor) },
        };
      };
      const { acos, profit } = measureMoney({
        treated: treated.map((id) => money(id, 1 + truth)),
        held: held.map((id) => money(id, 1)),
        seed: attempt,
        redraws: 199,
        margin: 0.4,
      });
      if (acos!.low <= 0 && 0 <= acos!.high) acosCovered++;
      if (profit!.low <= expected && expected <= profit!.high) profitCovered++;
    }
    for (const covered of [acosCovered, profitCovered]) {
      ok(covered >= 0.925 * tries && covered <= 0.985 * tries, `${covered} of ${tries} with ${truth}`);
    }
  }
});
