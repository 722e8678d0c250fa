import { ConfigurationError } from "../errors.ts";

/** A report that is asked for by a short name. */
export interface ReportPreset {
  /** Ad product. */
  readonly adProduct: "SPONSORED_PRODUCTS" | "SPONSORED_BRANDS";
  /** Kind of report. */
  readonly reportTypeId: string;
  /** What a row stands for. */
  readonly groupBy: readonly string[];
  /** Columns besides `date`. */
  readonly columns: readonly string[];
  /** Columns that together with the day tell one row from another; two rows may share them all the same. */
  readonly key: readonly string[];
  /** Days that the platform keeps it. */
  readonly retentionDays: number;
}

const PAGES = "kindleEditionNormalizedPagesRead14d kindleEditionNormalizedPagesRoyalties14d";
const SP_METRICS = "impressions clicks cost purchases1d purchases7d purchases14d sales1d sales7d sales14d " +
  `unitsSoldClicks14d ${PAGES}`;
const SB_METRICS = "impressions clicks cost purchases sales unitsSold";
const CAMPAIGN = "campaignId campaignName";
const AD_GROUP = `${CAMPAIGN} adGroupId adGroupName`;

/** Days that the platform keeps each kind of report. */
const SP_DAYS = 95;
const SEARCH_TERM_DAYS = 65;
const SB_DAYS = 60;

/** Short name of a report. */
export type ReportPresetName =
  | "sp_campaigns"
  | "sp_placement"
  | "sp_ad_groups"
  | "sp_targeting"
  | "sp_search_terms"
  | "sp_advertised_products"
  | "sp_purchased_products"
  | "sb_campaigns"
  | "sb_targeting"
  | "sb_search_terms"
  | "sb_purchased_products";

/**
 * The reports that have a short name.
 *
 * @example
 * ```ts
 * import { REPORT_PRESETS } from "@platform/ads";
 *
 * console.log(REPORT_PRESETS.sp_placement.columns.join(", "));
 * ```
 */
export const REPORT_PRESETS: Readonly<Record<ReportPresetName, ReportPreset>> = {
  sp_campaigns: sp("spCampaigns", "campaign", {
    columns:
      `${CAMPAIGN} campaignStatus campaignBudgetAmount campaignBudgetType campaignBudgetCurrencyCode ` +
      `campaignBiddingStrategy topOfSearchImpressionShare ${SP_METRICS}`,
    key: "campaignId",
  }),
  sp_placement: sp("spCampaigns", "campaign campaignPlacement", {
    columns:
      `${CAMPAIGN} campaignStatus campaignBudgetAmount campaignBiddingStrategy placementClassification ` +
      SP_METRICS,
    key: "campaignId placementClassification",
  }),
  sp_ad_groups: sp("spCampaigns", "adGroup", {
    columns: `adGroupId adGroupName adStatus ${SP_METRICS}`,
    key: "adGroupId",
  }),
  sp_targeting: sp("spTargeting", "targeting", {
    columns: `${AD_GROUP} keywordId keyword targeting keywordType matchType keywordBid adKeywordStatus ` +
      `topOfSearchImpressionShare ${SP_METRICS}`,
    key: "adGroupId keywordId",
  }),
  sp_search_terms: sp("spSearchTerm", "searchTerm", {
    columns: `${AD_GROUP} keywordId keyword targeting matchType keywordType searchTerm ${SP_METRICS}`,
    key: "adGroupId keywordId searchTerm",
    retentionDays: SEARCH_TERM_DAYS,
  }),
  sp_advertised_products: sp("spAdvertisedProduct", "advertiser", {
    columns: `${AD_GROUP} adId advertisedAsin advertisedSku ${SP_METRICS}`,
    key: "adId",
  }),
  sp_purchased_products: sp("spPurchasedProduct", "asin", {
    columns: `${AD_GROUP} keywordId keyword matchType advertisedAsin purchasedAsin unitsSoldOtherSku14d ` +
      `salesOtherSku14d purchases14d sales14d ${PAGES}`,
    key: "adGroupId keywordId matchType advertisedAsin purchasedAsin",
  }),
  sb_campaigns: sb("sbCampaigns", "campaign", {
    columns:
      `${CAMPAIGN} campaignStatus campaignBudgetAmount campaignBudgetType campaignBudgetCurrencyCode ` +
      `topOfSearchImpressionShare ${SB_METRICS} detailPageViews ${PAGES}`,
    key: "campaignId",
  }),
  sb_targeting: sb("sbTargeting", "targeting", {
    columns: `${AD_GROUP} keywordId keywordText keywordType matchType targetingId targetingExpression ` +
      `targetingText targetingType keywordBid adKeywordStatus topOfSearchImpressionShare ${SB_METRICS} ` +
      "detailPageViews",
    key: "adGroupId targetingId",
  }),
  sb_search_terms: sb("sbSearchTerm", "searchTerm", {
    columns: `${AD_GROUP} keywordId keywordText keywordType matchType searchTerm ${SB_METRICS}`,
    key: "adGroupId keywordId searchTerm",
  }),
  sb_purchased_products: sb("sbPurchasedProduct", "purchasedAsin", {
    columns: `${AD_GROUP} attributionType purchasedAsin productName productCategory orders14d sales14d ` +
      "unitsSold14d newToBrandPurchases14d newToBrandSales14d newToBrandUnitsSold14d",
    key: "campaignId adGroupId purchasedAsin attributionType",
  }),
};

/**
 * The short names, in the order of the documentation.
 *
 * @example
 * ```ts
 * import { REPORT_PRESET_NAMES } from "@platform/ads";
 *
 * console.log(REPORT_PRESET_NAMES.join(", "));
 * ```
 */
export const REPORT_PRESET_NAMES: readonly ReportPresetName[] = Object.keys(
  REPORT_PRESETS,
) as readonly ReportPresetName[];

/**
 * The spelling of a preset's name that is used everywhere; hyphens are taken for underscores.
 *
 * @throws {ConfigurationError} that lists the names when there is no such preset.
 */
export function presetName(name: string): ReportPresetName {
  const wanted = name.trim().toLowerCase().replaceAll("-", "_");
  if (Object.hasOwn(REPORT_PRESETS, wanted)) return wanted as ReportPresetName;
  throw new ConfigurationError(`Cannot find a report "${name}". There is ${REPORT_PRESET_NAMES.join(", ")}`);
}

interface PresetWords {
  readonly columns: string;
  readonly key: string;
  readonly retentionDays?: number;
}

function sp(reportTypeId: string, groupBy: string, words: PresetWords): ReportPreset {
  return preset({ adProduct: "SPONSORED_PRODUCTS", reportTypeId, groupBy, retentionDays: SP_DAYS, ...words });
}

function sb(reportTypeId: string, groupBy: string, words: PresetWords): ReportPreset {
  return preset({ adProduct: "SPONSORED_BRANDS", reportTypeId, groupBy, retentionDays: SB_DAYS, ...words });
}

function preset(
  words: Required<PresetWords> & Pick<ReportPreset, "adProduct" | "reportTypeId"> & { groupBy: string },
): ReportPreset {
  return {
    ...words,
    groupBy: words.groupBy.split(" "),
    columns: words.columns.split(" "),
    key: words.key.split(" "),
  };
}
