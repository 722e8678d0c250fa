import type { JsonObject } from "../core/json.ts";
import type { Raise } from "./rule_raises.ts";
import type { ShopperBehavior } from "./shopper_behavior.ts";
import { Life, type PastValues, type Timeline } from "./timeline.ts";
import { expressionOf } from "./vocabulary.ts";

export interface BlockedTerm {
  readonly life: Life;
  blocks(term: string, moment: number): boolean;
}

export function blockedKeyword(entity: JsonObject, past: PastValues): BlockedTerm {
  const text = String(entity.keywordText).toLowerCase();
  const isExact = String(entity.matchType).toUpperCase().endsWith("EXACT");
  return {
    life: new Life(entity, String(entity.keywordId), past),
    blocks: isExact ? (term) => term === text : (term) => ` ${term} `.includes(` ${text} `),
  };
}

export function blockedTarget(entity: JsonObject, past: PastValues): BlockedTerm {
  const id = String(entity.targetId);
  const asins = past.of(id, "EXPRESSION", {
    now: asinsOf(entity),
    read: (text) => asinsOf({ expression: JSON.parse(text ?? "[]") }),
  });
  return { life: new Life(entity, id, past), blocks: (term, moment) => asins.at(moment).includes(term) };
}

function asinsOf(entity: JsonObject): string[] {
  return expressionOf(entity).filter(({ type }) => type === "ASIN_SAME_AS")
    .map(({ value }) => String(value).toLowerCase());
}

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
