import type { JsonObject } from "../core/json.ts";
import type { Raise } from "./rule_raises.ts";
import type { BlockedTerm } from "./blocked_terms.ts";
import type { Life } from "./life.ts";
import type { ShopperBehavior } from "./shopper_behavior.ts";
import type { Timeline } from "./timeline.ts";

export interface ServedAd {
  readonly id: string;
  readonly entity: JsonObject;
  readonly life: Life;
  /** Shown products; one for Sponsored Products. */
  readonly asins: readonly string[];
}

export interface ServedClause extends ShopperBehavior {
  readonly id: string;
  readonly entity: JsonObject;
  readonly life: Life;
  /** Own bid in the currency; otherwise the ad group's counts. */
  readonly bid: Timeline<number | undefined>;
  /** BROAD, PHRASE, EXACT, TARGETING_EXPRESSION or TARGETING_EXPRESSION_PREDEFINED. */
  readonly type: string;
  readonly text: string;
  /** Search terms, most common first. */
  readonly terms: () => readonly string[];
}

export interface ServedAdGroup {
  readonly id: string;
  readonly entity: JsonObject;
  readonly life: Life;
  /** Default bid in the currency. */
  readonly defaultBid: Timeline<number>;
  readonly ads: readonly ServedAd[];
  readonly clauses: readonly ServedClause[];
  /** Negatives of ad group and campaign. */
  readonly blocked: readonly BlockedTerm[];
}

/** A campaign with its contents. */
export interface ServedCampaign {
  readonly id: string;
  readonly entity: JsonObject;
  readonly life: Life;
  /** Daily spend limit in the currency, without rules. */
  readonly dailyBudget: Timeline<number>;
  readonly budget: Timeline<number>;
  /** DAILY or LIFETIME. */
  readonly budgetType: string;
  /** Adjustment in percent for each of the first {@linkcode PLACEMENTS}. */
  readonly premiums: readonly Timeline<number>[];
  /** Raise of bids by rules, in percent; `undefined` without rules. */
  readonly raise: Raise | undefined;
  /** Raise of the daily budget by rules, in percent; `undefined` without rules. */
  readonly budgetRaise: Raise | undefined;
  /** First day, `YYYYMMDD`; empty for none. */
  readonly startDay: Timeline<string>;
  /** Last day, `YYYYMMDD`; empty for none. */
  readonly endDay: Timeline<string>;
  readonly adGroups: readonly ServedAdGroup[];
}

/** Daily spend limit at a moment, in the currency, including rules. */
export function effectiveBudget(
  { dailyBudget, budgetRaise }: Pick<ServedCampaign, "dailyBudget" | "budgetRaise">,
  moment: number,
): number {
  return dailyBudget.at(moment) * (1 + (budgetRaise?.(moment) ?? 0) / 100);
}
