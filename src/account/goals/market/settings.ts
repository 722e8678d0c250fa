/** Settings of the account that a policy chooses. */
export interface Settings {
  /** Bid of each target. */
  readonly bids: Float64Array;
  /** Placement adjustments as fractions: three for each campaign (top, rest, product pages). */
  readonly adjustments: Float64Array;
  /** Daily budget of each campaign. */
  readonly budgets: Float64Array;
}

export const PLACEMENTS = 3;

/** Rounds an amount to whole cents, at least 0.02. */
export function cents(amount: number): number {
  return Math.max(0.02, Math.round(amount * 100) / 100);
}
