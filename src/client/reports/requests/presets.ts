import { kindOf, spellKind } from "../../../platform/catalog/kind_names.ts";
import { ConfigurationError } from "../../../errors.ts";
import { nearest } from "../../../base/text/nearest.ts";
import type { ReportColumn, Words } from "../file/report_row.ts";

/** A report with a short name. */
export interface ReportPreset {
  /** Ad product, for example `SPONSORED_PRODUCTS`. */
  readonly adProduct: "SPONSORED_PRODUCTS" | "SPONSORED_BRANDS" | "SPONSORED_DISPLAY";
  /** Kind of report. */
  readonly reportTypeId: string;
  /** Dimensions of a row. */
  readonly groupBy: readonly string[];
  /** Columns of the report, without `date`. */
  readonly columns: readonly string[];
  /** Columns that, together with the day, identify a row; not always unique. */
  readonly key: readonly string[];
  /** Days of history that the platform retains. */
  readonly retentionDays: number;
}

const PAGES = words("kindleEditionNormalizedPagesRead14d kindleEditionNormalizedPagesRoyalties14d");
const SP_METRICS = [
  ...words("impressions clicks cost purchases1d purchases7d purchases14d sales1d sales7d sales14d"),
  ...words("unitsSoldClicks14d"),
  ...PAGES,
];
const SB_METRICS = words("impressions clicks cost purchases sales unitsSold");
const SD_METRICS = [
  ...words("impressions impressionsViews clicks cost purchases purchasesClicks sales salesClicks unitsSold"),
  ...words("unitsSoldClicks detailPageViews newToBrandPurchases newToBrandUnitsSold"),
];
const CAMPAIGN = words("campaignId campaignName");
const AD_GROUP = [...CAMPAIGN, ...words("adGroupId adGroupName")];

const SP_DAYS = 95;
const SEARCH_TERM_DAYS = 65;
const SB_DAYS = 60;
const SD_DAYS = 65;

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
  | "sb_purchased_products"
  | "sd_campaigns"
  | "sd_ad_groups"
  | "sd_targeting"
  | "sd_advertised_products"
  | "sd_purchased_products";

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
    columns: [
      ...CAMPAIGN,
      ...words("campaignStatus campaignBudgetAmount campaignBudgetType campaignBudgetCurrencyCode"),
      ...words("campaignBiddingStrategy topOfSearchImpressionShare"),
      ...SP_METRICS,
    ],
    key: words("campaignId"),
  }),
  sp_placement: sp("spCampaigns", "campaign campaignPlacement", {
    columns: [
      ...CAMPAIGN,
      ...words("campaignStatus campaignBudgetAmount campaignBiddingStrategy placementClassification"),
      ...SP_METRICS,
    ],
    key: words("campaignId placementClassification"),
  }),
  sp_ad_groups: sp("spCampaigns", "adGroup", {
    columns: [...words("adGroupId adGroupName adStatus"), ...SP_METRICS],
    key: words("adGroupId"),
  }),
  sp_targeting: sp("spTargeting", "targeting", {
    columns: [
      ...AD_GROUP,
      ...words("keywordId keyword targeting keywordType matchType keywordBid adKeywordStatus"),
      ...words("topOfSearchImpressionShare"),
      ...SP_METRICS,
    ],
    key: words("adGroupId keywordId"),
  }),
  sp_search_terms: sp("spSearchTerm", "searchTerm", {
    columns: [
      ...AD_GROUP,
      ...words("keywordId keyword targeting matchType keywordType searchTerm"),
      ...SP_METRICS,
    ],
    key: words("adGroupId keywordId searchTerm"),
    retentionDays: SEARCH_TERM_DAYS,
  }),
  sp_advertised_products: sp("spAdvertisedProduct", "advertiser", {
    columns: [...AD_GROUP, ...words("adId advertisedAsin advertisedSku"), ...SP_METRICS],
    key: words("adId"),
  }),
  sp_purchased_products: sp("spPurchasedProduct", "asin", {
    columns: [
      ...AD_GROUP,
      ...words("keywordId keyword matchType advertisedAsin purchasedAsin unitsSoldOtherSku14d"),
      ...words("salesOtherSku14d purchases14d sales14d"),
      ...PAGES,
    ],
    key: words("adGroupId keywordId matchType advertisedAsin purchasedAsin"),
  }),
  sb_campaigns: sb("sbCampaigns", "campaign", {
    columns: [
      ...CAMPAIGN,
      ...words("campaignStatus campaignBudgetAmount campaignBudgetType campaignBudgetCurrencyCode"),
      ...words("topOfSearchImpressionShare"),
      ...SB_METRICS,
      ...words("detailPageViews"),
      ...PAGES,
    ],
    key: words("campaignId"),
  }),
  sb_targeting: sb("sbTargeting", "targeting", {
    columns: [
      ...AD_GROUP,
      ...words("keywordId keywordText keywordType matchType targetingId targetingExpression"),
      ...words("targetingText targetingType keywordBid adKeywordStatus topOfSearchImpressionShare"),
      ...SB_METRICS,
      ...words("detailPageViews"),
    ],
    key: words("adGroupId targetingId"),
  }),
  sb_search_terms: sb("sbSearchTerm", "searchTerm", {
    columns: [
      ...AD_GROUP,
      ...words("keywordId keywordText keywordType matchType searchTerm"),
      ...SB_METRICS,
    ],
    key: words("adGroupId keywordId searchTerm"),
  }),
  sb_purchased_products: sb("sbPurchasedProduct", "purchasedAsin", {
    columns: [
      ...AD_GROUP,
      ...words("attributionType purchasedAsin productName productCategory orders14d sales14d"),
      ...words("unitsSold14d newToBrandPurchases14d newToBrandSales14d newToBrandUnitsSold14d"),
    ],
    key: words("campaignId adGroupId purchasedAsin attributionType"),
  }),
  sd_campaigns: sd("sdCampaigns", "campaign", {
    columns: [
      ...CAMPAIGN,
      ...words("campaignStatus campaignBudgetAmount campaignBudgetCurrencyCode costType"),
      ...SD_METRICS,
    ],
    key: words("campaignId"),
  }),
  sd_ad_groups: sd("sdAdGroup", "adGroup", {
    columns: [...AD_GROUP, ...words("bidOptimization"), ...SD_METRICS],
    key: words("adGroupId"),
  }),
  sd_targeting: sd("sdTargeting", "targeting", {
    columns: [
      ...AD_GROUP,
      ...words("targetingId targetingExpression targetingText adKeywordStatus"),
      ...SD_METRICS,
    ],
    key: words("adGroupId targetingId"),
  }),
  sd_advertised_products: sd("sdAdvertisedProduct", "advertiser", {
    columns: [...AD_GROUP, ...words("adId promotedAsin promotedSku"), ...SD_METRICS],
    key: words("adId"),
  }),
  sd_purchased_products: sd("sdPurchasedProduct", "asin", {
    columns: [
      ...AD_GROUP,
      ...words(
        "promotedAsin promotedSku asinBrandHalo conversionsBrandHalo salesBrandHalo unitsSoldBrandHalo",
      ),
    ],
    key: words("adGroupId promotedAsin asinBrandHalo"),
  }),
};

/**
 * Short names of reports, in the order of the documentation.
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

export function isPreset(name: unknown): name is ReportPresetName {
  return REPORT_PRESET_NAMES.some((one) => one === name);
}

export function spellReport(name: string): string {
  return isPreset(name) ? spellKind(name.replace("_", ".")) : name;
}

export function presetOf(text: string): ReportPresetName | undefined {
  return kindOf(text, REPORT_PRESET_NAMES);
}

export function presetName(name: string): ReportPresetName {
  const found = presetOf(name);
  if (found !== undefined) return found;
  const words = REPORT_PRESET_NAMES.map(spellReport);
  const near = nearest(name, [...words, ...REPORT_PRESET_NAMES]);
  const advice = near === undefined
    ? `Expected one of ${words.join(", ")}`
    : `Did you mean "${spellReport(near)}"?`;
  throw new ConfigurationError(`Cannot find a report "${name}". ${advice}`);
}

interface PresetParts {
  readonly columns: readonly ReportColumn[];
  readonly key: readonly ReportColumn[];
  readonly retentionDays?: number;
}

function sp(reportTypeId: string, groupBy: string, parts: PresetParts): ReportPreset {
  return {
    adProduct: "SPONSORED_PRODUCTS",
    reportTypeId,
    groupBy: groupBy.split(" "),
    retentionDays: SP_DAYS,
    ...parts,
  };
}

function sb(reportTypeId: string, groupBy: string, parts: PresetParts): ReportPreset {
  return {
    adProduct: "SPONSORED_BRANDS",
    reportTypeId,
    groupBy: groupBy.split(" "),
    retentionDays: SB_DAYS,
    ...parts,
  };
}

function sd(reportTypeId: string, groupBy: string, parts: PresetParts): ReportPreset {
  return {
    adProduct: "SPONSORED_DISPLAY",
    reportTypeId,
    groupBy: groupBy.split(" "),
    retentionDays: SD_DAYS,
    ...parts,
  };
}

/** Splits a text into column names. Unpublished columns are compile-time errors. */
function words<const Text extends string>(
  text: Words<Text> extends ReportColumn ? Text : never,
): readonly ReportColumn[] {
  return text.split(" ") as ReportColumn[];
}
