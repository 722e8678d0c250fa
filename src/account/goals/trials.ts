import { type Bounds, roundedBid } from "./bid_bounds.ts";
import { type FigureModel, figuresAt, figureSums } from "./expected_figures.ts";
import type { GoalInput } from "./model.ts";
import { termsRatio } from "./terms.ts";

/** Coefficient of variation of a value from which a target may get a trial. */
const TRIAL_CV = 0.4;

/**
 * Raises the bids of targets that look poor on few clicks, those with the most uncertainty for their cost first, until
 * the trial share of spend is used. Without this, a target with bad luck would never get the clicks to recover.
 *
 * @returns The raised bids, by position of the target.
 */
export function drawTrials(
  input: GoalInput,
  { model, bounds, decided, most }: {
    readonly model: FigureModel;
    readonly bounds: Bounds;
    readonly decided: Float64Array;
    /** Maximum cost per day, trials included. */
    readonly most: number;
  },
): ReadonlyMap<number, number> {
  const { values, worth, responses } = model;
  const spend = figureSums(model, decided).cost;
  let left = Math.min(input.explore * spend, most - spend);
  const candidates = input.targets.flatMap(({ locked }, at) => {
    const cv = values.cv[at]!;
    // Only what fell below its siblings by few clicks: the others are already bid for by what siblings let expect.
    const expected = values.parent[at]! * termsRatio(values.terms?.[at] ?? []);
    const isLow = values.rate[at]! < 0.9 * expected;
    if (locked !== undefined || cv < TRIAL_CV || !isLow) return [];
    const bid = Math.min(bounds.high[at]!, decided[at]! * Math.exp(0.7 * cv));
    const next = roundedBid(input, { bounds, at, bid });
    if (next <= decided[at]!) return [];
    const cost = figuresAt(model, at, next).cost - figuresAt(model, at, decided[at]!).cost;
    return cost > 0 ? [{ at, next, cost, merit: cv * cv * worth[at]! / responses.price[at]! }] : [];
  }).sort((a, b) => b.merit - a.merit || a.at - b.at);
  const trials = new Map<number, number>();
  for (const { at, next, cost } of candidates) {
    if (cost > left) continue;
    left -= cost;
    trials.set(at, next);
  }
  return trials;
}
