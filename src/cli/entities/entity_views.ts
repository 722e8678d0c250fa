/** How entities of one kind are shown. Fields are paths: `budget.budget` is the field `budget` of the field `budget`. */
export interface EntityView {
  /** Fields of a table, in order. */
  readonly columns: readonly string[];
  /** Every known field, in the order of a CSV file. */
  readonly fields: readonly string[];
}

const TIMES = [
  "extendedData.creationDateTime",
  "extendedData.lastUpdateDateTime",
  "extendedData.servingStatus",
];

function view(columns: string, more = ""): EntityView {
  const shown = columns.split(" ");
  return { columns: shown, fields: [...shown, ...(more === "" ? [] : more.split(" ")), ...TIMES] };
}

const VIEWS: Readonly<Record<string, EntityView>> = {
  "sp.campaigns": view(
    "campaignId name state targetingType budget.budget startDate",
    "budget.budgetType budget.effectiveBudget endDate dynamicBidding.strategy dynamicBidding.placementBidding " +
      "dynamicBidding.shopperCohortBidding portfolioId tags siteRestrictions offPlatformSettings",
  ),
  "sp.ad_groups": view("adGroupId campaignId name state defaultBid"),
  "sp.keywords": view(
    "keywordId keywordText matchType state bid campaignId adGroupId",
    "nativeLanguageKeyword nativeLanguageLocale",
  ),
  "sp.targets": view(
    "targetId expression expressionType state bid campaignId adGroupId",
    "resolvedExpression",
  ),
  "sp.negative_keywords": view("keywordId keywordText matchType state campaignId adGroupId"),
  "sp.negative_targets": view("targetId expression state campaignId adGroupId", "resolvedExpression"),
  "sp.campaign_negative_keywords": view("keywordId keywordText matchType state campaignId"),
  "sp.campaign_negative_targets": view("targetId expression state campaignId", "resolvedExpression"),
  "sp.product_ads": view("adId asin sku state campaignId adGroupId", "customText globalStoreSetting"),
  "portfolios": view(
    "portfolioId name state inBudget budget.amount budget.currencyCode",
    "budget.policy budget.startDate budget.endDate budgetControls",
  ),
  "sb.campaigns": view(
    "campaignId name state budget budgetType startDate",
    "endDate goal costType kpi brandEntityId portfolioId productLocation bidding.bidOptimization " +
      "bidding.bidOptimizationStrategy bidding.bidAdjustmentsByPlacement bidding.shopperCohortBidAdjustments " +
      "isMultiAdGroupsEnabled ruleBasedBudget siteRestrictions smartDefault tags",
  ),
  "sb.ad_groups": view("adGroupId campaignId name state"),
  "sb.ads": view("adId adGroupId campaignId name state", "creative landingPage"),
  "sb.keywords": view(
    "keywordId keywordText matchType state bid campaignId adGroupId",
    "nativeLanguageKeyword nativeLanguageLocale",
  ),
  "sb.negative_keywords": view("keywordId keywordText matchType state campaignId adGroupId"),
};

/** How entities of a kind are shown; a kind that is not known here shows its id field alone in tables. */
export function entityView(kind: string, idField: string): EntityView {
  return VIEWS[kind] ?? { columns: [idField, "state"], fields: [idField, "state"] };
}
