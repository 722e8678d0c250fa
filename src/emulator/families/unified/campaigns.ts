import { BRANDS_CAMPAIGNS } from "../sponsored_brands/campaigns.ts";
import { type Json, type JsonObject, objectsIn } from "../../core/json.ts";
import { idsIn, termsLike } from "../../entities/filter.ts";
import { CAMPAIGNS } from "../sponsored_products/campaigns.ts";
import {
  choice,
  type Field,
  type Fields,
  FLAG,
  list,
  number,
  object,
  optional,
  required,
  text,
} from "../../entities/shape.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import {
  AD_PRODUCT,
  AMOUNT,
  audienceOf,
  back,
  budgetList,
  budgetOf,
  budgets,
  commonFields,
  commonFilters,
  dayToMoment,
  defined,
  ID,
  momentToDay,
  part,
  STATE,
  TAGS,
  tagsToList,
  tagsToObject,
} from "./common.ts";
import { productEngine } from "./engine.ts";
import { DISPLAY_CAMPAIGNS_SOURCE } from "./display.ts";
import type { UnifiedKind, UnifiedSource } from "./unified_kind.ts";

type Names = Readonly<Record<string, string>>;

const PRODUCT_PLACEMENTS: Names = {
  TOP_OF_SEARCH: "PLACEMENT_TOP",
  PRODUCT_PAGE: "PLACEMENT_PRODUCT_PAGE",
  REST_OF_SEARCH: "PLACEMENT_REST_OF_SEARCH",
  SITE_PLATFORM_BUSINESS: "SITE_PLATFORM_BUSINESS",
};
const BRAND_PLACEMENTS: Names = {
  TOP_OF_SEARCH: "TOP_OF_SEARCH",
  PRODUCT_PAGE: "DETAIL_PAGE",
  REST_OF_SEARCH: "OTHER",
  HOME_PAGE: "HOME",
};
const STRATEGIES: Names = {
  SALES_DOWN_ONLY: "LEGACY_FOR_SALES",
  SALES_UP_AND_DOWN: "AUTO_FOR_SALES",
  MANUAL: "MANUAL",
  RULE_BASED: "RULE_BASED",
};
const CHANNELS: Names = { PLATFORM: "SOLD_ON_PLATFORM", OFF_PLATFORM: "NOT_SOLD_ON_PLATFORM" };
const FIELD_NAMES: Names = {
  "budget": AMOUNT,
  "budget.budget": AMOUNT,
  startDate: "startDateTime",
  endDate: "endDateTime",
  bidding: "optimizations.bidSettings",
  dynamicBidding: "optimizations.bidSettings",
};

function optimizations(
  strategies: readonly string[],
  { placements, ...more }: { placements: Names; adjustments: Fields; settings: Fields },
): Field {
  const adjustment = object({
    placement: required(choice(...Object.keys(placements))),
    percentage: required(number({ low: -99, high: 900, whole: true })),
  });
  return optional(object({
    bidSettings: optional(object({
      bidStrategy: optional(choice(...strategies)),
      bidAdjustments: optional(object({
        placementBidAdjustments: optional(list(adjustment, 4)),
        ...more.adjustments,
      })),
    })),
    ...more.settings,
  }));
}

const SHARED: Fields = { endDateTime: optional(text()), portfolioId: optional(ID), tags: TAGS };
const NEW: Fields = {
  adProduct: AD_PRODUCT,
  name: required(text()),
  state: required(STATE),
  startDateTime: required(text()),
  marketplaceScope: required(choice("SINGLE_MARKETPLACE")),
  marketplaces: optional(list(text(), 1)),
  countries: optional(list(text(), 1)),
};
const CHANGED: Fields = {
  campaignId: required(ID),
  name: optional(text()),
  state: optional(STATE),
  startDateTime: optional(text()),
};
const CREATION = object({ autoCreateTargets: required(FLAG), autoManageCampaign: optional(FLAG) });
const SITES: Field = optional(list(choice("PLATFORM_BUSINESS", "PLATFORM_HAUL"), 1));
const PRODUCT_BUDGETS = budgets("DAILY");
const BRAND_BUDGETS = budgets("DAILY", "LIFETIME");
const AUDIENCE = object({
  audienceId: required(text({ min: 1, max: 20 })),
  percentage: required(number({ low: 0, high: 900, whole: true })),
});
const CONTROL = object({
  offPlatformBudgetControlStrategy: optional(choice("MAXIMIZE_REACH", "MINIMIZE_SPEND")),
});
const PRODUCT_OPTIMIZATIONS = optimizations(Object.keys(STRATEGIES), {
  placements: PRODUCT_PLACEMENTS,
  adjustments: { audienceBidAdjustments: optional(list(AUDIENCE, 1)) },
  settings: { budgetSettings: optional(CONTROL) },
});
const BRAND_OPTIMIZATIONS = optimizations(["MANUAL", "SALES_UP_AND_DOWN"], {
  placements: BRAND_PLACEMENTS,
  adjustments: { audienceBidAdjustments: optional(list(AUDIENCE, 1)) },
  settings: { goalSettings: optional(object({ kpi: optional(text()) })) },
});

export const PRODUCT_CAMPAIGNS: UnifiedSource = {
  adProduct: "SPONSORED_PRODUCTS",
  collection: "sp.campaigns",
  ownTags: true,
  createFields: {
    ...SHARED,
    ...NEW,
    budgets: required(PRODUCT_BUDGETS),
    autoCreationSettings: required(CREATION),
    optimizations: PRODUCT_OPTIMIZATIONS,
    siteRestrictions: SITES,
  },
  updateFields: {
    ...SHARED,
    ...CHANGED,
    budgets: optional(PRODUCT_BUDGETS),
    optimizations: PRODUCT_OPTIMIZATIONS,
    siteRestrictions: SITES,
  },
  engine: productEngine(CAMPAIGNS, FIELD_NAMES),
  toDraft: (item, profile) => ({
    ...productFields(item, {}, profile),
    targetingType: part(item, "autoCreationSettings").autoCreateTargets === true ? "AUTO" : "MANUAL",
  }),
  toPatch: (item, before, profile) => ({
    campaignId: item.campaignId,
    ...productFields(item, before, profile),
  }),
  toUnified: unifiedProductCampaign,
};

export const UNIFIED_CAMPAIGNS: UnifiedKind = {
  entity: "campaigns",
  singular: "campaign",
  idField: "campaignId",
  filters: {
    ...commonFilters("campaignId"),
    nameFilter: termsLike((campaign) => [String(campaign.name)], { max: 100, typeRequired: true }),
    portfolioIdFilter: idsIn("portfolioId", 100),
  },
  sources: [
    PRODUCT_CAMPAIGNS,
    {
      adProduct: "SPONSORED_BRANDS",
      collection: "sb.campaigns",
      ownTags: true,
      createFields: {
        ...SHARED,
        ...NEW,
        budgets: required(BRAND_BUDGETS),
        costType: required(choice("CPC", "CPM", "FIXED_PRICE", "VCPM")),
        brandId: optional(text()),
        autoCreationSettings: optional(CREATION),
        salesChannel: optional(choice(...Object.keys(CHANNELS))),
        optimizations: BRAND_OPTIMIZATIONS,
        siteRestrictions: optional(list(choice("PLATFORM_BUSINESS"), 1)),
      },
      updateFields: {
        ...SHARED,
        ...CHANGED,
        budgets: optional(BRAND_BUDGETS),
        optimizations: BRAND_OPTIMIZATIONS,
      },
      engine: productEngine(BRANDS_CAMPAIGNS, FIELD_NAMES),
      toDraft: brandDraft,
      toPatch: (item, before, profile) => ({
        campaignId: item.campaignId,
        ...brandFields(item, before, profile),
      }),
      toUnified: unifiedBrandCampaign,
    },
    DISPLAY_CAMPAIGNS_SOURCE,
  ],
};

function sharedFields(item: JsonObject, profile: ProfileState): JsonObject {
  return defined({
    name: item.name,
    state: item.state,
    portfolioId: item.portfolioId,
    siteRestrictions: item.siteRestrictions,
    startDate: momentToDay(item.startDateTime, profile),
    endDate: momentToDay(item.endDateTime, profile),
    tags: tagsToObject(item.tags),
  });
}

function cohortsOf(audiences: readonly JsonObject[] | undefined): JsonObject[] | undefined {
  return audiences?.map(({ audienceId, percentage }) => ({
    shopperCohortType: "AUDIENCE_SEGMENT",
    percentage: percentage!,
    audienceSegments: [{ audienceId: audienceId! }],
  }));
}

function productFields(item: JsonObject, before: JsonObject, profile: ProfileState): JsonObject {
  const { bidStrategy, adjustments, audiences } = bidSettings(item);
  const changed = defined({
    strategy: STRATEGIES[String(bidStrategy)],
    placementBidding: adjustments?.map(({ placement, percentage }) => ({
      placement: PRODUCT_PLACEMENTS[String(placement)]!,
      percentage: percentage!,
    })),
    shopperCohortBidding: cohortsOf(audiences),
  });
  const control = part(item, "optimizations", "budgetSettings");
  const bidding = Object.keys(changed).length === 0
    ? {}
    : { dynamicBidding: { ...part(before, "dynamicBidding"), ...changed } };
  const budget = budgetOf(item);
  const budgetType = part(before, "budget").budgetType ?? "DAILY";
  return {
    ...sharedFields(item, profile),
    ...bidding,
    ...(Object.keys(control).length === 0 ? {} : { offPlatformSettings: control }),
    ...(budget === undefined ? {} : { budget: { budget: budget.value, budgetType } }),
  };
}

function brandFields(item: JsonObject, before: JsonObject, profile: ProfileState): JsonObject {
  const { bidStrategy, adjustments, audiences } = bidSettings(item);
  const changed = defined({
    shopperCohortBidAdjustments: cohortsOf(audiences),
    bidOptimization: bidStrategy === undefined ? undefined : bidStrategy === "SALES_UP_AND_DOWN",
    bidAdjustmentsByPlacement: adjustments?.map(({ placement, percentage }) => ({
      placement: BRAND_PLACEMENTS[String(placement)]!,
      percentage: percentage!,
    })),
  });
  const budget = budgetOf(item);
  return {
    ...sharedFields(item, profile),
    ...(Object.keys(changed).length === 0 ? {} : { bidding: { ...part(before, "bidding"), ...changed } }),
    ...(budget === undefined ? {} : { budget: budget.value }),
  };
}

/** Omits the default cost type, because author accounts must not set it and the platform fills it in. */
function brandDraft(item: JsonObject, profile: ProfileState): JsonObject {
  const { kpi } = part(item, "optimizations", "goalSettings");
  return {
    ...brandFields(item, {}, profile),
    ...defined({
      budgetType: budgetOf(item)?.period,
      brandEntityId: item.brandId,
      costType: item.costType === "CPC" ? undefined : item.costType,
      kpi,
      goal: kpi === "TOP_OF_SEARCH_IMPRESSION_SHARE" ? "BRAND_IMPRESSION_SHARE" : undefined,
      productLocation: CHANNELS[String(item.salesChannel)],
      smartDefault: part(item, "autoCreationSettings").autoCreateTargets === true ? ["TARGETING"] : undefined,
    }),
  };
}

function unifiedProductCampaign(entity: JsonObject, profile: ProfileState): JsonObject {
  const { budget, budgetType } = part(entity, "budget");
  const { strategy, placementBidding, shopperCohortBidding } = part(entity, "dynamicBidding");
  const cohorts = objectsIn(shopperCohortBidding) ?? [];
  const budgetSettings = part(entity, "offPlatformSettings");
  return defined({
    ...campaignFields(entity, "SPONSORED_PRODUCTS", profile),
    globalCampaignId: entity.globalCampaignId,
    budgets: budgetList(budget, budgetType, profile),
    autoCreationSettings: { autoCreateTargets: entity.targetingType === "AUTO" },
    optimizations: {
      bidSettings: defined({
        bidStrategy: back(STRATEGIES, strategy),
        bidAdjustments: {
          placementBidAdjustments: adjustmentList(placementBidding, PRODUCT_PLACEMENTS),
          ...(cohorts.length === 0 ? {} : { audienceBidAdjustments: cohorts.map(audienceOf) }),
        },
      }),
      ...(Object.keys(budgetSettings).length === 0 ? {} : { budgetSettings }),
    },
  });
}

function unifiedBrandCampaign(entity: JsonObject, profile: ProfileState): JsonObject {
  const { bidOptimization, bidAdjustmentsByPlacement, shopperCohortBidAdjustments } = part(entity, "bidding");
  const cohorts = objectsIn(shopperCohortBidAdjustments) ?? [];
  return defined({
    ...campaignFields(entity, "SPONSORED_BRANDS", profile),
    budgets: budgetList(entity.budget, entity.budgetType, profile),
    brandId: entity.brandEntityId,
    costType: entity.costType,
    salesChannel: entity.productLocation === undefined
      ? undefined
      : back(CHANNELS, entity.productLocation) ?? "OFF_PLATFORM",
    isMultiAdGroupsEnabled: entity.isMultiAdGroupsEnabled,
    autoCreationSettings: Array.isArray(entity.smartDefault)
      ? { autoCreateTargets: entity.smartDefault.includes("TARGETING") }
      : undefined,
    optimizations: {
      bidSettings: {
        bidStrategy: bidOptimization === true ? "SALES_UP_AND_DOWN" : "MANUAL",
        bidAdjustments: {
          placementBidAdjustments: adjustmentList(bidAdjustmentsByPlacement, BRAND_PLACEMENTS),
          ...(cohorts.length === 0 ? {} : { audienceBidAdjustments: cohorts.map(audienceOf) }),
        },
      },
      goalSettings: defined({
        kpi: entity.kpi,
        goal: entity.goal === "BRAND_IMPRESSION_SHARE" ? "AWARENESS" : "CONSIDERATION",
      }),
    },
  });
}

function campaignFields(
  entity: JsonObject,
  adProduct: "SPONSORED_PRODUCTS" | "SPONSORED_BRANDS",
  profile: ProfileState,
): JsonObject {
  return {
    campaignId: entity.campaignId,
    name: entity.name,
    ...commonFields(entity, { adProduct, noun: "CAMPAIGN" }, profile),
    startDateTime: dayToMoment(entity.startDate, "start", profile),
    endDateTime: dayToMoment(entity.endDate, "end", profile),
    portfolioId: entity.portfolioId,
    siteRestrictions: entity.siteRestrictions,
    tags: tagsToList(entity.tags),
  };
}

function bidSettings(
  item: JsonObject,
): Record<"adjustments" | "audiences", JsonObject[] | undefined> & { bidStrategy: Json | undefined } {
  const { bidStrategy } = part(item, "optimizations", "bidSettings");
  const { placementBidAdjustments, audienceBidAdjustments } = part(
    item,
    "optimizations",
    "bidSettings",
    "bidAdjustments",
  );
  const listOf = (value: Json | undefined) => objectsIn(value);
  return {
    bidStrategy,
    adjustments: listOf(placementBidAdjustments),
    audiences: listOf(audienceBidAdjustments),
  };
}

function adjustmentList(adjustments: Json | undefined, names: Names): JsonObject[] {
  const known = objectsIn(adjustments) ?? [];
  return known.map(({ placement, percentage }) => ({ placement: back(names, placement), percentage }));
}
