import type { OpenEnum } from "./entity_fields.ts";

/** A rule that raises the budget of campaigns on some days, or while they perform well. */
export interface BudgetRule {
  /** Id assigned by the platform. */
  readonly ruleId: string;
  /** State of the rule, set by the advertiser. */
  readonly ruleState?: OpenEnum<"ACTIVE" | "PAUSED">;
  /** Status of the rule in its lifecycle. */
  readonly ruleStatus?: string;
  /** When the rule was created, in milliseconds since the epoch. */
  readonly createdDate?: number;
  /** When the rule was last changed, in milliseconds since the epoch. */
  readonly lastUpdatedDate?: number;
  /** Name, trigger and amount. */
  readonly ruleDetails?: BudgetRuleDetails;
}

/** Name, trigger and amount of a budget rule. */
export interface BudgetRuleDetails {
  /** Display name. */
  readonly name?: string;
  /** Trigger of the rule: a calendar or a performance measure. */
  readonly ruleType?: OpenEnum<"SCHEDULE" | "PERFORMANCE">;
  /** Amount by which the rule raises the budget. */
  readonly budgetIncreaseBy?: { readonly type: OpenEnum<"PERCENT">; readonly value: number };
  /** Additional fields, as returned by the platform: duration, recurrence, performance measure. */
  readonly [field: string]: unknown;
}

/** Days for which a budget rule is recommended. */
export interface BudgetRuleEvent {
  /** Id of the event, as returned with the event recommendations. */
  readonly eventId?: string;
  /** Name of the event, for example a holiday. */
  readonly eventName?: string;
  /** First day of the event, `YYYY-MM-DD`. */
  readonly startDate?: string;
  /** Last day of the event, `YYYY-MM-DD`. */
  readonly endDate?: string;
  /** Percent by which the budget should be raised. */
  readonly suggestedBudgetIncreasePercent?: number;
}

/** The budget that the platform recommends for a campaign, and what the campaign missed with its current budget. */
export interface BudgetRecommendation {
  /** Campaign that the budget is for. */
  readonly campaignId: string;
  /** Recommended daily budget, in the marketplace's currency. */
  readonly suggestedBudget: number;
  /** Results missed in the last seven days because the budget ran out. */
  readonly sevenDaysMissedOpportunities?: MissedOpportunities;
  /** A recommended budget rule. */
  readonly budgetRuleRecommendation?: {
    readonly ruleId?: string;
    readonly ruleName?: string;
    /** Percent by which the rule raises the budget. */
    readonly suggestedBudgetIncreasePercent?: number;
  };
}

/** Results that a campaign missed because its budget ran out; each estimate is a range. */
export interface MissedOpportunities {
  /** First day of the estimates, `YYYY-MM-DD`. */
  readonly startDate?: string;
  /** Last day of the estimates, `YYYY-MM-DD`. */
  readonly endDate?: string;
  /** Percentage of time during which budget was available. */
  readonly percentTimeInBudget?: number;
  /** Fewest impressions. */
  readonly estimatedMissedImpressionsLower?: number;
  /** Most impressions. */
  readonly estimatedMissedImpressionsUpper?: number;
  /** Fewest clicks. */
  readonly estimatedMissedClicksLower?: number;
  /** Most clicks. */
  readonly estimatedMissedClicksUpper?: number;
  /** Lower estimate of missed sales, in the marketplace's currency. */
  readonly estimatedMissedSalesLower?: number;
  /** Upper estimate of missed sales, in the marketplace's currency. */
  readonly estimatedMissedSalesUpper?: number;
}

/** The fields of a planned campaign that its recommended budget depends on. */
export interface CampaignDraft {
  /** The only ad group, with its products, at most 50, and its targeting expressions, at most 100. */
  readonly adGroups: readonly {
    readonly asins: readonly string[];
    /** Targets in the terms of the suggestion service, for example `KEYWORD_EXACT_MATCH`. */
    readonly targetingExpressions: readonly { readonly type: string; readonly value?: string }[];
  }[];
  /** How bids will be adjusted. */
  readonly bidding: {
    readonly strategy: OpenEnum<"LEGACY_FOR_SALES" | "AUTO_FOR_SALES" | "MANUAL" | "RULE_BASED">;
    /** Bid premiums by placement, in percent from 0 to 900. */
    readonly adjustments?: readonly {
      /** One premium. */
      readonly placementAdjustment: { readonly predicate: string; readonly percentage: number };
    }[];
  };
  /** Automatic or manual targeting, written in lower case in this request. */
  readonly targetingType: OpenEnum<"auto" | "manual">;
  /** First day on which the campaign may run, `YYYY-MM-DD`. */
  readonly startDate?: string;
  /** Last day, `YYYY-MM-DD`; absent for an open end. */
  readonly endDate?: string;
}

/** Recommended budget for a planned campaign. */
export interface InitialBudget {
  /** Daily budget, in the marketplace's currency. */
  readonly dailyBudget: number;
  /** Expected results of the budget. */
  readonly benchmark?: Readonly<Record<string, unknown>>;
  /** Days on which a higher budget is recommended. */
  readonly specialEvents?: readonly SpecialEvent[];
  /** Id of the recommendation, to be sent with the new campaign. */
  readonly recommendationId?: string;
}

/** Days on which a different budget is recommended. */
export interface SpecialEvent {
  /** Display name. */
  readonly eventName?: string;
  /** Stable name for programs. */
  readonly eventKey?: string;
  /** First day of the event, `YYYY-MM-DD`. */
  readonly startDate?: string;
  /** Last day of the event, `YYYY-MM-DD`. */
  readonly endDate?: string;
  /** Daily budget on these days. */
  readonly dailyBudget?: number;
  /** Factor applied to the usual budget. */
  readonly budgetModifier?: number;
  /** Additional fields, as returned by the platform. */
  readonly [field: string]: unknown;
}
