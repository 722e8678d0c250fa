import { PUBLISHED_COLUMNS } from "./published_columns.ts";
import {
  byAd,
  byAdGroup,
  byAudience,
  byBrandPurchase,
  byCampaign,
  byMatchedProduct,
  byOtherPurchase,
  byPlacement,
  byPurchase,
  bySearchTerm,
  byTargeting,
  type TrafficSplit,
} from "./split_traffic.ts";

export interface ReportType {
  readonly adProduct: string;
  readonly reportTypeId: string;
  readonly groupBy: readonly string[];
  readonly columns: readonly string[];
  readonly days: readonly string[];
  readonly filters: readonly string[];
  readonly isDateOptional?: boolean;
  readonly retentionDays: number;
  readonly maxDays: number;
  readonly timeUnits: readonly string[];
  readonly formats: readonly string[];
  readonly split: TrafficSplit;
  readonly isAcross?: boolean;
}

interface Row {
  readonly id: string;
  readonly groupBy: readonly string[];
  readonly split: TrafficSplit;
  /** Undocumented columns that were observed to work. */
  readonly more?: string;
  /** Published columns that are rejected. */
  readonly less?: string;
  /** Accepted filters; a report with several groupings accepts only filters that all of them have. */
  readonly filters?: readonly string[];
  readonly retentionDays?: number;
  readonly maxDays?: number;
}

const PAGES = "kindleEditionNormalizedPagesRead14d kindleEditionNormalizedPagesRoyalties14d";
const CAMPAIGN = "campaignId campaignName campaignStatus campaignBudgetAmount campaignBudgetType " +
  "campaignBudgetCurrencyCode campaignBiddingStrategy";
const CLAUSE = "campaignStatus campaignBudgetAmount campaignBudgetType";
const STATUS = ["campaignStatus"];
const CLAUSES = ["keywordType", "adKeywordStatus"];
const YEAR = { retentionDays: 365, maxDays: 365 } as const;

const FORMATS = [
  { format: "CSV", types: /GrossAndInvalids$/ },
  { format: "XLSX", types: /Audiences$/ },
];

const PRODUCTS = [
  { prefix: "sp", adProduct: "SPONSORED_PRODUCTS", retentionDays: 95 },
  { prefix: "sb", adProduct: "SPONSORED_BRANDS", retentionDays: 60 },
  { prefix: "sd", adProduct: "SPONSORED_DISPLAY", retentionDays: 65 },
] as const;

const ROWS: readonly Row[] = [
  {
    id: "spCampaigns",
    groupBy: ["campaign"],
    split: byCampaign,
    filters: STATUS,
    more: "campaignBiddingStrategy costPerClick",
  },
  {
    id: "spCampaigns",
    groupBy: ["campaign", "campaignPlacement"],
    split: byPlacement,
    more: "campaignBiddingStrategy",
  },
  {
    id: "spCampaigns",
    groupBy: ["campaignPlacement"],
    split: byPlacement,
    filters: ["campaignSite"],
  },
  {
    id: "spCampaigns",
    groupBy: ["campaign", "adGroup"],
    split: byAdGroup,
    more: CAMPAIGN,
  },
  { id: "spCampaigns", groupBy: ["adGroup"], split: byAdGroup, filters: ["adStatus"] },
  {
    id: "spTargeting",
    groupBy: ["targeting"],
    split: byTargeting,
    filters: CLAUSES,
    more: `${CLAUSE} keywordType spend`,
  },
  {
    id: "spSearchTerm",
    groupBy: ["searchTerm"],
    split: bySearchTerm,
    filters: ["keywordType"],
    more: `${CLAUSE} spend`,
    retentionDays: 65,
  },
  {
    id: "spAdvertisedProduct",
    groupBy: ["advertiser"],
    split: byAd,
    filters: ["adCreativeStatus"],
    more: `${CLAUSE} kindleEditionNormalizedPagesRead14d`,
  },
  {
    id: "spPurchasedProduct",
    groupBy: ["asin"],
    split: byPurchase,
    more: "unitsSoldClicks1d unitsSoldClicks7d unitsSoldClicks14d unitsSoldOtherSku14d salesOtherSku14d " +
      `purchases1d purchases7d purchases14d sales1d sales7d sales14d ${PAGES}`,
  },
  { id: "spAudiences", groupBy: ["campaign_bid_boost_segment"], split: byAudience },
  { id: "spGrossAndInvalids", groupBy: ["campaign"], split: byCampaign, filters: STATUS, ...YEAR },
  {
    id: "sbCampaigns",
    groupBy: ["campaign"],
    split: byCampaign,
    filters: STATUS,
    more: `topOfSearchImpressionShare detailPageViews ${PAGES}`,
  },
  {
    id: "sbCampaignPlacement",
    groupBy: ["campaignPlacement"],
    split: byPlacement,
    more: "placementClassification",
  },
  { id: "sbCampaignPlacement", groupBy: ["campaign"], split: byPlacement, more: "placementClassification" },
  { id: "sbAdGroup", groupBy: ["adGroup"], split: byAdGroup, filters: ["adStatus"] },
  { id: "sbAdGroup", groupBy: ["campaign"], split: byAdGroup },
  { id: "sbAds", groupBy: ["ads"], split: byAd, filters: ["adStatus"], more: "adStatus" },
  {
    id: "sbTargeting",
    groupBy: ["targeting"],
    split: byTargeting,
    filters: CLAUSES,
    more: `${CLAUSE} campaignBudgetCurrencyCode detailPageViews`,
    less: PAGES,
  },
  {
    id: "sbSearchTerm",
    groupBy: ["searchTerm"],
    split: bySearchTerm,
    filters: ["keywordType"],
    more: `${CLAUSE} keywordType spend`,
    less: `${PAGES} detailPageViews`,
  },
  {
    id: "sbPurchasedProduct",
    groupBy: ["purchasedAsin"],
    split: byBrandPurchase,
    more: "newToBrandPurchases14d newToBrandSales14d newToBrandUnitsSold14d",
    maxDays: 731,
  },
  { id: "sbAudiences", groupBy: ["campaign_bid_boost_segment"], split: byAudience, retentionDays: 95 },
  { id: "sbGrossAndInvalids", groupBy: ["campaign"], split: byCampaign, filters: STATUS, ...YEAR },
  {
    id: "sdCampaigns",
    groupBy: ["campaign"],
    split: byCampaign,
    more: "campaignBudgetType",
  },
  { id: "sdCampaigns", groupBy: ["matchedTarget"], split: byMatchedProduct.ofCampaign },
  { id: "sdAdGroup", groupBy: ["adGroup"], split: byAdGroup, more: "adStatus" },
  { id: "sdAdGroup", groupBy: ["matchedTarget"], split: byMatchedProduct.ofAdGroup },
  { id: "sdTargeting", groupBy: ["targeting"], split: byTargeting },
  { id: "sdTargeting", groupBy: ["matchedTarget"], split: byMatchedProduct.ofTarget },
  { id: "sdAdvertisedProduct", groupBy: ["advertiser"], split: byAd },
  { id: "sdPurchasedProduct", groupBy: ["asin"], split: byOtherPurchase },
  { id: "sdGrossAndInvalids", groupBy: ["campaign"], split: byCampaign, filters: STATUS, ...YEAR },
];

export const REPORT_TYPES: readonly ReportType[] = ROWS.map(reportType);

function reportType(
  { id, groupBy, split, more = "", less = "", filters = [], retentionDays, maxDays = 31 }: Row,
): ReportType {
  const product = PRODUCTS.find(({ prefix }) => id.startsWith(prefix)) ?? PRODUCTS[0];
  const { adProduct } = product;
  const published = PUBLISHED_COLUMNS[id] ?? {};
  const groups = groupBy.includes("campaignPlacement") ? [...groupBy, "campaign"] : groupBy;
  const texts = ["base", ...groups].map((name) => published[name] ?? "");
  const isByAdGroup = id === "spCampaigns" && groupBy.join() === "adGroup";
  const columns = [
    ...new Set([...texts, more, id.startsWith("spCampaigns") && !isByAdGroup ? CAMPAIGN : ""]
      .flatMap((text) => text.split(/\s+/))),
  ]
    .filter((name) =>
      name !== "" && !less.split(" ").includes(name) && !(isByAdGroup && name.startsWith("campaign"))
    );
  return {
    adProduct,
    reportTypeId: id,
    groupBy,
    columns,
    days: ["date", "startDate", "endDate"],
    filters,
    retentionDays: retentionDays ?? product.retentionDays,
    maxDays,
    timeUnits: ["SUMMARY", "DAILY"],
    formats: ["GZIP_JSON", ...FORMATS.filter(({ types }) => types.test(id)).map(({ format }) => format)],
    split,
  };
}
