import type { GoalTarget } from "./model.ts";
import { type KnownTerm, knownTerms, termsRatio } from "./terms.ts";
import { NO_RECOVERY, type Recovery, recoveryShare, recoveryWeeks } from "./stock_outs.ts";

/** In days. */
const RATE_HALF_LIFE = 60;

/**
 * Variance of true rates within their parent, as 1 / orders: the prior, worth {@link PRIOR_PRECISION}. A coefficient
 * of variation of 0.5 gives 0.25, a prior of four orders per target.
 */
const LEVELS = [
  { of: (target: GoalTarget) => target.adGroup, spread: 0.25 },
  { of: (target: GoalTarget) => target.campaign, spread: 0.02 },
  { of: (target: GoalTarget) => target.product, spread: 0.02 },
  { of: () => "account", spread: 0.09 },
] as const;
const PRIOR_PRECISION = 40;
/** Prior weights in orders: match type factor, week factor, and order value. */
const [MATCH_ORDERS, WEEK_ORDERS, VALUE_ORDERS] = [30, 60, 8];

export interface Values {
  readonly rate: Float64Array;
  readonly sales: Float64Array;
  readonly cv: Float64Array;
  readonly parent: Float64Array;
  /** Weight of the target's own data, 0 to 1. */
  readonly own: Float64Array;
  /** Uncertainty of each level of the hierarchy, from targets up to the account. */
  readonly spreads: readonly LevelSpread[];
  /** Share of the usual orders per click in the coming week: below 1 in the weeks after a stock-out. */
  readonly recovery: Float64Array;
  /** Search terms of each target; `undefined` if none are stored. */
  readonly terms?: readonly (readonly KnownTerm[])[] | undefined;
  readonly orders: number;
  readonly latest: { readonly seen: number; readonly expected: number };
}

/** Uncertainty of the members of a level, in columns. */
interface LevelSpread {
  /** Position of each member's parent in the level above. */
  readonly parent: Int32Array;
  /** Squared coefficient of variation of a member's estimate if its parent's were known. */
  readonly variance: Float64Array;
  /** Share of the parent's error that a member takes over, 0 to 1. */
  readonly inherited: Float64Array;
}

/**
 * Estimates rates, shrunk towards ad group, campaign, product and account by hierarchical credibility (Bühlmann and
 * Gisler, A Course in Credibility Theory, chapter 6). Each level keeps the share e / (e + a) of its own data, where e
 * are the expected orders and 1 / a is the spread of rates within its parent. Clicks with incomplete orders count by
 * the known share (Chapelle 2014).
 */
export function estimateValues(
  targets: readonly GoalTarget[],
  { shrink = true, recover = true, terms = true }: {
    shrink?: boolean | undefined;
    recover?: boolean | undefined;
    terms?: boolean | undefined;
  } = {},
): Values {
  const usual = valuesUnder(targets, { shrink, weeks: NO_WEEKS });
  const known = terms && targets.some((one) => (one.terms?.length ?? 0) > 0)
    ? knownTerms(targets, usual.parent)
    : undefined;
  const ofTerms = known && Float64Array.from(known, termsRatio);
  const recovering = recover ? recoveryWeeks(targets) : NO_RECOVERY.weeks;
  const recovery = recovering.size === 0
    ? NO_RECOVERY
    : { weeks: recovering, share: recoveryShare(targets, { weeks: recovering, rate: usual.rate }) };
  // Weeks are compared by what their clicks let expect: bids that move change which targets get clicks.
  const first = ofTerms === undefined && recovery === NO_RECOVERY
    ? usual
    : valuesUnder(targets, { shrink, ofTerms, weeks: { ...NO_WEEKS, recovery } });
  const weeks = weekFactors(targets, first.rate, recovery);
  return { ...valuesUnder(targets, { shrink, ofTerms, weeks }), terms: known };
}

/** Rate of each past week, by age, and of the coming week, relative to the usual rate. */
interface Weeks {
  readonly factors: ReadonlyMap<number, number>;
  readonly now: number;
  readonly recovery: Recovery;
}

const NO_WEEKS: Weeks = { factors: new Map(), now: 1, recovery: NO_RECOVERY };

function valuesUnder(
  targets: readonly GoalTarget[],
  { shrink, ofTerms, weeks }: {
    readonly shrink: boolean;
    /** Orders per click that the search terms of each target let expect, relative to its ad group. */
    readonly ofTerms?: Float64Array | undefined;
    readonly weeks: Weeks;
  },
): Values {
  const count = targets.length;
  const [exposure, orders, sales] = [0, 1, 2].map(() => new Float64Array(count)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const { recovery } = weeks;
  targets.forEach(({ product, periods }, at) => {
    const recovering = recovery.weeks.get(product);
    for (const period of periods) {
      const weight = 2 ** (-period.age / RATE_HALF_LIFE);
      const share = recovering?.has(period.age) ? recovery.share : 1;
      exposure[at]! += weight * period.clicks * period.maturity * share *
        (weeks.factors.get(period.age) ?? 1);
      orders[at]! += weight * period.orders;
      sales[at]! += weight * period.sales;
    }
  });
  const all = { exposure: sum(exposure), orders: sum(orders), sales: sum(sales) };
  const matches = matchFactors(targets, { exposure, orders });
  ofTerms?.forEach((ratio, at) => matches[at]! *= ratio);
  const adjusted = exposure.map((clicks, at) => clicks * matches[at]!);
  const base = all.orders / Math.max(1e-9, sum(adjusted));

  // Upwards: credible orders of each level, and its ratio to the usual rate.
  const levels: { index: Int32Array; a: number; weight: Float64Array; ratio: Float64Array }[] = [];
  let weight = adjusted.map((clicks) => clicks * base);
  let ratio = orders.map((own, at) => weight[at]! > 0 ? own / weight[at]! : 0);
  let names: readonly string[] = [];
  for (const { of, spread } of LEVELS) {
    const parents = levels.length === 0
      ? targets.map(of)
      : parentsOf(targets, names, { child: LEVELS[levels.length - 1]!.of, of });
    const { index, keys } = indexOf(parents);
    const a = shrink || levels.length > 0
      ? strength({ weight, ratio, index, groups: keys.length, spread })
      : 1e-3;
    const [up, mean] = [new Float64Array(keys.length), new Float64Array(keys.length)];
    weight.forEach((own, at) => {
      const credible = own * a / (own + a);
      up[index[at]!]! += credible;
      mean[index[at]!]! += credible * ratio[at]!;
    });
    levels.push({ index, a, weight, ratio });
    weight = up;
    ratio = mean.map((one, at) => up[at]! > 0 ? one / up[at]! : 1);
    names = keys;
  }
  // Downwards: the estimate of each level is the prior of the one below.
  let estimate = Float64Array.of(1);
  let variance = Float64Array.of(1 / Math.max(1, all.orders));
  let own = new Float64Array(count);
  let parent = new Float64Array(count);
  const spreads: LevelSpread[] = [{
    parent: new Int32Array(1),
    variance,
    inherited: new Float64Array(1),
  }];
  for (const level of levels.toReversed()) {
    const size = level.index.length;
    const [next, spread] = [new Float64Array(size), new Float64Array(size)];
    const [alone, inherited] = [new Float64Array(size), new Float64Array(size)];
    own = new Float64Array(size);
    parent = new Float64Array(size);
    for (let at = 0; at < size; at++) {
      const above = level.index[at]!;
      const prior = estimate[above]!;
      const expected = level.weight[at]! * prior;
      const z = expected / (expected + level.a);
      next[at] = z * level.ratio[at]! + (1 - z) * prior;
      inherited[at] = 1 - z;
      alone[at] = 1 / (level.a + level.weight[at]! * next[at]!);
      spread[at] = alone[at]! + (1 - z) ** 2 * variance[above]!;
      own[at] = z;
      parent[at] = prior;
    }
    spreads.unshift({ parent: level.index, variance: alone, inherited });
    [estimate, variance] = [next, spread];
  }
  const values = orderValues(targets, { orders, sales, usual: all.sales / Math.max(1e-9, all.orders) });
  const newest = newestAge(targets);
  // The coming week is as the newest one: a product that still recovers sells less in it.
  const recovering = Float64Array.from(
    targets,
    ({ product }) => recovery.weeks.get(product)?.has(newest) ? recovery.share : 1,
  );
  const coming = recovering.map((share, at) => base * matches[at]! * weeks.now * share);
  const rate = estimate.map((one, at) => one * coming[at]!);
  return {
    rate,
    sales: rate.map((one, at) => one * values[at]!),
    cv: variance.map((one) => Math.sqrt(one)),
    // Search terms are the keyword's own, and not what its ad group lets expect.
    parent: parent.map((one, at) => one * coming[at]! / (ofTerms?.[at] ?? 1)),
    own,
    spreads,
    recovery: recovering,
    orders: all.orders,
    latest: latestOrders(targets, rate),
  };
}

/**
 * Returns the variance of a sum of amounts, one per target, that are proportional to the targets' values. Targets of
 * one ad group, campaign or product share part of their error.
 */
export function valueVariance({ spreads }: Values, amounts: Float64Array): number {
  let [all, shared] = [0, amounts];
  for (const [at, { parent, variance, inherited }] of spreads.entries()) {
    const above = new Float64Array(spreads[at + 1]?.variance.length ?? 1);
    for (let member = 0; member < shared.length; member++) {
      all += shared[member]! ** 2 * variance[member]!;
      above[parent[member]!]! += shared[member]! * inherited[member]!;
    }
    shared = above;
  }
  return all;
}

/** Returns the age of the newest period of all targets. */
export function newestAge(targets: readonly GoalTarget[]): number {
  let newest = Infinity;
  for (const { periods } of targets) for (const { age } of periods) newest = Math.min(newest, age);
  return newest;
}

function weekFactors(targets: readonly GoalTarget[], rate: Float64Array, recovery: Recovery): Weeks {
  const seen = new Map<number, { expected: number; orders: number }>();
  // The rate of a product that recovers now is the lower one, and the factor below refers to the usual one.
  const newest = newestAge(targets);
  targets.forEach(({ product, periods }, at) => {
    const recovering = recovery.weeks.get(product);
    const usual = rate[at]! / (recovering?.has(newest) ? recovery.share : 1);
    for (const period of periods) {
      const one = seen.get(period.age) ?? { expected: 0, orders: 0 };
      seen.set(period.age, one);
      one.expected += period.clicks * period.maturity * usual *
        (recovering?.has(period.age) ? recovery.share : 1);
      one.orders += period.orders;
    }
  });
  const factors = new Map(
    [...seen].map(([age, one]) => [age, (one.orders + WEEK_ORDERS) / (one.expected + WEEK_ORDERS)] as const),
  );
  const latest = [...factors].sort(([a], [b]) => a - b).slice(0, 3).map(([, factor]) => factor);
  const mean = latest.reduce((all, one) => all + one, 0) / Math.max(1, latest.length);
  return { factors, now: latest.length === 0 ? 1 : mean, recovery };
}

function matchFactors(
  targets: readonly GoalTarget[],
  { exposure, orders }: { exposure: Float64Array; orders: Float64Array },
): Float64Array {
  // Compared within products, which have their own mix of match types.
  const products = indexOf(targets.map(({ product }) => product));
  const matches = indexOf(targets.map(({ match }) => match));
  const [clicks, bought] = [new Float64Array(products.keys.length), new Float64Array(products.keys.length)];
  targets.forEach((_, at) => {
    clicks[products.index[at]!]! += exposure[at]!;
    bought[products.index[at]!]! += orders[at]!;
  });
  const [seen, expected] = [new Float64Array(matches.keys.length), new Float64Array(matches.keys.length)];
  targets.forEach((_, at) => {
    const product = products.index[at]!;
    seen[matches.index[at]!]! += orders[at]!;
    expected[matches.index[at]!]! += clicks[product]! > 0
      ? exposure[at]! * bought[product]! / clicks[product]!
      : 0;
  });
  return Float64Array.from(
    targets,
    (_, at) => {
      const match = matches.index[at]!;
      return (seen[match]! + MATCH_ORDERS) / (expected[match]! + MATCH_ORDERS);
    },
  );
}

/**
 * Estimates the prior strength by the method of moments: the mean squared distance of a ratio to its parent's is 1 / e
 * + 1 / a. Weighted by the information in each member and combined with the level's prior.
 */
function strength({ weight, ratio, index, groups, spread }: {
  weight: Float64Array;
  ratio: Float64Array;
  index: Int32Array;
  groups: number;
  spread: number;
}): number {
  const [all, mean, square, members] = [0, 1, 2, 3].map(() => new Float64Array(groups)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  weight.forEach((own, at) => {
    const group = index[at]!;
    const credible = own / (1 + own * spread);
    all[group]! += credible;
    mean[group]! += credible * ratio[at]!;
    square[group]! += credible * credible;
    members[group]! += own > 0 ? 1 : 0;
  });
  let [found, precision] = [spread * PRIOR_PRECISION, PRIOR_PRECISION];
  weight.forEach((own, at) => {
    const group = index[at]!;
    if (own === 0 || members[group]! < 2) return;
    const center = mean[group]! / all[group]!;
    if (center <= 0) return;
    const expected = own * center;
    const credible = own / (1 + own * spread);
    // The member is part of the mean that it is compared with.
    const free = Math.max(0.2, 1 - 2 * credible / all[group]! + square[group]! / all[group]! ** 2);
    const excess = (ratio[at]! / center - 1) ** 2 / free - 1 / expected;
    const noise = 1 / expected + spread;
    const weightOfIt = 1 / (2 * noise * noise + 1 / expected ** 3);
    found += weightOfIt * excess;
    precision += weightOfIt;
  });
  return 1 / Math.min(1, Math.max(0.25 * spread, found / precision));
}

function orderValues(
  targets: readonly GoalTarget[],
  { orders, sales, usual }: { orders: Float64Array; sales: Float64Array; usual: number },
): Float64Array {
  const products = indexOf(targets.map(({ product }) => product));
  const [bought, money] = [new Float64Array(products.keys.length), new Float64Array(products.keys.length)];
  targets.forEach((_, at) => {
    bought[products.index[at]!]! += orders[at]!;
    money[products.index[at]!]! += sales[at]!;
  });
  // Prices differ between products much more than orders of one product do: one order says most of it.
  const ofProduct = money.map((one, at) => (one + 0.2 * usual) / (bought[at]! + 0.2));
  return Float64Array.from(targets, (_, at) => {
    const prior = ofProduct[products.index[at]!]!;
    return (sales[at]! + 4 * VALUE_ORDERS * prior) / (orders[at]! + 4 * VALUE_ORDERS);
  });
}

function latestOrders(
  targets: readonly GoalTarget[],
  rate: Float64Array,
): { seen: number; expected: number } {
  const newest = newestAge(targets);
  let [seen, expected] = [0, 0];
  targets.forEach(({ periods }, at) => {
    for (const period of periods) {
      if (period.age !== newest) continue;
      seen += period.orders;
      expected += period.clicks * period.maturity * rate[at]!;
    }
  });
  return { seen, expected };
}

function parentsOf(
  targets: readonly GoalTarget[],
  names: readonly string[],
  { child, of }: { child: (target: GoalTarget) => string; of: (target: GoalTarget) => string },
): string[] {
  const found = new Map(targets.map((target) => [child(target), of(target)]));
  return names.map((name) => found.get(name) ?? "");
}

export function indexOf(names: readonly string[]): { index: Int32Array; keys: string[] } {
  const known = new Map<string, number>();
  const index = Int32Array.from(names, (name) => {
    const at = known.get(name) ?? known.size;
    known.set(name, at);
    return at;
  });
  return { index, keys: [...known.keys()] };
}

function sum(values: Float64Array): number {
  let all = 0;
  for (const value of values) all += value;
  return all;
}
