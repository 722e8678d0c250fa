import {
  byAd,
  byAdGroup,
  byBrandPurchase,
  byCampaign,
  byPlacement,
  byPurchase,
  bySearchTerm,
  byTargeting,
  type TrafficSplit,
} from "./split_traffic.ts";

/** A kind of report: how it is asked for, what it may hold, and how its rows come about. */
export interface ReportType {
  /** Ad product. */
  readonly adProduct: "SPONSORED_PRODUCTS" | "SPONSORED_BRANDS" | "SPONSORED_DISPLAY";
  /** Name of the report type. */
  readonly reportTypeId: string;
  /** What a row stands for. */
  readonly groupBy: readonly string[];
  /** Columns it may hold, besides the days. */
  readonly columns: readonly string[];
  /** Columns its rows may be chosen by. */
  readonly filters: readonly string[];
  /** Days it is kept. */
  readonly retentionDays: number;
  /** Makes its rows. */
  readonly split: TrafficSplit;
}

const PAGES = "kindleEditionNormalizedPagesRead14d kindleEditionNormalizedPagesRoyalties14d";
const RATES = "costPerClick clickThroughRate spend";
const PRODUCT_METRICS =
  "impressions clicks cost purchases1d purchases7d purchases14d sales1d sales7d sales14d " +
  `unitsSoldClicks1d unitsSoldClicks7d unitsSoldClicks14d ${PAGES} ${RATES}`;
const EFFICIENCY = "acosClicks7d acosClicks14d roasClicks7d roasClicks14d";
const BRAND_METRICS = "impressions clicks cost purchases sales unitsSold";
const CAMPAIGN = "campaignId campaignName campaignStatus campaignBudgetAmount campaignBudgetType " +
  "campaignBudgetCurrencyCode";
const PLACE = "campaignId campaignName adGroupId adGroupName";
const STATUS_FILTER = ["campaignStatus"];
const CLAUSE_FILTERS = ["keywordType", "adKeywordStatus"];

const PRODUCTS = { adProduct: "SPONSORED_PRODUCTS", retentionDays: 95 } as const;
const BRANDS = { adProduct: "SPONSORED_BRANDS", retentionDays: 60 } as const;

/** The kinds of reports that the emulator builds. */
export const REPORT_TYPES: readonly ReportType[] = [
  {
    ...PRODUCTS,
    reportTypeId: "spCampaigns",
    groupBy: ["campaign"],
    columns: words(CAMPAIGN, "campaignBiddingStrategy topOfSearchImpressionShare", PRODUCT_METRICS),
    filters: STATUS_FILTER,
    split: byCampaign,
  },
  {
    ...PRODUCTS,
    reportTypeId: "spCampaigns",
    groupBy: ["campaign", "campaignPlacement"],
    columns: words(CAMPAIGN, "campaignBiddingStrategy placementClassification", PRODUCT_METRICS),
    filters: STATUS_FILTER,
    split: byPlacement,
  },
  {
    ...PRODUCTS,
    reportTypeId: "spCampaigns",
    groupBy: ["adGroup"],
    columns: words("adGroupId adGroupName adStatus", PRODUCT_METRICS),
    filters: ["adStatus"],
    split: byAdGroup,
  },
  {
    ...PRODUCTS,
    reportTypeId: "spTargeting",
    groupBy: ["targeting"],
    columns: words(
      PLACE,
      "portfolioId campaignStatus campaignBudgetAmount campaignBudgetType campaignBudgetCurrencyCode",
      "keywordId keyword targeting keywordType matchType keywordBid adKeywordStatus topOfSearchImpressionShare",
      PRODUCT_METRICS,
      EFFICIENCY,
    ),
    filters: CLAUSE_FILTERS,
    split: byTargeting,
  },
  {
    ...PRODUCTS,
    reportTypeId: "spSearchTerm",
    groupBy: ["searchTerm"],
    columns: words(
      PLACE,
      "portfolioId campaignStatus campaignBudgetAmount campaignBudgetType campaignBudgetCurrencyCode",
      "keywordId keyword targeting matchType keywordType keywordBid adKeywordStatus searchTerm",
      PRODUCT_METRICS,
      EFFICIENCY,
    ),
    filters: CLAUSE_FILTERS,
    retentionDays: 65,
    split: bySearchTerm,
  },
  {
    ...PRODUCTS,
    reportTypeId: "spAdvertisedProduct",
    groupBy: ["advertiser"],
    columns: words(
      PLACE,
      "portfolioId campaignStatus campaignBudgetAmount campaignBudgetType campaignBudgetCurrencyCode",
      "adId advertisedAsin advertisedSku",
      PRODUCT_METRICS,
      EFFICIENCY,
    ),
    filters: [],
    split: byAd,
  },
  {
    ...PRODUCTS,
    reportTypeId: "spPurchasedProduct",
    groupBy: ["asin"],
    columns: words(
      PLACE,
      "portfolioId campaignBudgetCurrencyCode keywordId keyword keywordType matchType",
      "advertisedAsin advertisedSku purchasedAsin unitsSoldOtherSku14d salesOtherSku14d",
      "purchases1d purchases7d purchases14d sales1d sales7d sales14d",
      "unitsSoldClicks1d unitsSoldClicks7d unitsSoldClicks14d",
      PAGES,
    ),
    filters: [],
    split: byPurchase,
  },
  {
    ...BRANDS,
    reportTypeId: "sbCampaigns",
    groupBy: ["campaign"],
    columns: words(CAMPAIGN, "topOfSearchImpressionShare", BRAND_METRICS, "detailPageViews", PAGES),
    filters: STATUS_FILTER,
    split: byCampaign,
  },
  {
    ...BRANDS,
    reportTypeId: "sbTargeting",
    groupBy: ["targeting"],
    columns: words(
      PLACE,
      "campaignStatus campaignBudgetAmount campaignBudgetType campaignBudgetCurrencyCode",
      "keywordId keywordText keywordType matchType targetingId targetingExpression targetingText targetingType",
      "keywordBid adKeywordStatus topOfSearchImpressionShare",
      BRAND_METRICS,
      "detailPageViews",
    ),
    filters: CLAUSE_FILTERS,
    split: byTargeting,
  },
  {
    ...BRANDS,
    reportTypeId: "sbSearchTerm",
    groupBy: ["searchTerm"],
    columns: words(
      PLACE,
      "campaignStatus campaignBudgetAmount campaignBudgetType campaignBudgetCurrencyCode",
      "keywordId keywordText keywordType matchType keywordBid adKeywordStatus searchTerm",
      BRAND_METRICS,
    ),
    filters: CLAUSE_FILTERS,
    split: bySearchTerm,
  },
  {
    ...BRANDS,
    reportTypeId: "sbPurchasedProduct",
    groupBy: ["purchasedAsin"],
    columns: words(
      PLACE,
      "campaignBudgetCurrencyCode attributionType purchasedAsin productName productCategory",
      "orders14d sales14d unitsSold14d newToBrandPurchases14d newToBrandSales14d newToBrandUnitsSold14d",
    ),
    filters: [],
    split: byBrandPurchase,
  },
];

function words(...texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(" "));
}
