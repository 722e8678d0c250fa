import type { OpenEnum } from "../../model/entity_fields.ts";

/** A rule that raises the budget of campaigns on some days, or while they do well. */
export interface BudgetRule {
  /** The platform gives it. */
  readonly ruleId: string;
  /** Set by the advertiser. */
  readonly ruleState?: OpenEnum<"ACTIVE" | "PAUSED">;
  /** Status of the rule in its life cycle. */
  readonly ruleStatus?: string;
  /** When it was made, milliseconds since the epoch. */
  readonly createdDate?: number;
  /** When it was last changed, milliseconds since the epoch. */
  readonly lastUpdatedDate?: number;
  /** Name, trigger and amount. */
  readonly ruleDetails?: BudgetRuleDetails;
}

/** Name, trigger and amount of a budget rule. */
export interface BudgetRuleDetails {
  /** Shown to people. */
  readonly name?: string;
  /** Trigger of the rule: a calendar, or a measure. */
  readonly ruleType?: OpenEnum<"SCHEDULE" | "PERFORMANCE">;
  /** By how much it raises the budget. */
  readonly budgetIncreaseBy?: { readonly type: OpenEnum<"PERCENT">; readonly value: number };
  /** Further parts as the platform gives them: duration, recurrence, the measure. */
  readonly [field: string]: unknown;
}

/** Days for which a budget rule is recommended. */
export interface BudgetRuleEvent {
  /** As the recommendation of events gives it. */
  readonly eventId?: string;
  /** For example a holiday. */
  readonly eventName?: string;
  /** First day of the event, `YYYY-MM-DD`. */
  readonly startDate?: string;
  /** Last day of the event, `YYYY-MM-DD`. */
  readonly endDate?: string;
  /** Percent by which the budget should be raised. */
  readonly suggestedBudgetIncreasePercent?: number;
}

/** The budget that the platform recommends for a campaign, and the opportunities missed with the current one. */
export interface BudgetRecommendation {
  /** Campaign that the budget is for. */
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
  /** First day of the estimates, `YYYY-MM-DD`. */
  readonly startDate?: string;
  /** Last day of the estimates, `YYYY-MM-DD`. */
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

/** The fields of a planned campaign that its recommended budget depends on. */
export interface CampaignDraft {
  /** The one ad group: its products, at most 50, and what it will target, at most 100 expressions. */
  readonly adGroups: readonly {
    readonly asins: readonly string[];
    /** Targets as the suggestion service names them, for example `KEYWORD_EXACT_MATCH`. */
    readonly targetingExpressions: readonly { readonly type: string; readonly value?: string }[];
  }[];
  /** How bids will be adjusted. */
  readonly bidding: {
    readonly strategy: OpenEnum<"LEGACY_FOR_SALES" | "AUTO_FOR_SALES" | "MANUAL" | "RULE_BASED">;
    /** Premiums by placement, percent from 0 to 900. */
    readonly adjustments?: readonly {
      /** One premium. */
      readonly placementAdjustment: { readonly predicate: string; readonly percentage: number };
    }[];
  };
  /** Targeting by the platform or by hand; lower case here. */
  readonly targetingType: OpenEnum<"auto" | "manual">;
  /** First day on which the campaign may run, `YYYY-MM-DD`. */
  readonly startDate?: string;
  /** Last day, `YYYY-MM-DD`; runs on without one. */
  readonly endDate?: string;
}

/** Recommended budget of such a campaign. */
export interface InitialBudget {
  /** Daily budget, in the marketplace's currency. */
  readonly dailyBudget: number;
  /** Expected results of the budget. */
  readonly benchmark?: Readonly<Record<string, unknown>>;
  /** Days on which more is advised. */
  readonly specialEvents?: readonly SpecialEvent[];
  /** To be sent back with the new campaign. */
  readonly recommendationId?: string;
}

/** Days on which another budget is advised. */
export interface SpecialEvent {
  /** Name, for people. */
  readonly eventName?: string;
  /** Name, for programs. */
  readonly eventKey?: string;
  /** First day of the event, `YYYY-MM-DD`. */
  readonly startDate?: string;
  /** Last day of the event, `YYYY-MM-DD`. */
  readonly endDate?: string;
  /** Daily budget on these days. */
  readonly dailyBudget?: number;
  /** Factor of the usual budget. */
  readonly budgetModifier?: number;
  /** Further parts as the platform gives them. */
  readonly [field: string]: unknown;
}
