import type { Estimate } from "./model.ts";
import type { KnownTerm } from "./terms.ts";

export type BindingBound = "raise" | "cut" | "minimum" | "maximum" | null;

export type KeptReason = StopReason | "noise" | "rounding" | "locked";

/** `amount_too_small`: even the lowest budgets exceed the amount. `harmful`: the held-back group does better. */
export type StopReason = "too_few_data" | "sales_stopped" | "amount_too_small" | "harmful";

export interface DecisionRow {
  readonly id: string;
  readonly bid: number;
  readonly next: number;
  readonly free: number;
  readonly bound: BindingBound;
  readonly kept: KeptReason | null;
  readonly locked: string | null;
  readonly isTrial: boolean;
  readonly worth: Estimate;
  /** Share of sales caused by advertising; 1 unless set in the goal. */
  readonly incremental: number;
  readonly rate: number;
  readonly parentRate: number;
  readonly ownWeight: number;
  /** Share of the usual orders per click, in `rate`: below 1 in the weeks after a stock-out. */
  readonly recovery: number;
  /** Search terms of the target, if stored. */
  readonly terms: readonly KnownTerm[];
  readonly salesPerClick: number;
  /** Per day, at the current bid. */
  readonly clicks: number;
  readonly price: number;
  readonly elasticity: number;
  readonly multiplier: number;
  readonly change: {
    readonly clicks: number;
    readonly cost: number;
    readonly sales: number;
    readonly orders: number;
  };
  /** Clicks still needed to know the value within 30 %; 0 if it is already known. */
  readonly clicksMissing: number;
}

export interface Decision {
  readonly rows: readonly DecisionRow[];
  readonly adjustments: ReadonlyMap<string, readonly number[]>;
  /** Number of campaigns whose adjustments stay because targets with half or more of their clicks wait. */
  readonly placementsWaiting: number;
  /**
   * Orders per click of each placement relative to the account's average, by campaign id, for campaigns whose
   * adjustments change.
   */
  readonly placementValues: ReadonlyMap<string, readonly number[]>;
  readonly budgets: ReadonlyMap<string, number>;
  /** Fraction of a click's worth that is paid for the marginal click. */
  readonly scale: number;
  /** Value of `scale` without the monthly amount; equal to `scale` if the amount limits no bid. */
  readonly scaleWithoutAmount: number;
  readonly priceOfMoney: number;
  readonly expected: {
    readonly cost: number;
    readonly sales: number;
    readonly orders: number;
    readonly acos: number;
  };
  readonly before: { readonly cost: number; readonly sales: number; readonly orders: number };
  /** Maximum spend until the end of the month; `undefined` if there is no monthly amount. */
  readonly most: number | undefined;
  readonly effect: Estimate;
  readonly marginal: number;
  readonly marginalDeviation: number;
  readonly changesLearned: number;
  readonly stopped: StopReason | null;
  readonly ordersMissing: number;
}
