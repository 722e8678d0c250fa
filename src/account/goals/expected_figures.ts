import type { PlacementPlan } from "./placements.ts";
import type { GoalAim, GoalTarget } from "./model.ts";
import type { Responses } from "./response.ts";
import type { Values } from "./value.ts";

/** Estimates that give the figures of each target at any bid, in columns by target. */
export interface FigureModel {
  readonly bids: Float64Array;
  readonly values: Values;
  readonly responses: Responses;
  readonly placements: Pick<PlacementPlan, "now" | "next" | "value">;
  /** Worth of a click: the part of `gain` that counts. */
  readonly worth: Float64Array;
  /** Sales of a click, or its orders at the cost per order. */
  readonly gain: Float64Array;
}

/** Part of a target's sales or orders that counts: caused by advertising, and for profit what the margin leaves. */
export function countedShare({ margin, incremental = 1 }: GoalTarget, aim: GoalAim): number {
  return incremental * (aim.kind === "profit" ? margin : 1);
}

interface Sums {
  cost: number;
  sales: number;
  orders: number;
  gain: number;
}

/**
 * Daily expectations at a bid: clicks follow a power law, and each further click costs `marginal` × bid. `isNext` is
 * false for the current placement adjustments.
 */
export function figuresAt(
  { bids, values, responses, placements, gain }: FigureModel,
  at: number,
  bid: number,
  isNext = true,
): { clicks: number } & Sums {
  const now = bids[at]! * placements.now[at]!;
  const ratio = bid * (isNext ? placements.next[at]! : placements.now[at]!) / now;
  const e = responses.elasticity[at]!;
  const before = responses.clicks[at]!;
  const clicks = before * ratio ** e;
  const more = responses.marginal * now * before * e / (1 + e) * (ratio ** (1 + e) - 1);
  const cost = Math.max(
    0.2 * before * responses.price[at]! * ratio ** (1 + e),
    before * responses.price[at]! + more,
  );
  const valued = clicks * (isNext ? placements.value[at]! : 1);
  return {
    clicks,
    cost,
    sales: valued * values.sales[at]!,
    orders: valued * values.rate[at]!,
    gain: valued * gain[at]!,
  };
}

export function figureSums(
  model: FigureModel,
  bids: Float64Array,
  isNext = true,
  isCounted: (at: number) => boolean = () => true,
): Sums {
  const all: Sums = { cost: 0, sales: 0, orders: 0, gain: 0 };
  for (let at = 0; at < bids.length; at++) {
    if (!isCounted(at)) continue;
    const one = figuresAt(model, at, bids[at]!, isNext);
    all.cost += one.cost;
    all.sales += one.sales;
    all.orders += one.orders;
    all.gain += one.gain;
  }
  return all;
}
