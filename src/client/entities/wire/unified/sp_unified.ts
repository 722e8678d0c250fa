import { fieldsOf } from "../../../../base/json/fields_of.ts";
import type { ResourceWire } from "../../model/resource_wire.ts";
import { day, LOCALE, newCampaign, SERVING_DETAILS, servingStatus, state, TAGS, words } from "./forms.ts";
import { expression, EXPRESSION_TYPE, resolvedExpression } from "./expression_form.ts";
import { SP_BIDDING, SP_BUDGET } from "./sp_forms.ts";
import type { UnifiedField, UnifiedForm } from "./unified_field.ts";
import type { UnifiedKind } from "./unified_kind.ts";
import { unifiedWire } from "./unified_wire.ts";

const LIMITS: UnifiedKind["limits"] = {
  write: 1000,
  archive: 1000,
  page: 1000,
  ids: 1000,
  campaignIds: 100,
  adGroupIds: 100,
  states: 3,
};
const STATE: UnifiedField = { own: "state", wire: "state", form: state("upper") };

export function spExtended(live: string): UnifiedField[] {
  return [
    { own: "extendedData.creationDateTime", wire: "creationDateTime", sent: "never" },
    { own: "extendedData.lastUpdateDateTime", wire: "lastUpdatedDateTime", sent: "never" },
    { own: "extendedData.servingStatus", wire: "status", form: servingStatus(live), sent: "never" },
    {
      own: "extendedData.servingStatusDetails",
      wire: "status.deliveryReasons",
      form: SERVING_DETAILS,
      sent: "never",
    },
  ];
}

export const spCampaignsUnified: ResourceWire = unifiedWire({
  adProduct: "SPONSORED_PRODUCTS",
  entity: "campaigns",
  operations: ["v1-sp-campaigns:SP", "Campaign"],
  fields: [
    { own: "campaignId", wire: "campaignId" },
    { own: "name", wire: "name" },
    STATE,
    {
      own: "targetingType",
      wire: "autoCreationSettings.autoCreateTargets",
      form: words("targetingType", { AUTO: true, MANUAL: false }),
      sent: "create",
    },
    { own: "budget", wire: "budgets", form: SP_BUDGET },
    { own: "startDate", wire: "startDateTime", form: day("start") },
    { own: "endDate", wire: "endDateTime", form: day("end"), clearable: true },
    { own: "dynamicBidding", wire: "optimizations.bidSettings", form: SP_BIDDING },
    { own: "portfolioId", wire: "portfolioId", clearable: true },
    TAGS,
    { own: "siteRestrictions", wire: "siteRestrictions" },
    {
      own: "offPlatformSettings.offPlatformBudgetControlStrategy",
      wire: "optimizations.budgetSettings.offPlatformBudgetControlStrategy",
    },
    { own: "globalCampaignId", wire: "globalCampaignId", sent: "never" },
  ],
  extendedFields: spExtended("CAMPAIGN_STATUS_ENABLED"),
  defaults: newCampaign,
  renamedFilters: { portfolioIdFilter: "portfolioIdFilter" },
  limits: LIMITS,
});

export const spAdGroupsUnified: ResourceWire = unifiedWire({
  adProduct: "SPONSORED_PRODUCTS",
  entity: "adGroups",
  operations: ["v1-sp-ad-groups:SP", "AdGroup"],
  fields: [
    { own: "adGroupId", wire: "adGroupId" },
    { own: "campaignId", wire: "campaignId", sent: "create" },
    { own: "name", wire: "name" },
    STATE,
    { own: "defaultBid", wire: "bid.defaultBid" },
    TAGS,
    { own: "globalAdGroupId", wire: "globalAdGroupId", sent: "never" },
  ],
  extendedFields: spExtended("AD_GROUP_STATUS_ENABLED"),
  limits: LIMITS,
});

const PRODUCT = "creative.productCreative.productCreativeSettings.advertisedProduct";

export const spProductAdsUnified: ResourceWire = unifiedWire({
  adProduct: "SPONSORED_PRODUCTS",
  entity: "ads",
  operations: ["v1-sp-ads:SP", "Ad"],
  fields: [
    { own: "adId", wire: "adId" },
    { own: "campaignId", wire: "campaignId", sent: "implied" },
    { own: "adGroupId", wire: "adGroupId", sent: "create" },
    STATE,
    { own: "asin", wire: PRODUCT, form: product("ASIN"), sent: "create" },
    { own: "sku", wire: PRODUCT, form: product("SKU"), sent: "create" },
    {
      own: "customText",
      wire: "creative.productCreative.productCreativeSettings.headline",
      sent: "create",
    },
    {
      own: "globalStoreSetting.catalogSourceCountryCode",
      wire: `${PRODUCT}.globalStoreSetting.catalogSourceMarketplace`,
      form: {
        toWire: (value) => value === "UK" ? "GB" : value,
        toOwn: (value) => value === "GB" ? "UK" : value,
      },
      sent: "create",
    },
    TAGS,
    { own: "globalAdId", wire: "globalAdId", sent: "never" },
  ],
  constants: { adType: "PRODUCT_AD" },
  check: ({ asin, sku }, op) =>
    op === "create" && asin !== undefined && sku !== undefined
      ? [{
        field: "asin",
        message: "The unified family takes one product for each ad: give sku for a seller, asin otherwise",
      }]
      : [],
  extendedFields: spExtended("AD_STATUS_LIVE"),
  limits: { ...LIMITS, ids: 100 },
});

function product(type: "ASIN" | "SKU"): UnifiedForm {
  return {
    toWire: (value) => ({ productId: value, productIdType: type }),
    toOwn: (value) => {
      const { productId, productIdType, resolvedProductId, resolvedProductIdType } = fieldsOf(value);
      if (productIdType === type) return productId;
      return resolvedProductIdType === type ? resolvedProductId : undefined;
    },
  };
}

interface TargetKind {
  readonly negative: boolean;
  readonly level: "AD_GROUP" | "CAMPAIGN";
}

const TARGET_LIMITS = { ...LIMITS, ids: 100 };
const NEGATIVE = words("matchType", {
  NEGATIVE_EXACT: "EXACT",
  NEGATIVE_PHRASE: "PHRASE",
  NEGATIVE_BROAD: "BROAD",
});
const POSITIVE = words("matchType", { EXACT: "EXACT", PHRASE: "PHRASE", BROAD: "BROAD" });
function placeFields({ level }: TargetKind): UnifiedField[] {
  if (level === "CAMPAIGN") return [{ own: "campaignId", wire: "campaignId", sent: "create" }];
  return [
    { own: "campaignId", wire: "campaignId", sent: "implied" },
    { own: "adGroupId", wire: "adGroupId", sent: "create" },
  ];
}

function bidFields({ negative }: TargetKind): UnifiedField[] {
  return negative ? [] : [{ own: "bid", wire: "bid.bid", clearable: true }];
}

function targetKind(place: TargetKind, types: readonly string[]): Pick<
  UnifiedKind,
  "adProduct" | "entity" | "operations" | "extendedFields" | "filters" | "accepts" | "limits"
> {
  const { negative, level } = place;
  return {
    adProduct: "SPONSORED_PRODUCTS",
    entity: "targets",
    operations: ["v1-sp-targets:SP", "Target"],
    extendedFields: spExtended("TARGETING_CLAUSE_STATUS_LIVE"),
    filters: { negativeFilter: { include: [negative] }, targetTypeFilter: { include: types } },
    // There is no filter for the level: targets of campaigns and ad groups come together.
    accepts: (one) =>
      one["targetLevel"] === level && one["negative"] === negative &&
      types.includes(String(one["targetType"])),
    limits: TARGET_LIMITS,
  };
}

function keywords(place: TargetKind): ResourceWire {
  return unifiedWire({
    ...targetKind(place, ["KEYWORD"]),
    fields: [
      { own: "keywordId", wire: "targetId" },
      ...placeFields(place),
      STATE,
      { own: "keywordText", wire: "targetDetails.keywordTarget.keyword", sent: "create" },
      {
        own: "matchType",
        wire: "targetDetails.keywordTarget.matchType",
        form: place.negative ? NEGATIVE : POSITIVE,
        sent: "create",
      },
      {
        own: "nativeLanguageKeyword",
        wire: "targetDetails.keywordTarget.nativeLanguageKeyword",
        sent: "create",
      },
      {
        own: "nativeLanguageLocale",
        wire: "targetDetails.keywordTarget.nativeLanguageLocale",
        form: LOCALE,
        sent: "create",
      },
      ...bidFields(place),
      TAGS,
      { own: "globalKeywordId", wire: "globalTargetId", sent: "never" },
    ],
    constants: { negative: place.negative, targetType: "KEYWORD" },
    renamedFilters: { keywordTextFilter: "keywordFilter" },
  });
}

function targets(place: TargetKind): ResourceWire {
  const { negative } = place;
  return unifiedWire({
    ...targetKind(
      place,
      negative ? ["PRODUCT", "PRODUCT_CATEGORY"] : ["PRODUCT", "PRODUCT_CATEGORY", "THEME"],
    ),
    fields: [
      { own: "targetId", wire: "targetId" },
      ...placeFields(place),
      STATE,
      { own: "expression", wire: "", form: expression({ negative }), sent: "create" },
      { own: "resolvedExpression", wire: "", form: resolvedExpression({ negative }), sent: "never" },
      ...(negative
        ? []
        : [{ own: "expressionType", wire: "", form: EXPRESSION_TYPE, sent: "create" } as const]),
      ...bidFields(place),
      TAGS,
      { own: "globalTargetId", wire: "globalTargetId", sent: "never" },
    ],
    constants: { negative },
    renamedFilters: { asinFilter: "productIdFilter" },
  });
}

export const spKeywordsUnified: ResourceWire = keywords({ negative: false, level: "AD_GROUP" });
export const spNegativeKeywordsUnified: ResourceWire = keywords({ negative: true, level: "AD_GROUP" });
export const spCampaignNegativeKeywordsUnified: ResourceWire = keywords({
  negative: true,
  level: "CAMPAIGN",
});
export const spTargetsUnified: ResourceWire = targets({ negative: false, level: "AD_GROUP" });
export const spNegativeTargetsUnified: ResourceWire = targets({ negative: true, level: "AD_GROUP" });
export const spCampaignNegativeTargetsUnified: ResourceWire = targets({ negative: true, level: "CAMPAIGN" });
