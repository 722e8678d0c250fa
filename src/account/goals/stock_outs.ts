import type { GoalTarget } from "./model.ts";

/** Mean weekly clicks of a product from which a week with almost none stands out, and the share that is almost none. */
const [USUAL_CLICKS, DARK_SHARE] = [10, 0.15];
/**
 * Days after a stock-out in which a product sells less than before, and the share that it sells (both assumed: ranks
 * are back within four weeks, while the rate rises from 60 % to 100 %), worth `RECOVERY_ORDERS` orders.
 */
const [RECOVERY_DAYS, RECOVERY_SHARE, RECOVERY_ORDERS] = [28, 0.8, 20];

/** Ages of weeks, by product. */
export type WeeksOfProducts = ReadonlyMap<string, ReadonlySet<number>>;

/** Finds weeks with almost no clicks where ten are usual: the product was out of stock or stopped. */
export function darkWeeks(targets: readonly GoalTarget[]): WeeksOfProducts {
  const sums = new Map<string, Map<number, number>>();
  for (const { product, periods } of targets) {
    const own = sums.get(product) ?? new Map<number, number>();
    sums.set(product, own);
    for (const { age, clicks } of periods) own.set(age, (own.get(age) ?? 0) + clicks);
  }
  const found = new Map<string, ReadonlySet<number>>();
  for (const [product, weeks] of sums) {
    const mean = [...weeks.values()].reduce((all, one) => all + one, 0) / Math.max(1, weeks.size);
    if (mean < USUAL_CLICKS) continue;
    const dark = [...weeks].flatMap(([age, clicks]) => clicks < DARK_SHARE * mean ? [age] : []);
    if (dark.length > 0) found.set(product, new Set(dark));
  }
  return found;
}

/** Weeks after stock-outs, and the share of its usual orders that a click brings in them. */
export interface Recovery {
  readonly weeks: WeeksOfProducts;
  readonly share: number;
}

export const NO_RECOVERY: Recovery = { weeks: new Map(), share: 1 };

/** Finds the weeks after stock-outs. */
export function recoveryWeeks(targets: readonly GoalTarget[]): WeeksOfProducts {
  const dark = darkWeeks(targets);
  const found = new Map<string, Set<number>>();
  for (const { product, periods } of dark.size === 0 ? [] : targets) {
    const out = dark.get(product);
    if (out === undefined) continue;
    const own = found.get(product) ?? new Set<number>();
    found.set(product, own);
    for (const { age } of periods) {
      if ([...out].some((one) => one > age && one - age <= RECOVERY_DAYS)) own.add(age);
    }
  }
  return found;
}

/**
 * Estimates how much less clicks bring after a stock-out: orders of all recovering products, compared with what their
 * usual rates let expect, beside an assumed share.
 */
export function recoveryShare(
  targets: readonly GoalTarget[],
  { weeks, rate }: { readonly weeks: WeeksOfProducts; readonly rate: Float64Array },
): number {
  let [orders, expected] = [0, 0];
  targets.forEach(({ product, periods }, at) => {
    const own = weeks.get(product);
    if (own === undefined) return;
    for (const period of periods) {
      if (!own.has(period.age)) continue;
      orders += period.orders;
      expected += period.clicks * period.maturity * rate[at]!;
    }
  });
  return Math.min(1, (orders + RECOVERY_SHARE * RECOVERY_ORDERS) / (expected + RECOVERY_ORDERS));
}
