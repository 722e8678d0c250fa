import { fieldsOf } from "../../../../base/json/fields_of.ts";
import type { Fields, ResourceWire } from "../../model/resource_wire.ts";
import {
  AMOUNT,
  day,
  LOCALE,
  MILLISECONDS,
  newCampaign,
  placements,
  SERVING_DETAILS,
  servingStatus,
  state,
  TAGS,
  typedBudget,
  words,
} from "./forms.ts";
import { expression } from "./expression_form.ts";
import { audienceList, cohortList } from "./sp_forms.ts";
import { NotOnWire, type UnifiedField, type UnifiedForm } from "./unified_field.ts";
import type { UnifiedKind } from "./unified_kind.ts";
import { unifiedWire } from "./unified_wire.ts";

/** Limits of Brands, whose documented batch size is smaller than that of other products. */
export const SB_UNIFIED_LIMITS: UnifiedKind["limits"] = {
  write: 10,
  archive: 10,
  page: 100,
  ids: 10,
  campaignIds: 100,
  adGroupIds: 100,
  states: 3,
};
const TARGET_LIMITS = { ...SB_UNIFIED_LIMITS, write: 1000, archive: 1000, page: 5000, ids: 100 };
const STATE: UnifiedField = { own: "state", wire: "state", form: state("upper") };

export function sbExtended(live: string): UnifiedField[] {
  return [
    { own: "extendedData.creationDate", wire: "creationDateTime", form: MILLISECONDS, sent: "never" },
    { own: "extendedData.lastUpdateDate", wire: "lastUpdatedDateTime", form: MILLISECONDS, sent: "never" },
    { own: "extendedData.servingStatus", wire: "status", form: servingStatus(live), sent: "never" },
    {
      own: "extendedData.servingStatusDetails",
      wire: "status.deliveryReasons",
      form: SERVING_DETAILS,
      sent: "never",
    },
  ];
}

const PLACEMENTS = placements({
  TOP_OF_SEARCH: "TOP_OF_SEARCH",
  DETAIL_PAGE: "PRODUCT_PAGE",
  HOME: "HOME_PAGE",
  OTHER: "REST_OF_SEARCH",
});

/** Bidding of Brands. Goals of the platform's own optimization cannot be expressed and are rejected. */
const BIDDING: UnifiedForm = {
  toWire: (value, place, op) => {
    const {
      bidOptimization,
      bidOptimizationStrategy,
      bidAdjustmentsByPlacement,
      shopperCohortBidAdjustments,
      ...others
    } = fieldsOf(value);
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) throw new NotOnWire(`The unified family has no field for bidding.${unknown}`);
    if (bidOptimizationStrategy !== undefined && bidOptimizationStrategy !== "MAXIMIZE_IMMEDIATE_SALES") {
      throw new NotOnWire(
        `The unified family has no word for bidding.bidOptimizationStrategy ${
          JSON.stringify(bidOptimizationStrategy)
        }`,
      );
    }
    const isUp = bidOptimization ?? (bidOptimizationStrategy === undefined ? undefined : true);
    const adjustments = {
      ...(bidAdjustmentsByPlacement === undefined
        ? {}
        : { placementBidAdjustments: PLACEMENTS.toWire(bidAdjustmentsByPlacement, place, op) }),
      ...(shopperCohortBidAdjustments === undefined
        ? {}
        : { audienceBidAdjustments: audienceList(shopperCohortBidAdjustments) }),
    };
    return {
      ...(isUp === undefined ? {} : { bidStrategy: isUp ? "SALES_UP_AND_DOWN" : "MANUAL" }),
      ...(Object.keys(adjustments).length === 0 ? {} : { bidAdjustments: adjustments }),
    };
  },
  toOwn: (value, place) => {
    const { bidStrategy, bidAdjustments } = fieldsOf(value);
    const { placementBidAdjustments, audienceBidAdjustments } = fieldsOf(bidAdjustments);
    const cohorts = cohortList(audienceBidAdjustments);
    const adjustments = PLACEMENTS.toOwn(placementBidAdjustments, place);
    return {
      ...(bidStrategy === undefined ? {} : { bidOptimization: bidStrategy === "SALES_UP_AND_DOWN" }),
      ...(adjustments === undefined ? {} : { bidAdjustmentsByPlacement: adjustments }),
      ...(cohorts.length === 0 ? {} : { shopperCohortBidAdjustments: cohorts }),
    };
  },
};

const GOAL: UnifiedForm = {
  toWire: (value) => {
    if (value === "PAGE_VISIT") return { kpi: "CLICKS" };
    if (value === "BRAND_IMPRESSION_SHARE") return { kpi: "TOP_OF_SEARCH_IMPRESSION_SHARE" };
    throw new NotOnWire(
      `The unified family has no word for goal ${
        JSON.stringify(value)
      }: it knows PAGE_VISIT, BRAND_IMPRESSION_SHARE`,
    );
  },
  toOwn: (value) => {
    const { goal, kpi } = fieldsOf(value);
    if (goal === undefined && kpi === undefined) return undefined;
    return goal === "AWARENESS" || kpi === "TOP_OF_SEARCH_IMPRESSION_SHARE"
      ? "BRAND_IMPRESSION_SHARE"
      : "PAGE_VISIT";
  },
};

const SMART_DEFAULT: UnifiedForm = {
  toWire: (value) => {
    const wanted = Array.isArray(value) ? value : [];
    const other = wanted.find((one) => one !== "TARGETING");
    if (other === undefined) return wanted.length > 0;
    throw new NotOnWire(
      `The unified family has no smartDefault ${JSON.stringify(other)}: it knows TARGETING`,
    );
  },
  toOwn: (value) => value === true ? ["TARGETING"] : undefined,
};

/** Unified wire of Brands campaigns. Every budget update must repeat the period. */
export const sbCampaignsUnified: ResourceWire = unifiedWire({
  adProduct: "SPONSORED_BRANDS",
  entity: "campaigns",
  operations: ["v1-sb-campaigns:SB", "Campaign"],
  fields: [
    { own: "campaignId", wire: "campaignId" },
    { own: "name", wire: "name" },
    STATE,
    { own: "budget", wire: `${AMOUNT}.value` },
    {
      own: "budgetType",
      wire: "budgets[0].recurrenceTimePeriod",
      form: words("budgetType", { DAILY: "DAILY", LIFETIME: "LIFETIME" }),
    },
    { own: "ruleBasedBudget.value", wire: `${AMOUNT}.ruleValue`, sent: "never" },
    { own: "startDate", wire: "startDateTime", form: day("start") },
    { own: "endDate", wire: "endDateTime", form: day("end"), clearable: true },
    { own: "bidding", wire: "optimizations.bidSettings", form: BIDDING },
    { own: "goal", wire: "optimizations.goalSettings", form: GOAL, sent: "create" },
    { own: "kpi", wire: "optimizations.goalSettings.kpi", sent: "create" },
    { own: "costType", wire: "costType", sent: "create" },
    { own: "brandEntityId", wire: "brandId", sent: "create" },
    { own: "portfolioId", wire: "portfolioId", clearable: true },
    {
      own: "productLocation",
      wire: "salesChannel",
      form: words("productLocation", { SOLD_ON_PLATFORM: "PLATFORM", NOT_SOLD_ON_PLATFORM: "OFF_PLATFORM" }),
      sent: "create",
    },
    { own: "isMultiAdGroupsEnabled", wire: "isMultiAdGroupsEnabled", sent: "never" },
    { own: "siteRestrictions", wire: "siteRestrictions", sent: "create" },
    {
      own: "smartDefault",
      wire: "autoCreationSettings.autoCreateTargets",
      form: SMART_DEFAULT,
      sent: "create",
    },
    TAGS,
  ],
  extendedFields: sbExtended("CAMPAIGN_STATUS_ENABLED"),
  defaults: (place) => ({ ...newCampaign(place), costType: "CPC" }),
  finish: typedBudget,
  check: ({ goal, kpi }, op) =>
    op === "create" && goal !== undefined && kpi !== undefined &&
      (goal === "PAGE_VISIT") !== (kpi === "CLICKS")
      ? [{ field: "kpi", message: `The unified family has one field for goal ${goal} and kpi ${kpi}` }]
      : [],
  repeats: (update) => update["budget"] === undefined ? {} : { budgetType: "DAILY" },
  renamedFilters: { portfolioIdFilter: "portfolioIdFilter" },
  limits: SB_UNIFIED_LIMITS,
});

export const sbAdGroupsUnified: ResourceWire = unifiedWire({
  adProduct: "SPONSORED_BRANDS",
  entity: "adGroups",
  operations: ["v1-sb-ad-groups:SB", "AdGroup"],
  fields: [
    { own: "adGroupId", wire: "adGroupId" },
    { own: "campaignId", wire: "campaignId", sent: "create" },
    { own: "name", wire: "name" },
    STATE,
    TAGS,
  ],
  extendedFields: sbExtended("AD_GROUP_STATUS_ENABLED"),
  limits: { ...SB_UNIFIED_LIMITS, ids: 100 },
});

const WORDS = words("matchType", { broad: "BROAD", exact: "EXACT", phrase: "PHRASE" });
const NEGATIVE_WORDS = words("matchType", { negativeExact: "EXACT", negativePhrase: "PHRASE" });

function targets(
  { negative, types, fields }: {
    negative: boolean;
    types: readonly string[];
    fields: readonly UnifiedField[];
  },
): ResourceWire {
  return unifiedWire({
    adProduct: "SPONSORED_BRANDS",
    entity: "targets",
    operations: ["v1-sb-targets:SB", "Target"],
    fields: [
      ...fields,
      { own: "campaignId", wire: "campaignId", sent: "implied" },
      { own: "adGroupId", wire: "adGroupId", sent: "place" },
      { own: "state", wire: "state", form: state("lower") },
      ...(negative ? [] : [{ own: "bid", wire: "bid.bid" }]),
    ],
    constants: { negative, ...(types[0] === "KEYWORD" ? { targetType: "KEYWORD" } : {}) },
    // New ones are enabled at once on the older wire, which takes no state for them.
    defaults: () => ({ state: "ENABLED" }),
    filters: { negativeFilter: { include: [negative] }, targetTypeFilter: { include: types } },
    accepts: (one: Fields) => one["negative"] === negative && types.includes(String(one["targetType"])),
    limits: TARGET_LIMITS,
  });
}

function keywords(negative: boolean): ResourceWire {
  const keyword = "targetDetails.keywordTarget";
  return targets({
    negative,
    types: ["KEYWORD"],
    fields: [
      { own: "keywordId", wire: "targetId" },
      { own: "keywordText", wire: `${keyword}.keyword`, sent: "create" },
      {
        own: "matchType",
        wire: `${keyword}.matchType`,
        form: negative ? NEGATIVE_WORDS : WORDS,
        sent: "create",
      },
      { own: "nativeLanguageKeyword", wire: `${keyword}.nativeLanguageKeyword`, sent: "create" },
      { own: "nativeLanguageLocale", wire: `${keyword}.nativeLanguageLocale`, form: LOCALE, sent: "create" },
    ],
  });
}

function products(negative: boolean): ResourceWire {
  const form = expression({ negative, family: "brands" });
  return targets({
    negative,
    types: ["PRODUCT", "PRODUCT_CATEGORY"],
    fields: [
      { own: "targetId", wire: "targetId" },
      { own: "expressions", wire: "", form, sent: "create" },
      { own: "resolvedExpressions", wire: "", form: { ...form, toWire: () => undefined }, sent: "never" },
    ],
  });
}

export const sbKeywordsUnified: ResourceWire = keywords(false);
export const sbNegativeKeywordsUnified: ResourceWire = keywords(true);
/** Unified wire of Brands targets. Resolved names are not documented for Brands, so ids are used instead. */
export const sbTargetsUnified: ResourceWire = products(false);
export const sbNegativeTargetsUnified: ResourceWire = products(true);
