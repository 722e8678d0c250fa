import type { OpenEnum } from "../../fields/open_enum.ts";

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
  /** First day, `YYYY-MM-DD`. */
  readonly startDate?: string;
  /** Last day. */
  readonly endDate?: string;
  /** Percent by which the budget should be raised. */
  readonly suggestedBudgetIncreasePercent?: number;
}
