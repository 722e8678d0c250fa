import type { JsonObject } from "../core/json.ts";
import { checkKeywordText } from "../rules/keyword_text.ts";
import { limitsOf } from "../rules/marketplaces.ts";
import { type ItemError, itemError } from "./item_error.ts";
import type { Draft, RuleContext } from "./entity_resource.ts";

/** The error of a bid that the marketplace does not allow. */
export function checkBid(value: unknown, field: string, { profile }: RuleContext): ItemError[] {
  if (typeof value !== "number") return [];
  const marketplace = profile.record.countryCode;
  const [low, high] = limitsOf(marketplace).bid;
  if (value >= low && value <= high) return [];
  return [
    itemError(
      ["biddingError", "BID_OUT_OF_MARKET_PLACE_RANGE"],
      field,
      "Bid is out of the marketplace's range",
      {
        trigger: value,
        details: { marketplace, lowerLimit: String(low), upperLimit: String(high) },
      },
    ),
  ];
}

/** The error of a daily budget that the marketplace does not allow. */
export function checkBudget(value: unknown, field: string, { profile }: RuleContext): ItemError[] {
  if (typeof value !== "number") return [];
  const [low, high] = limitsOf(profile.record.countryCode).budget;
  if (value >= low && value <= high) return [];
  const reason = value < low ? "BUDGET_TOO_LOW" : "BUDGET_TOO_HIGH";
  return [
    itemError(["budgetError", reason], field, "Budget is out of the marketplace's range", {
      trigger: value,
      details: { lowerLimit: String(low), upperLimit: String(high) },
    }),
  ];
}

/** The error of a new keyword's text. */
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

/** Errors of start and end: in the past, or the wrong way round. Only days that change are looked at. */
export function checkDates({ before, after, item }: Draft, { today }: RuleContext): ItemError[] {
  const { startDate, endDate } = after as { startDate?: string; endDate?: string };
  const isNew = (field: string) => item[field] !== undefined && item[field] !== before?.[field];
  if (isNew("startDate") && startDate! < today) {
    if (before !== undefined && String(before.startDate) <= today) {
      return [dateError("UPDATING_READ_ONLY_START_DATE", "startDate", startDate)];
    }
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

/** The error of naming a portfolio that does not exist. */
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

/** Whether an ad group holds an entity of this kind that is not archived. */
export function holds(kind: string, adGroupId: unknown, { profile }: RuleContext): boolean {
  const isHeld = (entity: JsonObject) => entity.adGroupId === adGroupId && entity.state !== "ARCHIVED";
  return profile.collection(kind).all().some(isHeld);
}

function dateError(reason: string, field: string, trigger: string | undefined): ItemError {
  return itemError(["dateError", reason], field, `${field} is not possible`, { trigger });
}
