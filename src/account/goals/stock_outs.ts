import type { GoalTarget } from "./model.ts";

/** Mean weekly clicks of a product from which a week with almost none stands out, and the share that is almost none. */
const [USUAL_CLICKS, DARK_SHARE] = [10, 0.15];
/** Stored days of a week that are enough to say that it had almost no clicks. */
const FEWEST_DAYS = 4;
/**
 * Days after a stock-out in which a product sells less than before, and the share that it sells (both assumed: ranks
 * are back within four weeks, while the rate rises from 60 % to 100 %), worth `RECOVERY_ORDERS` orders.
 */
const [RECOVERY_DAYS, RECOVERY_SHARE, RECOVERY_ORDERS] = [28, 0.8, 20];

/** Ages of weeks, by product. */
export type WeeksOfProducts = ReadonlyMap<string, ReadonlySet<number>>;

/** Weeks of a product, by age. */
interface ProductWeeks {
  /** Clicks per seven stored days. */
  readonly clicks: ReadonlyMap<number, number>;
  readonly mean: number;
  readonly dark: ReadonlySet<number>;
}

/** Returns the weeks of products that have weeks with almost no clicks where ten are usual. */
function weeksWithDark(targets: readonly GoalTarget[]): ReadonlyMap<string, ProductWeeks> {
  interface Sums {
    clicks: number;
    /** Stored days: the most of a target, since the targets of a product share them. */
    days: number;
    last: GoalTarget;
    ofLast: number;
  }
  const sums = new Map<string, Map<number, Sums>>();
  for (const target of targets) {
    const own = sums.get(target.product) ?? new Map<number, Sums>();
    sums.set(target.product, own);
    for (const { age, clicks, days } of target.periods) {
      const week = own.get(age) ?? { clicks: 0, days: 0, last: target, ofLast: 0 };
      own.set(age, week);
      // A week in which the bid changed is in several periods.
      week.ofLast = week.last === target ? week.ofLast + days : days;
      week.last = target;
      week.days = Math.max(week.days, week.ofLast);
      week.clicks += clicks;
    }
  }
  const found = new Map<string, ProductWeeks>();
  for (const [product, own] of sums) {
    let [clicks, days] = [0, 0];
    for (const week of own.values()) {
      clicks += week.clicks;
      days += week.days;
    }
    const mean = 7 * clicks / Math.max(1, days);
    if (mean < USUAL_CLICKS) continue;
    const weekly = new Map([...own].map(([age, week]) => [age, 7 * week.clicks / Math.max(1, week.days)]));
    const dark = new Set(
      [...own].flatMap(([age, week]) =>
        week.days >= FEWEST_DAYS && weekly.get(age)! < DARK_SHARE * mean ? [age] : []
      ),
    );
    if (dark.size > 0) found.set(product, { clicks: weekly, mean, dark });
  }
  return found;
}

/** Finds weeks with almost no clicks where ten are usual: out of stock, stopped, or before the first day. */
export function darkWeeks(targets: readonly GoalTarget[]): WeeksOfProducts {
  return new Map([...weeksWithDark(targets)].map(([product, { dark }]) => [product, dark]));
}

/** Weeks after stock-outs, and the share of its usual orders that a click brings in them. */
export interface Recovery {
  readonly weeks: WeeksOfProducts;
  readonly share: number;
}

export const NO_RECOVERY: Recovery = { weeks: new Map(), share: 1 };

/** Finds the weeks after stock-outs. Without usual clicks before it, a week is one before a launch, not a stock-out. */
export function recoveryWeeks(targets: readonly GoalTarget[]): WeeksOfProducts {
  const found = new Map<string, ReadonlySet<number>>();
  for (const [product, { clicks, mean, dark }] of weeksWithDark(targets)) {
    const least = Math.max(USUAL_CLICKS, DARK_SHARE * mean);
    const oldest = Math.max(...[...clicks].flatMap(([age, one]) => one >= least ? [age] : []));
    const out = [...dark].filter((age) => age < oldest);
    const after = [...clicks.keys()].filter((age) =>
      out.some((one) => one > age && one - age <= RECOVERY_DAYS)
    );
    if (after.length > 0) found.set(product, new Set(after));
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
