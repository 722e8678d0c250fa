import { isObject, type JsonObject } from "../../core/json.ts";
import type { ServedCampaign } from "../../traffic/served_campaign.ts";
import { type Column, type Columns, ratio } from "./column.ts";
import { generalColumn } from "./general_column.ts";
import type { Sales, Tally } from "./tally.ts";

const VIEWABLE = 0.68;
const VIDEO = { five: 0.42, first: 0.38, middle: 0.27, third: 0.2, complete: 0.15, unmuted: 0.02 } as const;
const INVALID = { impressions: 0.012, clicks: 0.03 } as const;

const TRAFFIC_COLUMNS: Columns = {
  impressions: ({ tally }) => tally.impressions,
  clicks: ({ tally }) => tally.clicks,
  cost: ({ tally }, { unit }) => tally.cost / unit,
  spend: ({ tally }, { unit }) => tally.cost / unit,
  costPerClick: ({ tally }, { unit }) => ratio(tally.cost / unit, tally.clicks),
  clickThroughRate: ({ tally }) => ratio(100 * tally.clicks, tally.impressions),
  topOfSearchImpressionShare: ({ tally: { topShare } }) =>
    topShare === undefined ? null : Number(topShare.toFixed(2)),

  viewableImpressions: count(viewable),
  impressionsViews: count(viewable),
  viewabilityRate: ({ tally }) => ratio(100 * viewable(tally), tally.impressions),
  viewClickThroughRate: ({ tally }) => ratio(100 * tally.clicks, viewable(tally)),
  cumulativeReach: count(reach),
  impressionsFrequencyAverage: ({ tally }) => ratio(tally.impressions, reach(tally)),

  video5SecondViews: video("five"),
  video5SecondViewRate: ({ tally }) => ratio(100 * played(tally, VIDEO.five), tally.impressions),
  videoFirstQuartileViews: video("first"),
  videoMidpointViews: video("middle"),
  videoThirdQuartileViews: video("third"),
  videoCompleteViews: video("complete"),
  videoUnmutes: video("unmuted"),

  invalidImpressions: count(invalidImpressions),
  invalidImpressionRate: ({ tally }) => ratio(100 * invalidImpressions(tally), grossImpressions(tally)),
  grossImpressions: count(grossImpressions),
  invalidClickThroughs: count(invalidClicks),
  invalidClickThroughRate: ({ tally }) => ratio(100 * invalidClicks(tally), grossClicks(tally)),
  grossClickThroughs: count(grossClicks),

  detailPageViews: count(({ views }) => views),
  detailPageViewsClicks: count(({ views }) => views),
  newToBrandDetailPageViews: count(({ newViews }) => newViews),
  newToBrandDetailPageViewsClicks: count(({ newViews }) => newViews),
  newToBrandDetailPageViewClicks: count(({ newViews }) => newViews),
  newToBrandDetailPageViewViews: count(() => 0),
  newToBrandDetailPageViewRate: ({ tally }) => ratio(100 * tally.newViews, tally.impressions),
  newToBrandECPDetailPageView: costOf(({ newViews }) => newViews),
  addToCart: count(({ carts }) => carts),
  addToCartClicks: count(({ carts }) => carts),
  addToCartViews: count(() => 0),
  addToCartRate: ({ tally }) => ratio(100 * tally.carts, tally.impressions),
  eCPAddToCart: costOf(({ carts }) => carts),
  addToList: count(({ lists }) => lists),
  addToListFromClicks: count(({ lists }) => lists),
  addToListFromViews: count(() => 0),
  brandedSearches: count(({ searches }) => searches),
  brandedSearchesClicks: count(({ searches }) => searches),
  brandedSearchesViews: count(() => 0),
  brandedSearchRate: ({ tally }) => ratio(100 * tally.searches, tally.impressions),
  eCPBrandSearch: costOf(({ searches }) => searches),

  kindleEditionNormalizedPagesRead14d: count(({ pages }) => pages),
  kindleEditionNormalizedPagesRoyalties14d: ({ tally }, { unit }) =>
    Math.round(tally.pages * 0.0042 * unit) / unit,
  qualifiedBorrows: count(borrows),
  qualifiedBorrowsFromClicks: count(borrows),
  qualifiedBorrowsFromViews: count(() => 0),
  royaltyQualifiedBorrows: count(borrows),
  royaltyQualifiedBorrowsFromClicks: count(borrows),
  royaltyQualifiedBorrowsFromViews: count(() => 0),
};

/** Index into the sums for each attribution window. No purchase is later than 14 days after a click. */
const WINDOWS = { "1d": 0, "7d": 1, "14d": 2, "30d": 2 } as const;
const LAST = 2;

/** Ratio of a year's sales to those of 14 days. */
const LONG_TERM = 1.25;

const PARTS: Readonly<Record<string, (tally: Tally) => Sales>> = {
  all: ({ all }) => all,
  other: ({ other }) => other,
  same: ({ all, other }) => ({
    orders: minus(all.orders, other.orders),
    sales: minus(all.sales, other.sales),
    units: minus(all.units, other.units),
  }),
};

type Part = keyof typeof PARTS;
type Measure = "orders" | "sales" | "units";

const SALES_COLUMNS: Columns = {
  ...byWindow("purchases", "all", "orders"),
  ...byWindow("sales", "all", "sales"),
  ...byWindow("unitsSoldClicks", "all", "units"),
  ...byWindow("purchasesSameSku", "same", "orders"),
  ...byWindow("attributedSalesSameSku", "same", "sales"),
  ...byWindow("unitsSoldSameSku", "same", "units"),
  ...byWindow("purchasesOtherSku", "other", "orders"),
  ...byWindow("salesOtherSku", "other", "sales"),
  ...byWindow("unitsSoldOtherSku", "other", "units"),
  ...efficiency("acosClicks", ({ cost }, sales) => ratio(100 * cost, sales)),
  ...efficiency("roasClicks", ({ cost }, sales) => ratio(sales, cost)),

  ...last("all", "orders", "purchases purchasesClicks orders14d ordersClicks14d"),
  ...last("all", "sales", "sales salesClicks salesClicks14d"),
  ...last("all", "units", "unitsSold unitsSoldClicks unitsSold14d"),
  ...last("same", "orders", "purchasesPromoted purchasesPromotedClicks"),
  ...last("same", "sales", "salesPromoted salesPromotedClicks"),
  ...last("other", "orders", "conversionsBrandHalo conversionsBrandHaloClicks"),
  ...last("other", "sales", "salesBrandHalo salesBrandHaloClicks"),
  ...last("other", "units", "unitsSoldBrandHalo unitsSoldBrandHaloClicks"),
  longTermSales: ({ tally }, { unit }) => Math.round(tally.all.sales[LAST] * LONG_TERM) / unit,
  longTermROAS: ({ tally }) => ratio(tally.all.sales[LAST] * LONG_TERM, tally.cost),

  ...newToBrand("Purchases", "orders"),
  ...newToBrand("Sales", "sales"),
  ...newToBrand("UnitsSold", "units"),
  newToBrandPurchasesRate: ({ tally }) => ratio(100 * tally.newToBrand.orders, tally.impressions),
};

function byWindow(name: string, part: Part, measure: Measure): Columns {
  return Object.fromEntries(
    Object.entries(WINDOWS).map(([window, index]) => [`${name}${window}`, column(part, measure, index)]),
  );
}

function last(part: Part, measure: Measure, names: string): Columns {
  return Object.fromEntries(names.split(" ").map((name) => [name, column(part, measure, LAST)]));
}

function column(part: Part, measure: Measure, window: 0 | 1 | 2): Column {
  const read = PARTS[part];
  return ({ tally }, { unit }) => {
    const value = read?.(tally)[measure][window] ?? 0;
    return measure === "sales" ? value / unit : value;
  };
}

function efficiency(name: string, make: (tally: Tally, sales: number) => number | null): Columns {
  const windows = { "7d": 1, "14d": 2 } as const;
  return Object.fromEntries(
    Object.entries(windows).map(([window, index]): [string, Column] => [
      `${name}${window}`,
      ({ tally }) => make(tally, tally.all.sales[index]),
    ]),
  );
}

function newToBrand(name: string, measure: Measure): Columns {
  const amount: Column = ({ tally }, { unit }) =>
    measure === "sales" ? tally.newToBrand.sales / unit : tally.newToBrand[measure];
  const percentage: Column = ({ tally }) => ratio(100 * tally.newToBrand[measure], tally.all[measure][LAST]);
  return {
    [`newToBrand${name}`]: amount,
    [`newToBrand${name}Clicks`]: amount,
    [`newToBrand${name}14d`]: amount,
    [`newToBrand${name}Percentage`]: percentage,
    [`newToBrand${name}Percentage14d`]: percentage,
  };
}

function minus(whole: Sales["orders"], part: Sales["orders"]): Sales["orders"] {
  return [whole[0] - part[0], whole[1] - part[1], whole[2] - part[2]];
}

const SUBJECT_COLUMNS: Columns = {
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
  // Only rows can be chosen by these two.
  adCreativeStatus: ({ ad }, { asOf }) => ad?.life.state.at(asOf) ?? null,
  campaignSite: () => null,
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

export function columnNamed(name: string): Column {
  return COLUMNS[name] ?? generalColumn(name);
}

export const COLUMNS: Columns = { ...SUBJECT_COLUMNS, ...TRAFFIC_COLUMNS, ...SALES_COLUMNS };

function count(read: (tally: Tally) => number): Column {
  return ({ tally }) => read(tally);
}

function costOf(read: (tally: Tally) => number): Column {
  return ({ tally }, { unit }) => ratio(tally.cost / unit, read(tally));
}

function video(point: keyof typeof VIDEO): Column {
  return ({ tally }) => played(tally, VIDEO[point]);
}

function played(tally: Tally, share: number): number {
  return Math.floor(viewable(tally) * share);
}

function viewable({ impressions, clicks }: Tally): number {
  return Math.max(clicks, Math.floor(impressions * VIEWABLE));
}

function reach({ impressions, clicks }: Tally): number {
  return Math.max(clicks, Math.floor(impressions / 1.9));
}

function invalidImpressions({ impressions }: Tally): number {
  return Math.floor(impressions * INVALID.impressions);
}

function grossImpressions(tally: Tally): number {
  return tally.impressions + invalidImpressions(tally);
}

function invalidClicks({ clicks }: Tally): number {
  return Math.floor(clicks * INVALID.clicks);
}

function grossClicks(tally: Tally): number {
  return tally.clicks + invalidClicks(tally);
}

/** Every 250 pages read count as one borrowed book. */
function borrows({ pages }: Tally): number {
  return Math.floor(pages / 250);
}
