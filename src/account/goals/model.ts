export interface TargetPeriod {
  readonly days: number;
  /** Days between the last day of the period and today. */
  readonly age: number;
  readonly bid: number;
  readonly multiplier?: number | undefined;
  readonly clicks: number;
  readonly cost: number;
  readonly orders: number;
  readonly sales: number;
  readonly maturity: number;
  readonly inBudget: number;
}

/** Stored figures of a search term of a target, or of all terms that no other target has. */
export interface TermFigures {
  /** `null` for the terms that no other target has, together: nothing can be learned of them elsewhere. */
  readonly term: string | null;
  readonly clicks: number;
  readonly orders: number;
}

export interface GoalTarget {
  readonly id: string;
  readonly campaign: string;
  readonly adGroup: string;
  readonly product: string;
  readonly match: string;
  readonly bid: number;
  /**
   * Mean bid of the newest week, if a schedule moves the bid by the hour: what clicks respond to.
   *
   * @default `bid`
   */
  readonly meanBid?: number | undefined;
  /** Profit before advertising per unit of sales, 0 to 1. */
  readonly margin: number;
  readonly incremental?: number | undefined;
  readonly locked?: string | undefined;
  /** Search terms as far as they are stored; they count clicks of the periods again. */
  readonly terms?: readonly TermFigures[] | undefined;
  /** Periods in any order, except that periods of the same age are oldest first. */
  readonly periods: readonly TargetPeriod[];
}

export interface PlacementFigures {
  readonly adjustment: number;
  readonly clicks: number;
  readonly orders: number;
}

export interface GoalCampaign {
  readonly id: string;
  readonly budget: number;
  readonly placements?: readonly PlacementFigures[] | undefined;
  /** True if the campaign's placement adjustments must not change. @default false */
  readonly keepsPlacements?: boolean | undefined;
  /**
   * Highest bid, including those of paused targets; the platform accepts no daily budget below it.
   *
   * @default 0
   */
  readonly highestBid?: number | undefined;
  readonly isFixed?: boolean | undefined;
  readonly spentToday?: number | undefined;
  /**
   * Unspent budget from earlier days of the month, which the platform may still spend.
   *
   * @default 0
   */
  readonly unspent?: number | undefined;
  readonly isSharing?: boolean | undefined;
}

export type GoalAim =
  | { readonly kind: "profit" }
  | { readonly kind: "sales"; readonly acos: number }
  | { readonly kind: "orders"; readonly cost: number };

export interface GoalLimits {
  readonly minBid: number;
  readonly maxBid: number;
  readonly decimals: number;
  /** Maximum raise per plan; 0.3 is 30 %. */
  readonly raise: number;
  readonly cut: number;
  readonly minBudget: number;
  readonly maxBudget: number;
  /**
   * Market minimum, used when the monthly amount is exhausted.
   *
   * @default `minBudget`
   */
  readonly floorBudget?: number | undefined;
}

export interface GoalMoney {
  readonly left: number;
  readonly daysLeft: number;
  /** Amount held back for clicks that are not reported yet. */
  readonly reserve: number;
  readonly lent?: number | undefined;
}

export interface GoalInput {
  readonly targets: readonly GoalTarget[];
  readonly campaigns: readonly GoalCampaign[];
  readonly aim: GoalAim;
  readonly limits: GoalLimits;
  readonly money?: GoalMoney | undefined;
  readonly explore: number;
  /**
   * Freezes all bids because the held-back group shows harm.
   *
   * @default false
   */
  readonly isHarmful?: boolean | undefined;
}

/** With a 95 % interval. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}
