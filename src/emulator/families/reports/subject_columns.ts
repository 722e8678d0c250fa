import { isObject, type JsonObject } from "../../core/json.ts";
import type { ServedCampaign } from "../../traffic/served_campaign.ts";
import type { Columns } from "./column.ts";

/** Columns that say what a row is about. */
export const SUBJECT_COLUMNS: Columns = {
  date: ({ day }) => day,
  startDate: (_row, { startDate }) => startDate,
  endDate: (_row, { endDate }) => endDate,
  marketplaceId: (_row, { marketplaceId }) => marketplaceId,

  campaignId: ({ campaign }) => BigInt(campaign.id),
  campaignName: ({ campaign }) => String(campaign.entity.name),
  campaignStatus: ({ campaign }, { asOf }) => campaign.life.state.at(asOf),
  campaignBudgetAmount: ({ campaign }, { asOf }) => campaign.budget.at(asOf),
  campaignBudgetType: ({ campaign }) =>
    campaign.budgetType === "LIFETIME" ? "LIFETIME_BUDGET" : "DAILY_BUDGET",
  campaignBudgetCurrencyCode: (_row, { currencyCode }) => currencyCode,
  campaignBiddingStrategy: ({ campaign }) => strategyOf(campaign.entity),
  campaignPriceTypeCode: ({ campaign }) => costTypeOf(campaign),
  costType: ({ campaign }) => costTypeOf(campaign),
  // No rule of a budget changes what the emulator's campaigns may spend.
  campaignRuleBasedBudgetAmount: () => null,
  campaignApplicableBudgetRuleId: () => null,
  campaignApplicableBudgetRuleName: () => null,
  portfolioId: ({ campaign }) => idOrNull(campaign.entity.portfolioId),
  placementClassification: ({ placement }) => placement ?? null,
  segmentName: ({ segment }) => segment ?? null,
  segmentClassCode: ({ segment }) => segment === undefined ? null : "BEHAVIOR_DYNAMIC",

  adGroupId: ({ adGroup }) => idOrNull(adGroup?.id),
  adGroupName: ({ adGroup }) => text(adGroup?.entity.name),
  adStatus: ({ adGroup, ad }, { asOf }) => (ad ?? adGroup)?.life.state.at(asOf) ?? null,
  bidOptimization: ({ adGroup }) => text(adGroup?.entity.bidOptimization),

  keywordId: ({ clause }) => idOrNull(clause?.id),
  keyword: ({ clause }) => clause?.text ?? null,
  keywordText: ({ clause }) => clause?.text ?? null,
  targeting: ({ clause }) => clause?.text ?? null,
  keywordType: ({ clause }) => clause?.type ?? null,
  matchType: ({ clause }) => clause?.type ?? null,
  keywordBid: ({ clause, adGroup }, { asOf }) => clause?.bid.at(asOf) ?? adGroup?.defaultBid.at(asOf) ?? null,
  adKeywordStatus: ({ clause }, { asOf }) => clause?.life.state.at(asOf) ?? null,
  targetingId: ({ clause }) => idOrNull(clause?.id),
  targetingExpression: ({ clause }) => clause?.text ?? null,
  targetingText: ({ clause }) => clause?.text ?? null,
  targetingType: ({ clause }) => clause?.type ?? null,
  searchTerm: ({ term }) => term ?? null,
  matchedTargetAsin: ({ term }) => term === undefined ? null : term.toUpperCase(),

  adId: ({ ad }) => idOrNull(ad?.id),
  advertisedAsin: ({ ad }) => text(ad?.asins[0]),
  advertisedSku: ({ ad }) => text(ad?.entity.sku),
  promotedAsin: ({ ad }) => text(ad?.asins[0]),
  promotedSku: ({ ad }) => text(ad?.entity.sku),
  purchasedAsin: ({ asin }) => asin ?? null,
  asinBrandHalo: ({ asin }) => asin ?? null,
  attributionType: ({ promoted }) => promoted ? "Promoted" : "Brand Halo",
  productName: ({ asin }) => asin === undefined ? null : `Product ${asin}`,
  productCategory: ({ campaign }) => String(campaign.entity.name).split(" | ")[1] ?? "General",
};

function strategyOf({ dynamicBidding }: JsonObject): string | null {
  return isObject(dynamicBidding) ? text(dynamicBidding.strategy) : null;
}

function costTypeOf({ entity: { costType } }: ServedCampaign): string {
  return String(costType ?? "CPC").toUpperCase();
}

function text(value: unknown): string | null {
  return value === undefined || value === null ? null : String(value);
}

function idOrNull(id: unknown): bigint | null {
  return id === undefined || id === null ? null : BigInt(String(id));
}
