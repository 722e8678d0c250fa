import type { JsonObject } from "../core/json.ts";
import { checkKeywordText } from "../core/keyword_text.ts";
import { type BidKind, bidRange, type BudgetKind, budgetRange, decimalsOf } from "../core/marketplaces.ts";
import { type ItemError, itemError } from "./item_error.ts";
import type { Draft, RuleContext } from "./entity_resource.ts";

export function checkBid(
  value: unknown,
  { field, kind = "sp", budget }: { field: string; kind?: BidKind; budget?: number | undefined },
  { profile }: Pick<RuleContext, "profile">,
): ItemError[] {
  if (typeof value !== "number") return [];
  const marketplace = profile.record.countryCode;
  const [low, high] = bidRange(marketplace, kind);
  if (value < low || value > high) {
    const limits = { lowerLimit: String(low), upperLimit: String(high) };
    const family = ["biddingError", "BID_OUT_OF_MARKET_PLACE_RANGE"] as const;
    const options = { trigger: value, details: { marketplace, ...limits } };
    return [itemError(family, field, "Bid is out of the marketplace's range", options)];
  }
  if (budget !== undefined && value > budget) {
    const options = { trigger: value, details: { marketplace, upperLimit: String(budget) } };
    return [
      itemError(["biddingError", "BID_GT_BUDGET"], field, "Bid is above the campaign's budget", options),
    ];
  }
  return checkPrecision(value, field, marketplace);
}

export function checkBudget(
  value: unknown,
  { field, kind }: { field: string; kind: BudgetKind },
  { profile }: Pick<RuleContext, "profile">,
): ItemError[] {
  if (typeof value !== "number") return [];
  const { countryCode, accountInfo } = profile.record;
  const [low, high] = budgetRange(countryCode, kind, accountInfo.type);
  if (value >= low && value <= high) return checkPrecision(value, field, countryCode);
  const reason = value < low ? "BUDGET_TOO_LOW" : "BUDGET_TOO_HIGH";
  const details = { lowerLimit: String(low), upperLimit: String(high) };
  return [
    itemError(["budgetError", reason], field, "Budget is out of the marketplace's range", {
      trigger: value,
      details,
    }),
  ];
}

function checkPrecision(value: number, field: string, marketplace: string): ItemError[] {
  const decimals = decimalsOf(marketplace);
  if (Number(value.toFixed(decimals)) === value) return [];
  const message = `${field} has more than ${decimals} decimals`;
  const options = { trigger: value, details: { marketplace } };
  return [itemError(["malformedValueError", "PATTERN_NOT_MATCHED"], field, message, options)];
}

export function checkText({ item }: Draft, { profile }: RuleContext): ItemError[] {
  if (item.keywordText === undefined) return [];
  const marketplace = profile.record.countryCode;
  const use = { matchType: String(item.matchType), countryCode: marketplace };
  const finding = checkKeywordText(String(item.keywordText), use);
  if (finding === undefined) return [];
  const { reason, message, fragment } = finding;
  const details = { marketplace, ...(fragment === undefined ? {} : { fragment }) };
  const trigger = String(item.keywordText).slice(0, 200);
  return [itemError(["malformedValueError", reason], "keywordText", message, { trigger, details })];
}

export function checkDates({ before, after, item }: Draft, { today }: RuleContext): ItemError[] {
  const { startDate, endDate } = after as { startDate?: string; endDate?: string };
  const isNew = (field: string) => item[field] !== undefined && item[field] !== before?.[field];
  if (isNew("startDate") && before !== undefined && String(before.startDate) <= today) {
    return [dateError("UPDATING_READ_ONLY_START_DATE", "startDate", startDate)];
  }
  if (isNew("startDate") && startDate! < today) {
    return [dateError("START_DATE_EARLIER_THAN_TODAY", "startDate", startDate)];
  }
  if (isNew("endDate") && endDate! < today) {
    return [dateError("END_DATE_EARLIER_THAN_TODAY", "endDate", endDate)];
  }
  if (startDate !== undefined && endDate !== undefined && startDate > endDate) {
    return [dateError("START_DATE_AFTER_END_DATE", isNew("startDate") ? "startDate" : "endDate", endDate)];
  }
  return [];
}

export function checkPortfolio({ item }: Draft, { profile }: RuleContext): ItemError[] {
  if (item.portfolioId === undefined) return [];
  const portfolioId = String(item.portfolioId);
  if (profile.collection("portfolios").get(portfolioId) !== undefined) return [];
  const message = "Portfolio not found";
  return [
    itemError(["entityNotFoundError", "ENTITY_NOT_FOUND"], "portfolioId", message, {
      trigger: portfolioId,
      details: { entityType: "PORTFOLIO", entityId: portfolioId },
    }),
  ];
}

export function holds(kind: string, adGroupId: unknown, { profile }: RuleContext): boolean {
  const isHeld = (entity: JsonObject) => entity.adGroupId === adGroupId && entity.state !== "ARCHIVED";
  return profile.collection(kind).all().some(isHeld);
}

function dateError(reason: string, field: string, trigger: string | undefined): ItemError {
  return itemError(["dateError", reason], field, `${field} is not possible`, { trigger });
}
