import { isObject, type JsonObject } from "../../core/json.ts";
import type { ReportRow } from "./report_row.ts";
import type { Tally } from "./tally.ts";

/** What a value of a row may need to know of the report it stands in. */
export interface ReportFacts {
  /** The moment whose knowledge the report has, milliseconds since the epoch. */
  readonly asOf: number;
  /** First day. */
  readonly startDate: string;
  /** Last day. */
  readonly endDate: string;
  /** Currency of every amount. */
  readonly currencyCode: string;
  /** Smallest units in one of the currency. */
  readonly unit: number;
}

/** Gives a row's value of one column: text, a number, an id as `bigint` (a bare number in the file), or nothing. */
export type Column = (row: ReportRow, report: ReportFacts) => string | number | bigint | null;

const WINDOW_NAMES = ["1d", "7d", "14d"] as const;

/** Every column that some report has, by its name. */
export const COLUMNS: Readonly<Record<string, Column>> = {
  date: ({ day }) => day,
  startDate: (_row, { startDate }) => startDate,
  endDate: (_row, { endDate }) => endDate,

  campaignId: ({ campaign }) => BigInt(campaign.id),
  campaignName: ({ campaign }) => String(campaign.entity.name),
  campaignStatus: ({ campaign }, { asOf }) => campaign.life.state.at(asOf),
  campaignBudgetAmount: ({ campaign }, { asOf }) => campaign.budget.at(asOf),
  campaignBudgetType: ({ campaign }) =>
    campaign.budgetType === "LIFETIME" ? "LIFETIME_BUDGET" : "DAILY_BUDGET",
  campaignBudgetCurrencyCode: (_row, { currencyCode }) => currencyCode,
  campaignBiddingStrategy: ({ campaign }) => strategyOf(campaign.entity),
  portfolioId: ({ campaign }) => idOrNull(campaign.entity.portfolioId),
  placementClassification: ({ placement }) => placement ?? null,

  adGroupId: ({ adGroup }) => idOrNull(adGroup?.id),
  adGroupName: ({ adGroup }) => text(adGroup?.entity.name),
  adStatus: ({ adGroup }, { asOf }) => adGroup?.life.state.at(asOf) ?? null,

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

  adId: ({ ad }) => idOrNull(ad?.id),
  advertisedAsin: ({ ad }) => text(ad?.asins[0]),
  advertisedSku: ({ ad }) => text(ad?.entity.sku),
  purchasedAsin: ({ asin }) => asin ?? null,
  attributionType: ({ promoted }) => promoted ? "Promoted" : "Brand Halo",
  productName: ({ asin }) => asin === undefined ? null : `Product ${asin}`,
  productCategory: ({ campaign }) => String(campaign.entity.name).split(" | ")[1] ?? "General",

  impressions: ({ tally }) => tally.impressions,
  clicks: ({ tally }) => tally.clicks,
  cost: ({ tally }, { unit }) => tally.cost / unit,
  spend: ({ tally }, { unit }) => tally.cost / unit,
  costPerClick: ({ tally }, { unit }) => ratio(tally.cost / unit, tally.clicks),
  clickThroughRate: ({ tally }) => ratio(100 * tally.clicks, tally.impressions),
  topOfSearchImpressionShare: ({ tally: { topShare } }) =>
    topShare === undefined ? null : Number(topShare.toFixed(2)),

  ...byWindow("purchases", ({ orders }, window) => orders[window]!),
  ...byWindow("sales", ({ sales }, window, unit) => sales[window]! / unit),
  ...byWindow("unitsSoldClicks", ({ units }, window) => units[window]!),
  ...byWindow("acosClicks", ({ cost, sales }, window) => ratio(100 * cost, sales[window]!)),
  ...byWindow("roasClicks", ({ cost, sales }, window) => ratio(sales[window]!, cost)),
  salesOtherSku14d: ({ tally }, { unit }) => tally.otherSales / unit,
  unitsSoldOtherSku14d: ({ tally }) => tally.otherUnits,
  kindleEditionNormalizedPagesRead14d: ({ tally }) => tally.pages,
  kindleEditionNormalizedPagesRoyalties14d: ({ tally }, { unit }) =>
    Math.round(tally.pages * 0.0042 * unit) / unit,

  purchases: ({ tally }) => tally.orders[2],
  sales: ({ tally }, { unit }) => tally.sales[2] / unit,
  unitsSold: ({ tally }) => tally.units[2],
  detailPageViews: ({ tally }) => tally.views,
  orders14d: ({ tally }) => tally.orders[2],
  unitsSold14d: ({ tally }) => tally.units[2],
  newToBrandPurchases14d: ({ tally }) => tally.newToBrand.orders,
  newToBrandSales14d: ({ tally }, { unit }) => tally.newToBrand.sales / unit,
  newToBrandUnitsSold14d: ({ tally }) => tally.newToBrand.units,
};

function byWindow(
  name: string,
  read: (tally: Tally, window: number, unit: number) => number | null,
): Record<string, Column> {
  return Object.fromEntries(
    WINDOW_NAMES.map((window, index): [string, Column] => [
      `${name}${window}`,
      ({ tally }, { unit }) => read(tally, index, unit),
    ]),
  );
}

function strategyOf(campaign: JsonObject): string | null {
  const { dynamicBidding } = campaign;
  return isObject(dynamicBidding) ? text(dynamicBidding.strategy) : null;
}

function text(value: unknown): string | null {
  return value === undefined || value === null ? null : String(value);
}

function idOrNull(id: unknown): bigint | null {
  return id === undefined || id === null ? null : BigInt(String(id));
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : Number((part / whole).toFixed(4));
}
