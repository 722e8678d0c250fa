import type { OpenEnum } from "../../fields/open_enum.ts";

/** A campaign that is yet to be made, as far as its budget depends on it. */
export interface CampaignDraft {
  /** The one ad group: its products, at most 50, and what it will target, at most 100 expressions. */
  readonly adGroups: readonly {
    /** Products. */
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
  /** First day, `YYYY-MM-DD`. */
  readonly startDate?: string;
  /** Last day. */
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
  /** First day, `YYYY-MM-DD`. */
  readonly startDate?: string;
  /** Last day. */
  readonly endDate?: string;
  /** Daily budget on these days. */
  readonly dailyBudget?: number;
  /** Factor of the usual budget. */
  readonly budgetModifier?: number;
  /** Further parts as the platform gives them. */
  readonly [field: string]: unknown;
}
