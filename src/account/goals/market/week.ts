/** Figures of one week by target. */
export interface WeekFigures {
  readonly clicks: Float64Array;
  readonly cost: Float64Array;
  readonly orders: Float64Array;
  readonly sales: Float64Array;
}

/** Results of a week. */
export interface Week {
  /** Expected figures, without randomness in clicks and orders. */
  readonly expected: WeekFigures;
  /** Profit before luck. */
  readonly profit: Float64Array;
  /** Reported figures once every sale is known. */
  readonly final: WeekFigures;
  /** Orders and sales known on the day after the week. */
  readonly early: Pick<WeekFigures, "orders" | "sales">;
  /** Clicks, orders and sales by campaign and placement. */
  readonly placements: {
    readonly clicks: Float64Array;
    readonly orders: Float64Array;
    readonly sales: Float64Array;
  };
  /** Fraction of the week in which each campaign was in budget, as the platform reports it. */
  readonly inBudget: Float64Array;
  readonly spend: number;
  /** Reported clicks and orders of each target by its search terms. */
  readonly terms: readonly {
    readonly clicks: Uint16Array;
    readonly orders: Uint16Array;
    /** Orders known on the day after the week. */
    readonly early: Uint16Array;
  }[];
}
