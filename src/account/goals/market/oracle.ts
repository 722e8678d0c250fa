import type { Course } from "./course.ts";
import { cents, PLACEMENTS, type Settings } from "./settings.ts";

const FACTORS = Array.from({ length: 33 }, (_, at) => Math.exp(-2 + at * 0.1));
const TOPS = [0, 0.35, 0.8];

/** Aim of an oracle: profit, or sales at an ACOS, with or without a limit on the coming week's spend. */
export interface OracleAim {
  readonly acos?: number | undefined;
  readonly money?: number | undefined;
  /** Targets that the oracle may change; the other targets keep the first settings. @default all */
  readonly free?: ((at: number) => boolean) | undefined;
}

/**
 * Finds the best settings for the coming week with full knowledge of rivals and rates: bids by grid search, one price
 * of money for all targets, and the best of a few adjustments for each campaign. Does not foresee how rivals react.
 */
export function oracle(course: Course, { acos, money, free = () => true }: OracleAim): Settings {
  const { market } = course;
  const { targets } = market.size;
  const width = FACTORS.length;
  const perTop = TOPS.map((top) => {
    const [clicks, cost, sales] = [0, 1, 2].map(() => new Float64Array(targets * width)) as [
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    for (let at = 0; at < targets; at++) {
      const shift = course.rivals(at);
      for (let k = 0; k < PLACEMENTS; k++) {
        const each = market.salesPerClick(at, k, course.week);
        for (let f = 0; f < width; f++) {
          const bid = market.first.bids[at]! * FACTORS[f]! * (k === 0 ? 1 + top : 1);
          const found = market.landscape.at(at, k, bid, shift);
          clicks[at * width + f]! += found.clicks;
          cost[at * width + f]! += found.cost;
          sales[at * width + f]! += found.clicks * each;
        }
      }
    }
    return { top, clicks, cost, sales };
  });
  const solve = (scale: number): { settings: Settings; cost: number; sales: number } => {
    const settings = {
      bids: market.first.bids.slice(),
      adjustments: market.first.adjustments.slice(),
      budgets: market.first.budgets.slice().fill(1e9),
    };
    const scores = new Float64Array(market.campaigns * TOPS.length);
    const best = TOPS.map(() => new Int32Array(targets));
    perTop.forEach(({ cost, sales }, which) => {
      for (let at = 0; at < targets; at++) {
        const value = acos === undefined ? market.margin(at) : 1;
        let [bestScore, bestAt] = [-Infinity, 0];
        for (let f = at * width; f < (at + 1) * width; f++) {
          const score = scale * value * sales[f]! - cost[f]!;
          if (score > bestScore) [bestScore, bestAt] = [score, f - at * width];
        }
        best[which]![at] = bestAt;
        scores[market.campaignOf[at]! * TOPS.length + which]! += bestScore;
      }
    });
    const chosen = Array.from({ length: market.campaigns }, (_, campaign) => {
      const own = scores.subarray(campaign * TOPS.length, (campaign + 1) * TOPS.length);
      return own.indexOf(Math.max(...own));
    });
    let [cost, sales] = [0, 0];
    for (let at = 0; at < targets; at++) {
      if (!free(at)) continue;
      const campaign = market.campaignOf[at]!;
      const which = chosen[campaign]!;
      const f = best[which]![at]!;
      settings.bids[at] = cents(market.first.bids[at]! * FACTORS[f]!);
      settings.adjustments.set([TOPS[which]!, 0, 0], campaign * PLACEMENTS);
      cost += perTop[which]!.cost[at * width + f]!;
      sales += perTop[which]!.sales[at * width + f]!;
    }
    return { settings, cost, sales };
  };
  const fits = ({ cost, sales }: { cost: number; sales: number }): boolean =>
    (money === undefined || cost <= money) && (acos === undefined || cost <= acos * sales);
  let [low, high] = [0.01, acos === undefined ? 1 : 2];
  const most = solve(high);
  if (fits(most)) return most.settings;
  for (let round = 0; round < 12; round++) {
    const middle = (low + high) / 2;
    if (fits(solve(middle))) low = middle;
    else high = middle;
  }
  return solve(low).settings;
}
