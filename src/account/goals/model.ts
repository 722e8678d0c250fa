/** Figures of one target over some days under one bid. */
export interface TargetPeriod {
  /** Number of days. */
  readonly days: number;
  /** Days from its last day to today. */
  readonly age: number;
  /** Bid of these days. */
  readonly bid: number;
  /** Mean factor of the campaign's placement adjustments in these days. @default 1 */
  readonly multiplier?: number | undefined;
  readonly clicks: number;
  readonly cost: number;
  /** Orders known so far. */
  readonly orders: number;
  /** Sales known so far. */
  readonly sales: number;
  /** Share of the orders of these days that is known by now. */
  readonly maturity: number;
  /** Share of these days in which the campaign was in budget. */
  readonly inBudget: number;
}

/** A keyword or target with a bid. */
export interface GoalTarget {
  readonly id: string;
  readonly campaign: string;
  readonly adGroup: string;
  readonly product: string;
  /** Match type, or kind of target. */
  readonly match: string;
  readonly bid: number;
  /** Profit of a unit of sales before advertising, 0 to 1. */
  readonly margin: number;
  /** Share of its sales that advertising causes. @default 1 */
  readonly incremental?: number | undefined;
  /** Reason for which it is left alone, for example `cooling`. */
  readonly locked?: string | undefined;
  /** Its past in any order, but periods of one age oldest first. */
  readonly periods: readonly TargetPeriod[];
}

/** Figures of a campaign's placement over the judged days. */
export interface PlacementFigures {
  readonly adjustment: number;
  readonly clicks: number;
  readonly orders: number;
}

/** Budget and placements that are decided together with the bids of their targets. */
export interface GoalCampaign {
  readonly id: string;
  /** Daily budget. */
  readonly budget: number;
  /** Placements whose adjustments are decided, in a fixed order. @default adjustments stay */
  readonly placements?: readonly PlacementFigures[] | undefined;
  /** True for a campaign whose adjustments stay. @default false */
  readonly keepsPlacements?: boolean | undefined;
  /** Highest bid in it, of paused targets too: the platform takes no lower budget. @default 0 */
  readonly highestBid?: number | undefined;
  /** True for a budget that stays. @default false */
  readonly isFixed?: boolean | undefined;
  /** Spend of today so far. @default 0 */
  readonly spentToday?: number | undefined;
  /** Budget of the month's days before today that was not spent: the platform may spend it later in the month. @default 0 */
  readonly unspent?: number | undefined;
  /** True where it may spend what other campaigns leave. @default false */
  readonly isSharing?: boolean | undefined;
}

/** Figure to maximise: profit, sales at a target ACOS, or orders at a target cost per order. */
export type GoalAim =
  | { readonly kind: "profit" }
  | { readonly kind: "sales"; readonly acos: number }
  | { readonly kind: "orders"; readonly cost: number };

/** Bounds that a plan keeps. */
export interface GoalLimits {
  readonly minBid: number;
  readonly maxBid: number;
  /** Decimals of the market's currency. */
  readonly decimals: number;
  /** Largest raise of a bid in one plan, 0.3 for 30 %. */
  readonly raise: number;
  /** Largest cut of a bid in one plan. */
  readonly cut: number;
  readonly minBudget: number;
  readonly maxBudget: number;
  /** Lowest daily budget of the market, for a month whose amount is used up. @default `minBudget` */
  readonly floorBudget?: number | undefined;
}

/** Money of the current month. */
export interface GoalMoney {
  /** Amount that is left. */
  readonly left: number;
  readonly daysLeft: number;
  /** Part of it that is not planned, for clicks that are not reported yet. */
  readonly reserve: number;
  /** Most that campaigns outside the goal may leave to its sharing ones until the end of the month. @default 0 */
  readonly lent?: number | undefined;
}

/** Everything that a decision depends on: the same input gives the same plan. */
export interface GoalInput {
  readonly targets: readonly GoalTarget[];
  readonly campaigns: readonly GoalCampaign[];
  readonly aim: GoalAim;
  readonly limits: GoalLimits;
  readonly money?: GoalMoney | undefined;
  /** Share of spend for trials of targets about which little is known. */
  readonly explore: number;
  /** True where the held-back part shows harm, so that every bid stays. @default false */
  readonly isHarmful?: boolean | undefined;
}

/** An estimate with its interval of 95 %. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}
