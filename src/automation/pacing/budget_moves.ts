/** A campaign whose daily budget may be moved. */
export interface PacedCampaign {
  /** Key of the campaign, unique in the list. */
  readonly key: string;
  /** Daily budget now. */
  readonly budget: number;
  /** Expected spend of the campaign today at its current budget. */
  readonly expected: number;
  /** True if it runs out of budget before the day ends. */
  readonly isFull: boolean;
  /** ROAS over the last weeks: sales divided by cost; `undefined` without cost. */
  readonly roas: number | undefined;
  /** Lowest daily budget. @default the floor */
  readonly atLeast?: number | undefined;
  /** Highest daily budget. @default the ceiling */
  readonly upTo?: number | undefined;
}

/** Bounds for the budget changes of a day. */
export interface MoveBounds {
  /** Target spend for today. */
  readonly needed: number;
  /** Largest change of a budget, as a share: 0.2 for 20 %. */
  readonly maxStep: number;
  /** Lowest daily budget. */
  readonly floor: number;
  /** Highest daily budget. */
  readonly ceiling: number;
  /** Decimals of the currency. */
  readonly decimals: number;
}

const TOLERANCE = 0.02;

/**
 * Computes daily budgets that bring today's expected spend towards `needed`, changing each by one step at most. If
 * spend is too high, campaigns with the lowest ROAS are lowered first, and campaigns that spend less than their
 * budgets last. If spend is too low, campaigns that run out of budget are raised, highest ROAS first.
 *
 * @returns The new budgets by key; absent where nothing changes.
 *
 * @example
 * ```ts
 * import { budgetMoves } from "@platform/ads/pacing";
 *
 * const campaign = { key: "a", budget: 100, expected: 100, isFull: true, roas: 3 };
 * const bounds = { needed: 150, maxStep: 0.2, floor: 1, ceiling: 500, decimals: 2 };
 * console.log(budgetMoves([campaign], bounds).get("a")); // 120
 * ```
 */
export function budgetMoves(campaigns: readonly PacedCampaign[], bounds: MoveBounds): Map<string, number> {
  const { needed } = bounds;
  const expected = campaigns.reduce((sum, one) => sum + one.expected, 0);
  if (Math.abs(expected - needed) <= TOLERANCE * needed) return new Map();
  return expected > needed
    ? lowered(campaigns, expected - needed, bounds)
    : raised(campaigns, needed - expected, bounds);
}

function lowered(
  campaigns: readonly PacedCampaign[],
  excess: number,
  bounds: MoveBounds,
): Map<string, number> {
  const moves = new Map<string, number>();
  const worstFirst = campaigns.toSorted((a, b) => (a.roas ?? Infinity) - (b.roas ?? Infinity));
  const least = ({ budget, atLeast = 0 }: PacedCampaign): number =>
    Math.max(Math.min(budget, Math.max(bounds.floor, atLeast)), budget * (1 - bounds.maxStep));
  let left = excess;
  for (const isFelt of [true, false]) {
    for (const campaign of worstFirst) {
      const lowest = least(campaign);
      if (left <= 0 || isFelt !== (lowest < campaign.expected)) continue;
      const budget = rounded(
        isFelt ? Math.max(lowest, campaign.expected - left) : lowest,
        { decimals: bounds.decimals, by: Math.ceil },
      );
      if (budget >= campaign.budget) continue;
      moves.set(campaign.key, budget);
      left -= Math.max(0, campaign.expected - budget);
    }
  }
  return moves;
}

function raised(campaigns: readonly PacedCampaign[], gap: number, bounds: MoveBounds): Map<string, number> {
  const moves = new Map<string, number>();
  let left = gap;
  const bestFirst = campaigns.filter(({ isFull }) => isFull).toSorted((a, b) =>
    (b.roas ?? 0) - (a.roas ?? 0)
  );
  for (const { key, budget, upTo = Infinity } of bestFirst) {
    if (left <= 0) break;
    const most = Math.min(Math.max(budget, Math.min(bounds.ceiling, upTo)), budget * (1 + bounds.maxStep));
    const next = rounded(Math.min(most, budget + left), { decimals: bounds.decimals, by: Math.floor });
    if (next <= budget) continue;
    moves.set(key, next);
    left -= next - budget;
  }
  return moves;
}

function rounded(
  amount: number,
  { decimals, by }: { readonly decimals: number; readonly by: (value: number) => number },
): number {
  const scale = 10 ** decimals;
  return by(Number((amount * scale).toPrecision(12))) / scale;
}
