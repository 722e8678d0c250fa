import type { JsonObject } from "../core/json.ts";
import type { Raise } from "./rule_raises.ts";
import type { BlockedTerm } from "./blocked_terms.ts";
import type { Life, Timeline } from "./timeline.ts";
import type { ShopperBehavior } from "./shopper_behavior.ts";

export interface ServedAd {
  readonly id: string;
  readonly entity: JsonObject;
  readonly life: Life;
  readonly asins: readonly string[];
}

export interface ServedClause extends ShopperBehavior {
  readonly id: string;
  readonly entity: JsonObject;
  readonly life: Life;
  /** Bid in the currency; if undefined, the ad group's bid applies. */
  readonly bid: Timeline<number | undefined>;
  readonly type: string;
  readonly text: string;
  /** Most common first. */
  readonly terms: () => readonly string[];
}

export interface ServedAdGroup {
  readonly id: string;
  readonly entity: JsonObject;
  readonly life: Life;
  readonly defaultBid: Timeline<number>;
  readonly ads: readonly ServedAd[];
  readonly clauses: readonly ServedClause[];
  readonly blocked: readonly BlockedTerm[];
}

export interface ServedCampaign {
  readonly id: string;
  readonly entity: JsonObject;
  readonly life: Life;
  readonly dailyBudget: Timeline<number>;
  readonly budget: Timeline<number>;
  readonly budgetType: string;
  readonly premiums: readonly Timeline<number>[];
  /** Raise in percent; `undefined` without rules. */
  readonly raise: Raise | undefined;
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
