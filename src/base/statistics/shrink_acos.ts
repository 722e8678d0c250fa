import { type ShrinkOptions, shrinkRates } from "./shrink_rates.ts";

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
