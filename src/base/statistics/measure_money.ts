import { redraw, type Redraws } from "./redraw.ts";
import { type Seed, seededRandom, seedText } from "./random.ts";

/** Spend and sales of one unit over the days before and after a change. */
export interface UnitMoney {
  /** Id of the unit. */
  readonly id: string;
  /** Totals of the days before the change, in any one currency. */
  readonly before: { readonly cost: number; readonly sales: number };
  /** Totals of the days after the change. */
  readonly after: { readonly cost: number; readonly sales: number };
  /** Stratum in which the unit was drawn. @default all units in one stratum */
  readonly stratum?: number | undefined;
}

/** Both groups of an experiment with their spend and sales. */
export interface MoneyEffectRequest {
  /** Units that were changed. */
  readonly treated: readonly UnitMoney[];
  /** Units that were held back. */
  readonly held: readonly UnitMoney[];
  /** Makes the answer repeatable. */
  readonly seed: Seed;
  /** Share of sales that is left before advertising: 0.3 for 30 %. Without it profit is not measured. */
  readonly margin?: number | undefined;
  /** Number of redraws. @default 10000 */
  readonly redraws?: number | undefined;
  /** Confidence of the intervals. @default 0.95 */
  readonly confidence?: number | undefined;
}

/** A value with its interval. */
export interface Measured {
  /** The value that was measured. */
  readonly value: number;
  /** Low end of the interval. */
  readonly low: number;
  /** High end of the interval. */
  readonly high: number;
}

/** Effect of a change on what follows from spend and sales. */
export interface MoneyEffect {
  /** Effect on ACOS as a ratio of ratios minus 1; `undefined` where a group has no sales. */
  readonly acos: Measured | undefined;
  /** Profit that the changed units brought beyond what the held-back ones let expect, in all; `undefined` without a margin. */
  readonly profit: Measured | undefined;
}

/**
 * Measures the effect of a change on ACOS and on profit; neither is a sum over units.
 *
 * The draw is repeated within its strata, on spend and sales together; the interval is the measured value less the ends of
 * what the redraws give without an effect (a randomization interval, Fisher 1935).
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
 * console.log(acos?.value.toFixed(2), profit?.value); // -0.20 600
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
  const groups = (part: "cost" | "sales"): Groups => ({
    treated: { before: sum(treated, "before", part), after: sum(treated, "after", part) },
    held: { before: sum(held, "before", part), after: sum(held, "after", part) },
  });
  const drawn = (all: Redraws, at: number): Groups => {
    const after = all.afterTreated[at]! + all.afterHeld[at]!;
    const before = all.before[at]!;
    const { totals } = all;
    return {
      treated: {
        before: totals.before - before,
        after: totals.afterTreated + totals.afterHeld - after,
      },
      held: { before, after },
    };
  };
  const measured = (
    statistic: (cost: Groups, sales: Groups) => number,
  ): Measured | undefined => {
    const value = statistic(groups("cost"), groups("sales"));
    const nulls: number[] = [];
    for (let at = 0; at < count; at++) {
      const one = statistic(drawn(cost, at), drawn(sales, at));
      if (Number.isFinite(one)) nulls.push(one);
    }
    if (!Number.isFinite(value) || nulls.length < count / 2) return undefined;
    nulls.sort((a, b) => a - b);
    const at = (share: number): number =>
      nulls[Math.min(nulls.length - 1, Math.floor(share * nulls.length))]!;
    const tail = (1 - confidence) / 2;
    return { value, low: value - at(1 - tail), high: value - at(tail) };
  };
  const acos = measured((cost, sales) => growth(cost) - growth(sales));
  const ratio = (log: number): number => Math.exp(log) - 1;
  return {
    acos: acos && { value: ratio(acos.value), low: ratio(acos.low), high: ratio(acos.high) },
    profit: margin === undefined ? undefined : measured((cost, sales) => margin * extra(sales) - extra(cost)),
  };
}

interface Groups {
  readonly treated: { readonly before: number; readonly after: number };
  readonly held: { readonly before: number; readonly after: number };
}

/** Logarithm of the ratio of ratios. */
function growth({ treated, held }: Groups): number {
  return Math.log(treated.after / treated.before) - Math.log(held.after / held.before);
}

/** The changed units' total beyond what they would have had, had they grown as those held back. */
function extra({ treated, held }: Groups): number {
  return treated.after - treated.before * held.after / held.before;
}
