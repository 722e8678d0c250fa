import { betaQuantile } from "./beta.ts";

/** Figures of one entity over some days. */
export interface AcosCounts {
  /** Id of the entity, for example of a keyword. */
  readonly id: string;
  /**
   * Ids of the entity's parents, from the outermost to the innermost, for example campaign and ad group. @default none
   */
  readonly parents?: readonly string[] | undefined;
  /** Number of clicks; entities without clicks are left out of the result. */
  readonly clicks: number;
  /** Number of orders. */
  readonly orders: number;
  /** Cost of the clicks. */
  readonly cost: number;
  /** Sales of the orders. */
  readonly sales: number;
}

/** An estimated ACOS and its interval; 0.3 is 30 %. */
export interface ShrunkAcos {
  /** Id of the entity. */
  readonly id: string;
  /** Estimated ACOS, between the entity's own ACOS and that of its parents. */
  readonly acos: number;
  /** Low end of the interval. */
  readonly low: number;
  /** High end of the interval. */
  readonly high: number;
}

/**
 * Estimates the ACOS of entities with few clicks: cost divided by the expected sales from their clicks. Expected
 * orders use the conversion rate of {@linkcode shrinkRates} and its interval. The value of an order is the entity's
 * own mean, or the overall mean if the entity had no orders. The interval covers the uncertainty of the conversion
 * rate, not that of the order value. Three clicks without an order thus get an estimate near that of their ad group,
 * not an infinite ACOS.
 *
 * @returns one estimate for each entity with clicks, in input order; none if there were no sales at all.
 * @throws {TypeError} as `shrinkRates` does.
 * @example
 * ```ts
 * import { shrinkAcos } from "@platform/ads/experiments";
 *
 * const [sparse, rich] = shrinkAcos([
 *   { id: "three clicks", clicks: 3, orders: 0, cost: 2, sales: 0 },
 *   { id: "many", clicks: 500, orders: 50, cost: 300, sales: 1200 },
 * ]);
 * console.log(sparse!.acos < 1, rich!.low < 0.25 && rich!.high > 0.25); // true true
 * ```
 */
export function shrinkAcos(counts: readonly AcosCounts[], options: ShrinkOptions = {}): ShrunkAcos[] {
  const clicked = counts.filter(({ clicks }) => clicks > 0);
  const sum = (field: "orders" | "sales"): number => clicked.reduce((all, one) => all + one[field], 0);
  const usualOrder = sum("orders") === 0 ? 0 : sum("sales") / sum("orders");
  const rates = shrinkRates(
    clicked.map(({ id, parents, clicks, orders }) => ({ id, parents, successes: orders, trials: clicks })),
    options,
  );
  return clicked.flatMap(({ id, clicks, orders, cost, sales }, at) => {
    const order = orders > 0 ? sales / orders : usualOrder;
    const { rate, low, high } = rates[at]!;
    // Many orders make a low ACOS.
    const acos = (conversion: number): number => cost / (conversion * clicks * order);
    return order > 0 ? [{ id, acos: acos(rate), low: acos(high), high: acos(low) }] : [];
  });
}

/** Counts of one entity: orders out of clicks, or clicks out of impressions. */
export interface RateCounts {
  /** Id of the entity, for example of a keyword. */
  readonly id: string;
  /**
   * Ids of the entity's parents, from the outermost to the innermost, for example campaign and ad group. @default none
   */
  readonly parents?: readonly string[] | undefined;
  /**
   * Number of successes, for example orders. A number above `trials` (two orders from one click) counts as `trials`.
   */
  readonly successes: number;
  /** Number of trials, for example clicks. */
  readonly trials: number;
}

/** An estimated rate with its interval. */
export interface ShrunkRate {
  /** Id of the entity. */
  readonly id: string;
  /** Estimated rate, 0 to 1: between the entity's own rate and that of its parents. */
  readonly rate: number;
  /** Low end of the interval. */
  readonly low: number;
  /** High end of the interval. */
  readonly high: number;
  /** Weight of the entity's own figures in the estimate, 0 to 1. */
  readonly weight: number;
}

/** Options for estimating rates. */
export interface ShrinkOptions {
  /** Confidence of the interval. @default 0.95 */
  readonly confidence?: number | undefined;
}

/**
 * Estimates rates of entities with few trials by shrinking each towards its parents. An empirical Bayes estimate for
 * beta-binomial counts: the prior mean of an entity is the mean of its innermost parent, which in turn is shrunk
 * towards the parent above, up to all entities together. The strength of shrinkage at each level is estimated from the
 * spread within the level by the method of moments (Kleinman, JASA 1973, 68:46). An entity with three clicks gets
 * nearly its ad group's rate and a wide interval; an entity with thousands of clicks keeps its own rate.
 *
 * @throws {TypeError} for counts that are negative or not numbers, and for entities with different numbers of parents.
 * @example
 * ```ts
 * import { shrinkRates } from "@platform/ads/experiments";
 *
 * const [sparse] = shrinkRates([
 *   { id: "three clicks", parents: ["group"], successes: 0, trials: 3 },
 *   { id: "a", parents: ["group"], successes: 10, trials: 100 },
 *   { id: "b", parents: ["group"], successes: 30, trials: 200 },
 * ]);
 * console.log(sparse!.rate > 0.05, sparse!.low < sparse!.rate); // true true
 * ```
 */
export function shrinkRates(counts: readonly RateCounts[], options: ShrinkOptions = {}): ShrunkRate[] {
  const { confidence = 0.95 } = options;
  if (!(confidence > 0 && confidence < 1)) {
    throw new RangeError(
      `Cannot use a confidence of ${confidence}: give more than 0 and less than 1, for example 0.95`,
    );
  }
  const depth = counts[0]?.parents?.length ?? 0;
  const leaves = counts.map((entity) => checked(entity, depth));
  const strength = priorStrength(leaves.map((leaf) => ({ ...leaf, parent: keyOf(leaf, depth) })));
  // One entity with very many trials tells little of how others in its group convert.
  const told = leaves.map((leaf) => {
    const share = Math.min(1, (strength + 1) / (strength + leaf.trials));
    return { ...leaf, trials: leaf.trials * share, successes: leaf.successes * share };
  });
  const [trials, successes] = [sum(told, "trials"), sum(told, "successes")];
  // Half a success and half a failure (Jeffreys' prior) keep the rate of a whole account away from 0 and 1.
  let priors = new Map([["", (successes + 0.5) / (trials + 1)]]);
  for (let level = 1; level <= depth; level++) priors = pooledLevel(told, level, priors);

  const tail = (1 - confidence) / 2;
  // Where rates are seen to be equal, their common rate is known from all trials and no better.
  const known = Math.min(strength, sum(leaves, "trials"));
  return leaves.map((leaf) => {
    const mean = priors.get(keyOf(leaf, depth))!;
    const rate = (mean * strength + leaf.successes) / (strength + leaf.trials);
    const [a, b] = [rate * (known + leaf.trials), (1 - rate) * (known + leaf.trials)];
    return {
      id: leaf.id,
      rate,
      low: betaQuantile(tail, a, b),
      high: betaQuantile(1 - tail, a, b),
      weight: leaf.trials / (leaf.trials + strength),
    };
  });
}

interface Leaf {
  readonly id: string;
  readonly parents: readonly string[];
  readonly successes: number;
  readonly trials: number;
}

function pooledLevel(
  leaves: readonly Leaf[],
  level: number,
  above: ReadonlyMap<string, number>,
): Map<string, number> {
  const groups = new Map<string, { successes: number; trials: number; parent: string }>();
  for (const leaf of leaves) {
    const key = keyOf(leaf, level);
    const group = groups.get(key) ?? { successes: 0, trials: 0, parent: keyOf(leaf, level - 1) };
    group.successes += leaf.successes;
    group.trials += leaf.trials;
    groups.set(key, group);
  }
  const strength = priorStrength([...groups.values()]);
  return new Map([...groups].map(([key, { successes, trials, parent }]) => [
    key,
    (above.get(parent)! * strength + successes) / (strength + trials),
  ]));
}

function sum(leaves: readonly Leaf[], field: "successes" | "trials"): number {
  return leaves.reduce((total, leaf) => total + leaf[field], 0);
}

const [WEAKEST, STRONGEST] = [1, 1e6];

/**
 * Estimates the prior strength in trials. With within-group correlation r, the expected sum of n (p - m)² / (m (1 -
 * m)) is (1 - r) k + r n, where each parent with several groups reduces k by one; the strength is (1 - r) / r.
 */
function priorStrength(
  groups: readonly { successes: number; trials: number; parent: string }[],
): number {
  const seen = groups.filter(({ trials }) => trials > 0);
  let freedom = 0;
  let [spread, trialsLeft] = [0, 0];
  for (const siblings of Map.groupBy(seen, ({ parent }) => parent).values()) {
    if (siblings.length < 2) continue;
    const total = siblings.reduce((all, { trials }) => all + trials, 0);
    const mean = (siblings.reduce((all, { successes }) => all + successes, 0) + 0.5) / (total + 1);
    for (const { successes, trials } of siblings) {
      spread += trials * (successes / trials - mean) ** 2 / (mean * (1 - mean));
      trialsLeft += trials - trials * trials / total;
    }
    freedom += siblings.length - 1;
  }
  const correlation = (spread - freedom) / (trialsLeft - freedom);
  if (!(correlation > 0)) return STRONGEST;
  return Math.min(STRONGEST, Math.max(WEAKEST, (1 - correlation) / correlation));
}

function keyOf({ parents }: Leaf, level: number): string {
  return level === 0 ? "" : JSON.stringify(parents.slice(0, level));
}

function checked({ id, parents = [], successes, trials }: RateCounts, depth: number): Leaf {
  for (const [name, value] of [["successes", successes], ["trials", trials]] as const) {
    if (!(value >= 0 && Number.isFinite(value))) {
      throw new TypeError(`Cannot estimate a rate: ${name} of "${id}" is ${value}`);
    }
  }
  if (parents.length !== depth) {
    throw new TypeError(
      `Cannot estimate rates: "${id}" has ${parents.length} parents, and the first entity has ${depth}`,
    );
  }
  return { id, parents, successes: Math.min(successes, trials), trials };
}
