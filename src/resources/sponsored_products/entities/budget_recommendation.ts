/** The budget that the platform recommends for a campaign, and what the present one costs. */
export interface BudgetRecommendation {
  /** Digits, exact past 2^53; the platform gives it. */
  readonly campaignId: string;
  /** Daily budget that is recommended, in the marketplace's currency. */
  readonly suggestedBudget: number;
  /** Results missed in the last seven days because the budget ran out. */
  readonly sevenDaysMissedOpportunities?: MissedOpportunities;
  /** A budget rule that is recommended. */
  readonly budgetRuleRecommendation?: {
    readonly ruleId?: string;
    readonly ruleName?: string;
    /** Percent by which the rule raises the budget. */
    readonly suggestedBudgetIncreasePercent?: number;
  };
}

/** Results that a campaign missed because its budget ran out; each estimate is a range. */
export interface MissedOpportunities {
  /** First day, `YYYY-MM-DD`. */
  readonly startDate?: string;
  /** Last day. */
  readonly endDate?: string;
  /** Percent of the time in which there was budget. */
  readonly percentTimeInBudget?: number;
  /** Fewest impressions. */
  readonly estimatedMissedImpressionsLower?: number;
  /** Most impressions. */
  readonly estimatedMissedImpressionsUpper?: number;
  /** Fewest clicks. */
  readonly estimatedMissedClicksLower?: number;
  /** Most clicks. */
  readonly estimatedMissedClicksUpper?: number;
  /** Least sales, in the marketplace's currency. */
  readonly estimatedMissedSalesLower?: number;
  /** Most sales. */
  readonly estimatedMissedSalesUpper?: number;
}
