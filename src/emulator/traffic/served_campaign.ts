import type { JsonObject } from "../core/json.ts";
import type { Raise } from "./rule_raises.ts";
import type { BlockedTerm } from "./blocked_terms.ts";
import type { Life } from "./life.ts";
import type { ShopperBehavior } from "./shopper_behavior.ts";
import type { Timeline } from "./timeline.ts";

/** A product that an ad group shows. */
export interface ServedAd {
  readonly id: string;
  readonly entity: JsonObject;
  readonly life: Life;
  /** The products it shows; one for Sponsored Products. */
  readonly asins: readonly string[];
}

export interface ServedClause extends ShopperBehavior {
  /** Id of the keyword or target. */
  readonly id: string;
  /** The keyword or target. */
  readonly entity: JsonObject;
  readonly life: Life;
  /** Its own bid, in the currency; none: the ad group's counts. */
  readonly bid: Timeline<number | undefined>;
  /** BROAD, PHRASE, EXACT, TARGETING_EXPRESSION or TARGETING_EXPRESSION_PREDEFINED. */
  readonly type: string;
  /** The keyword, or the target in words. */
  readonly text: string;
  /** Search terms that lead to it, the most usual first. */
  readonly terms: () => readonly string[];
}

export interface ServedAdGroup {
  readonly id: string;
  readonly entity: JsonObject;
  readonly life: Life;
  /** The bid of what has none of its own, in the currency. */
  readonly defaultBid: Timeline<number>;
  readonly ads: readonly ServedAd[];
  /** Its keywords and targets. */
  readonly clauses: readonly ServedClause[];
  /** Its negatives, and those of its campaign. */
  readonly blocked: readonly BlockedTerm[];
}

/** A campaign with all that belongs to it. */
export interface ServedCampaign {
  readonly id: string;
  readonly entity: JsonObject;
  readonly life: Life;
  /** Daily limit of its spend, in the currency, without what rules add. */
  readonly dailyBudget: Timeline<number>;
  readonly budget: Timeline<number>;
  /** DAILY or LIFETIME. */
  readonly budgetType: string;
  /** Per cent that are paid more at each of the first of {@linkcode PLACEMENTS}. */
  readonly premiums: readonly Timeline<number>[];
  /** Per cent by which rules raise its bids at a moment; `undefined` without rules. */
  readonly raise: Raise | undefined;
  /** Per cent by which rules raise its daily budget at a moment; `undefined` without rules. */
  readonly budgetRaise: Raise | undefined;
  /** First day, `YYYYMMDD`; empty for none. */
  readonly startDay: Timeline<string>;
  /** Last day, `YYYYMMDD`; empty for none. */
  readonly endDay: Timeline<string>;
  readonly adGroups: readonly ServedAdGroup[];
}

/** Daily limit of a campaign's spend at a moment, in the currency, with what rules add. */
export function effectiveBudget(
  { dailyBudget, budgetRaise }: Pick<ServedCampaign, "dailyBudget" | "budgetRaise">,
  moment: number,
): number {
  return dailyBudget.at(moment) * (1 + (budgetRaise?.(moment) ?? 0) / 100);
}
