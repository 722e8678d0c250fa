import { edge } from "./measure_effect.ts";
import {
  finiteMean,
  type GroupSums,
  growthRatio,
  redraw,
  redrawnSums,
  type Redraws,
  TOLERANCE,
  unitGrowthRatio,
} from "./redraw.ts";
import { type Seed, seededRandom, seedText } from "./random.ts";

/** Spend and sales of one unit over the days before and after a change. */
export interface UnitMoney {
  /** Id of the unit. */
  readonly id: string;
  /** Totals over the days before the change, in any one currency. */
  readonly before: { readonly cost: number; readonly sales: number };
  /** Totals over the days after the change. */
  readonly after: { readonly cost: number; readonly sales: number };
  /** Stratum in which the unit was drawn. @default all units in one stratum */
  readonly stratum?: number | undefined;
}

/** Both groups of an experiment, with their spend and sales. */
export interface MoneyEffectRequest {
  /** Units that were changed. */
  readonly treated: readonly UnitMoney[];
  /** Units that were held back. */
  readonly held: readonly UnitMoney[];
  /** Seed of the redraws; the same seed gives the same result. */
  readonly seed: Seed;
  /** Margin before advertising, as a fraction of sales: 0.3 for 30 %. Without it, profit is not measured. */
  readonly margin?: number | undefined;
  /** Number of redraws. @default 10000 */
  readonly redraws?: number | undefined;
  /** Confidence of the intervals. @default 0.95 */
  readonly confidence?: number | undefined;
}

/** A value with its interval. */
export interface Measured {
  /** The measured value. */
  readonly value: number;
  /** Low end of the interval. */
  readonly low: number;
  /** High end of the interval. */
  readonly high: number;
}

/** Effect of a change on ACOS and profit. */
export interface MoneyEffect {
  /** Effect on ACOS as a ratio of ratios minus 1; `undefined` if a group has no sales. */
  readonly acos: Measured | undefined;
  /**
   * Total profit of the changed units beyond the level predicted by the held-back units; `undefined` without a margin.
   */
  readonly profit: Measured | undefined;
}

/**
 * Measures the effect of a change on ACOS and on profit; neither is a sum over units.
 *
 * Each redraw within the strata removes the measured effect from the changed units and adds it to the units drawn in
 * their place, for spend and sales together. The errors of the redraws, with a known effect, give the bias of the value
 * and the ends of the interval (a randomization interval, Fisher 1935).
 *
 * @example
 * ```ts
 * import { measureMoney } from "@platform/ads/experiments";
 *
 * const unit = (id: number, sales: number) => ({
 *   id: `k${id}`,
 *   before: { cost: 20, sales: 100 },
 *   after: { cost: 20, sales },
 * });
 * const treated = Array.from({ length: 60 }, (_, at) => unit(at, 125));
 * const held = Array.from({ length: 20 }, (_, at) => unit(100 + at, 100));
 * const { acos, profit } = measureMoney({ treated, held, seed: 1, margin: 0.4 });
 * console.log(acos?.value.toFixed(2), profit?.value.toFixed(0)); // -0.20 600
 * ```
 */
export function measureMoney(request: MoneyEffectRequest): MoneyEffect {
  const { treated, held, margin, redraws: count = 10_000, confidence = 0.95 } = request;
  const draws = (part: "cost" | "sales"): Redraws => {
    const totals = ({ before, after, stratum }: UnitMoney) => ({
      before: before[part],
      after: after[part],
      stratum,
    });
    // The same numbers for both, so that each draw is of the same units.
    const random = seededRandom(`money\n${seedText(request.seed)}`);
    return redraw({ treated: treated.map(totals), held: held.map(totals), count, random });
  };
  const [cost, sales] = [draws("cost"), draws("sales")];
  const sum = (units: readonly UnitMoney[], when: "before" | "after", part: "cost" | "sales"): number =>
    units.reduce((all, unit) => all + unit[when][part], 0);
  const groups = (part: "cost" | "sales"): GroupSums => ({
    treated: { before: sum(treated, "before", part), after: sum(treated, "after", part) },
    held: { before: sum(held, "before", part), after: sum(held, "after", part) },
  });
  const own = { cost: groups("cost"), sales: groups("sales") };
  const found = { cost: factorOf(own.cost), sales: factorOf(own.sales) };
  const drawn = (at: number, factors: Factors): Money => ({
    cost: redrawnSums(cost, at, factors.cost),
    sales: redrawnSums(sales, at, factors.sales),
  });
  const tail = (1 - confidence) / 2;
  const intervalOf = (
    { value, truth, error }: Statistic,
    factorsAt: (shift: number) => Factors,
  ): Pick<Measured, "low" | "high"> => {
    const tolerance = TOLERANCE * Math.max(1, Math.abs(value));
    const isRefused = (shift: number): "above" | "below" | "no" => {
      const factors = factorsAt(shift);
      const own = value - truth(factors);
      let [larger, smaller] = [1, 1];
      for (let at = 0; at < count; at++) {
        const one = error(drawn(at, factors), factors);
        if (one >= own - tolerance) larger++;
        if (one <= own + tolerance) smaller++;
      }
      const most = tail * (count + 1);
      return larger <= most ? "above" : smaller <= most ? "below" : "no";
    };
    const end = (direction: 1 | -1, side: "above" | "below"): number => {
      const shift = edge(0, direction, (shift) => isRefused(shift) === side);
      return Number.isFinite(shift) ? truth(factorsAt(shift)) : shift;
    };
    return { low: end(-1, "above"), high: end(1, "below") };
  };
  const isKnown = ({ value, error }: Statistic, factors: Factors): boolean => {
    let finite = 0;
    for (let at = 0; at < count; at++) if (Number.isFinite(error(drawn(at, factors), factors))) finite++;
    return Number.isFinite(value) && finite >= count / 2;
  };

  const log = (sums: GroupSums): number => Math.log(growthRatio(sums));
  const acosOf = (): Measured | undefined => {
    const ratio = found.cost / found.sales;
    const statistic: Statistic = {
      value: log(own.cost) - log(own.sales),
      truth: ({ cost }) => Math.log(cost),
      error: (sums, { cost }) => log(sums.cost) - log(sums.sales) - Math.log(cost),
    };
    // What cost and sales have in common weighs units without moving the ratio, so it may stay in.
    const factorsAt = (shift: number): Factors => ({ cost: ratio * Math.exp(shift), sales: 1 });
    if (!isKnown(statistic, factorsAt(0))) return undefined;
    const growth = (part: "cost" | "sales"): number => {
      const totals = ({ before, after }: UnitMoney) => ({ before: before[part], after: after[part] });
      return unitGrowthRatio(treated.map(totals), held.map(totals));
    };
    const usual = { cost: growth("cost") / growth("sales"), sales: 1 };
    const bias = finiteMean(count, (at) => Math.exp(statistic.error(drawn(at, usual), usual)));
    const { low, high } = intervalOf(statistic, factorsAt);
    return { value: ratio / bias - 1, low: Math.exp(low) - 1, high: Math.exp(high) - 1 };
  };
  const profitOf = (margin: number): Measured | undefined => {
    const after = { cost: own.cost.treated.after, sales: own.sales.treated.after };
    const statistic: Statistic = {
      value: margin * extra(own.sales) - extra(own.cost),
      truth: (factors) =>
        margin * after.sales * (1 - 1 / factors.sales) - after.cost * (1 - 1 / factors.cost),
      error: (sums, factors) =>
        margin * (extra(sums.sales) - sums.sales.treated.after * (1 - 1 / factors.sales)) -
        (extra(sums.cost) - sums.cost.treated.after * (1 - 1 / factors.cost)),
    };
    if (!isKnown(statistic, found)) return undefined;
    // Of all pairs of effects with one profit, the likeliest: the line follows how the two err together.
    const errors = Array.from({ length: count }, (_, at) => {
      const sums = drawn(at, found);
      return { cost: log(sums.cost) - Math.log(found.cost), sales: log(sums.sales) - Math.log(found.sales) };
    }).filter(({ cost, sales }) => Number.isFinite(cost) && Number.isFinite(sales));
    const product = (one: "cost" | "sales", other: "cost" | "sales"): number =>
      errors.reduce((sum, error) => sum + error[one] * error[other], 0) / errors.length;
    const slope = { cost: -after.cost / found.cost, sales: margin * after.sales / found.sales };
    const step = {
      cost: product("cost", "cost") * slope.cost + product("cost", "sales") * slope.sales,
      sales: product("cost", "sales") * slope.cost + product("sales", "sales") * slope.sales,
    };
    const length = Math.sqrt(slope.cost * step.cost + slope.sales * step.sales);
    const factorsAt = (shift: number): Factors =>
      length > 0
        ? {
          cost: found.cost * Math.exp(shift * step.cost / length),
          sales: found.sales * Math.exp(shift * step.sales / length),
        }
        : found;
    const bias = finiteMean(count, (at) => statistic.error(drawn(at, found), found));
    const interval = length > 0
      ? intervalOf(statistic, factorsAt)
      : { low: statistic.value, high: statistic.value };
    return { value: statistic.value - bias, ...interval };
  };
  return { acos: acosOf(), profit: margin === undefined ? undefined : profitOf(margin) };
}

/** Effects as factors: 1.2 is +20 %. */
interface Factors {
  readonly cost: number;
  readonly sales: number;
}

interface Money {
  readonly cost: GroupSums;
  readonly sales: GroupSums;
}

interface Statistic {
  readonly value: number;
  readonly truth: (factors: Factors) => number;
  readonly error: (sums: Money, factors: Factors) => number;
}

function factorOf(sums: GroupSums): number {
  const ratio = growthRatio(sums);
  return ratio > 0 && Number.isFinite(ratio) ? ratio : 1;
}

function extra({ treated, held }: GroupSums): number {
  return treated.after - treated.before * held.after / held.before;
}
