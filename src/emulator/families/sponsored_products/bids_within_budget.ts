import { isObject, type JsonObject } from "../../core/json.ts";
import type { RuleContext } from "../../entities/entity_resource.ts";
import { type ItemError, itemError } from "../../entities/item_error.ts";
import { campaignOf } from "../../entities/parents.ts";

export function dailyBudgetOf(entity: JsonObject, { profile }: RuleContext): number | undefined {
  const budget = campaignOf(entity, profile)?.budget;
  return isObject(budget) && typeof budget.budget === "number" ? budget.budget : undefined;
}

const BIDS: readonly (readonly [reason: string, kind: string, field: string, type?: string])[] = [
  ["BUDGET_LT_DEFAULT_BIDS", "sp.ad_groups", "defaultBid"],
  ["BUDGET_LT_KEYWORD_BIDS", "sp.keywords", "bid"],
  ["BUDGET_LT_PREDEFINED_TARGET_BIDS", "sp.targets", "bid", "AUTO"],
];

/** Highest bids, cached per request. This is safe because no request changes both bids and budgets. */
const highest = new WeakMap<RuleContext, ReadonlyMap<string, ReadonlyMap<string, number>>>();

export function checkBudgetAgainstBids(
  campaign: JsonObject,
  before: JsonObject | undefined,
  context: RuleContext,
): ItemError[] {
  const budget = amountOf(campaign);
  if (before === undefined || budget === undefined || budget >= (amountOf(before) ?? Infinity)) return [];
  const found = highest.get(context) ?? readHighest(context);
  highest.set(context, found);
  for (const [reason, bids] of found) {
    const bid = bids.get(String(campaign.campaignId)) ?? 0;
    if (bid <= budget) continue;
    const options = { trigger: budget, details: { lowerLimit: String(bid) } };
    return [itemError(["budgetError", reason], "budget.budget", "Budget is lower than a bid", options)];
  }
  return [];
}

function readHighest({ profile }: RuleContext): ReadonlyMap<string, ReadonlyMap<string, number>> {
  return new Map(BIDS.map(([reason, kind, field, expressionType]) => {
    const byCampaign = new Map<string, number>();
    for (const entity of profile.collection(kind).all()) {
      if (entity.state === "ARCHIVED") continue;
      if (expressionType !== undefined && entity.expressionType !== expressionType) continue;
      const id = String(entity.campaignId);
      byCampaign.set(id, Math.max(byCampaign.get(id) ?? 0, Number(entity[field] ?? 0)));
    }
    return [reason, byCampaign];
  }));
}

function amountOf({ budget }: JsonObject): number | undefined {
  return isObject(budget) && typeof budget.budget === "number" ? budget.budget : undefined;
}
