import { isObject, type JsonObject, objectsIn } from "../../core/json.ts";
import { valuesIn } from "../../entities/filter.ts";
import {
  choice,
  type Fields,
  FLAG,
  list,
  number,
  object,
  optional,
  required,
  text,
} from "../../entities/shape.ts";
import { UNIFIED_AD_GROUPS } from "./ad_groups.ts";
import { UNIFIED_ADS } from "./ads.ts";
import { PRODUCT_CAMPAIGNS, UNIFIED_CAMPAIGNS } from "./campaigns.ts";
import { defined, ID, momentToDay, part, STATE, TAGS } from "./common.ts";
import type { Copy, GlobalKind } from "./global_kind.ts";
import {
  amountsOf,
  configurations,
  GLOBAL_CREATE_FIELDS,
  GLOBAL_UPDATE_FIELDS,
  MARKETPLACE,
  MAX_MARKETPLACES,
} from "./global_shape.ts";
import { GLOBAL_LIMITS } from "./limits.ts";
import { refinementShape } from "./target_details.ts";
import { UNIFIED_TARGETS } from "./targets.ts";
import type { UnifiedKind, UnifiedSource } from "./unified_kind.ts";

export const GLOBAL_CAMPAIGNS: GlobalKind = {
  unified: {
    ...UNIFIED_CAMPAIGNS,
    filters: {
      ...UNIFIED_CAMPAIGNS.filters,
      marketplaceScopeFilter: valuesIn("marketplaceScope", 1, ["GLOBAL"]),
    },
  },
  noun: "CAMPAIGN",
  collection: "sp.global_campaigns",
  limits: GLOBAL_LIMITS.campaigns!,
  globalId: () => "globalCampaignId",
  sourceOf: () => PRODUCT_CAMPAIGNS,
  createFields: GLOBAL_CREATE_FIELDS,
  updateFields: GLOBAL_UPDATE_FIELDS,
  copied: [
    "name",
    "state",
    "startDateTime",
    "endDateTime",
    "portfolioId",
    "siteRestrictions",
    "tags",
    "optimizations",
  ],
  kept: ["autoCreationSettings"],
  nullable: ["endDateTime", "portfolioId"],
  countriesOf: (item) => [...amountsOf(item).keys()],
  valueIn: (item, marketplace) => {
    const value = amountsOf(item).get(marketplace);
    return value === undefined ? undefined : { budgets: budgetOf(value) };
  },
  valued: (item) => [...amountsOf(item).keys()],
  needs: { field: "budgets[0].budgetValue.monetaryBudgetValue.marketplaceSettings", what: "A budget" },
  shownValues: (copies) => ({
    budgets: [{
      budgetType: "MONETARY",
      recurrenceTimePeriod: "DAILY",
      budgetValue: {
        monetaryBudgetValue: {
          marketplaceSettings: copies.map(({ marketplace, entity, profile }) => ({
            marketplace,
            monetaryBudget: {
              currencyCode: profile.record.currencyCode,
              value: part(entity, "budget").budget ?? 0,
            },
          })),
        },
      },
    }],
  }),
  differences: (whole, { profile, entity, shown, own }) => {
    const isOwnDay = (moment: "startDateTime" | "endDateTime", day: unknown): boolean =>
      day !== undefined && momentToDay(whole[moment], profile) !== day;
    return {
      ...(isOwnDay("startDateTime", entity.startDate) ? { startDateTime: shown.startDateTime! } : {}),
      ...(isOwnDay("endDateTime", entity.endDate) ? { endDateTime: shown.endDateTime! } : {}),
      ...(isObject(own.optimizations) ? { optimizations: part(shown, "optimizations") } : {}),
    };
  },
};

function budgetOf(value: number): JsonObject[] {
  return [{
    budgetType: "MONETARY",
    recurrenceTimePeriod: "DAILY",
    budgetValue: { monetaryBudgetValue: { monetaryBudget: { value } } },
  }];
}

const SCOPE = valuesIn("marketplaceScope", 1, ["GLOBAL"]);
const COPY_STATE = choice("ARCHIVED", "ENABLED", "PAUSED");
const CURRENCY = text();

function scoped(kind: UnifiedKind): UnifiedKind {
  return { ...kind, filters: { ...kind.filters, marketplaceScopeFilter: SCOPE } };
}

function sourceIn(kind: UnifiedKind, item: JsonObject): UnifiedSource {
  return kind.sources.find((source) =>
    source.adProduct === "SPONSORED_PRODUCTS" && (source.takes === undefined || source.takes(item))
  )!;
}

const NEW: Fields = {
  adProduct: required(choice("SPONSORED_PRODUCTS")),
  marketplaceScope: required(choice("GLOBAL")),
  marketplaces: required(list(MARKETPLACE, MAX_MARKETPLACES)),
  state: required(STATE),
  tags: TAGS,
};
const CHANGED: Fields = {
  marketplaces: optional(list(MARKETPLACE, MAX_MARKETPLACES)),
  state: optional(STATE),
  tags: TAGS,
};

function bidShape(field: "defaultBid" | "bid") {
  return object({
    marketplaceSettings: optional(list(
      object({
        marketplace: required(MARKETPLACE),
        currencyCode: required(CURRENCY),
        [field]: optional(number()),
      }),
      MAX_MARKETPLACES,
    )),
  });
}

function settingsIn(item: JsonObject): JsonObject[] {
  return objectsIn(part(item, "bid").marketplaceSettings) ?? [];
}

function bidIn(item: JsonObject, field: "defaultBid" | "bid", marketplace: string): JsonObject | undefined {
  const value = settingsIn(item).find((one) => one.marketplace === marketplace)?.[field];
  return value === undefined || value === null ? undefined : { bid: { [field]: value } };
}

function bidded(item: JsonObject): string[] {
  return settingsIn(item).map(({ marketplace }) => String(marketplace));
}

function shownBids(field: "defaultBid" | "bid", copies: readonly Copy[]): JsonObject {
  return {
    bid: {
      marketplaceSettings: copies.map(({ marketplace, profile, entity }) =>
        defined({ marketplace, currencyCode: profile.record.currencyCode, [field]: entity[field] })
      ),
    },
  };
}

const NAMED = { name: optional(text()), state: optional(COPY_STATE), tags: TAGS };

export const GLOBAL_AD_GROUPS: GlobalKind = {
  unified: scoped(UNIFIED_AD_GROUPS),
  noun: "AD_GROUP",
  collection: "sp.global_ad_groups",
  limits: GLOBAL_LIMITS.adGroups!,
  globalId: () => "globalAdGroupId",
  sourceOf: (item) => sourceIn(UNIFIED_AD_GROUPS, item),
  createFields: {
    ...NEW,
    campaignId: required(ID),
    name: required(text()),
    bid: required(bidShape("defaultBid")),
    marketplaceConfigurations: configurations(NAMED),
  },
  updateFields: {
    ...CHANGED,
    adGroupId: required(ID),
    name: optional(text()),
    bid: optional(bidShape("defaultBid")),
    marketplaceConfigurations: configurations(NAMED),
  },
  copied: ["name", "state", "tags"],
  kept: [],
  valueIn: (item, marketplace) => bidIn(item, "defaultBid", marketplace),
  valued: bidded,
  needs: { field: "bid.marketplaceSettings", what: "A default bid" },
  shownValues: (copies) => shownBids("defaultBid", copies),
};

const PRODUCTS = object({
  productCreative: required(object({
    productCreativeSettings: required(object({
      advertisedProduct: required(object({
        productIdType: required(choice("ASIN", "SKU")),
        marketplaceSettings: optional(list(
          object({ marketplace: required(MARKETPLACE), productId: required(text()) }),
          MAX_MARKETPLACES,
        )),
      })),
    })),
  })),
});
const STATED = { state: optional(COPY_STATE), tags: TAGS };

function productsOf(item: JsonObject): JsonObject {
  return part(item, "creative", "productCreative", "productCreativeSettings", "advertisedProduct");
}

export const GLOBAL_ADS: GlobalKind = {
  unified: scoped(UNIFIED_ADS),
  noun: "AD",
  collection: "sp.global_product_ads",
  limits: GLOBAL_LIMITS.ads!,
  globalId: () => "globalAdId",
  sourceOf: (item) => sourceIn(UNIFIED_ADS, item),
  createFields: {
    ...NEW,
    adGroupId: required(ID),
    adType: required(choice("PRODUCT_AD")),
    creative: required(PRODUCTS),
    marketplaceConfigurations: configurations(STATED),
  },
  updateFields: { ...CHANGED, adId: required(ID), marketplaceConfigurations: configurations(STATED) },
  copied: ["state", "tags"],
  kept: ["adType", "creative"],
  valueIn: (item, marketplace) => {
    const { productIdType, marketplaceSettings } = productsOf(item);
    const own = objectsIn(marketplaceSettings)?.find((one) => one.marketplace === marketplace);
    if (own === undefined) return undefined;
    const advertisedProduct = { productIdType: productIdType!, productId: own.productId! };
    return { creative: { productCreative: { productCreativeSettings: { advertisedProduct } } } };
  },
  valued: (item) =>
    (objectsIn(productsOf(item).marketplaceSettings) ?? []).map(({ marketplace }) => String(marketplace)),
  needs: {
    field: "creative.productCreative.productCreativeSettings.advertisedProduct.marketplaceSettings",
    what: "A product",
  },
  shownValues: () => ({}),
};

const KEYWORD = object({
  keyword: required(text()),
  matchType: required(choice("BROAD", "EXACT", "PHRASE")),
  nativeLanguageKeyword: optional(text()),
  nativeLanguageLocale: optional(choice("zh_CN")),
});
const THEME = object({
  matchType: required(
    choice("KEYWORDS_CLOSE_MATCH", "KEYWORDS_LOOSE_MATCH", "PRODUCT_COMPLEMENTS", "PRODUCT_SUBSTITUTES"),
  ),
});
const DETAILS = object({
  keywordTarget: optional(KEYWORD),
  themeTarget: optional(THEME),
  productTarget: optional(object({
    matchType: required(choice("PRODUCT_EXACT", "PRODUCT_SIMILAR")),
    productIdType: required(choice("ASIN", "SKU")),
    product: required(object({
      productId: optional(text()),
      marketplaceSettings: required(list(
        object({ marketplace: required(MARKETPLACE), productId: required(text()) }),
        MAX_MARKETPLACES,
      )),
    })),
  })),
  productCategoryTarget: optional(object({
    productCategoryRefinement: required(object({
      marketplaceSettings: required(list(
        object({
          marketplace: required(MARKETPLACE),
          productCategoryRefinement: required(refinementShape(["productGenreId"])),
        }),
        MAX_MARKETPLACES,
      )),
    })),
  })),
});
const AIMED = {
  ...STATED,
  targetDetails: optional(object({ keywordTarget: optional(KEYWORD), themeTarget: optional(THEME) })),
};

function detailsIn(item: JsonObject, marketplace: string): JsonObject | undefined {
  const details = part(item, "targetDetails");
  const settingOf = (outer: JsonObject): JsonObject | undefined =>
    objectsIn(outer.marketplaceSettings)?.find((one) => one.marketplace === marketplace);
  if (isObject(details.productTarget)) {
    const product = settingOf(part(details, "productTarget", "product"));
    if (product === undefined) return undefined;
    return { productTarget: { ...details.productTarget, product: { productId: product.productId! } } };
  }
  if (isObject(details.productCategoryTarget)) {
    const setting = settingOf(part(details, "productCategoryTarget", "productCategoryRefinement"));
    if (setting === undefined) return undefined;
    const productCategoryRefinement = setting.productCategoryRefinement!;
    return { productCategoryTarget: { productCategoryRefinement: { productCategoryRefinement } } };
  }
  return details;
}

export const GLOBAL_TARGETS: GlobalKind = {
  unified: scoped(UNIFIED_TARGETS),
  noun: "TARGET",
  collection: "sp.global_targets",
  limits: GLOBAL_LIMITS.targets!,
  globalId: ({ collection }) => collection.endsWith("keywords") ? "globalKeywordId" : "globalTargetId",
  sourceOf: (item) => sourceIn(UNIFIED_TARGETS, item),
  createFields: {
    ...NEW,
    campaignId: optional(ID),
    adGroupId: optional(ID),
    negative: required(FLAG),
    targetType: required(choice("KEYWORD", "PRODUCT", "PRODUCT_CATEGORY", "THEME")),
    targetDetails: required(DETAILS),
    bid: optional(bidShape("bid")),
    marketplaceConfigurations: configurations(AIMED),
  },
  updateFields: {
    ...CHANGED,
    targetId: required(ID),
    bid: optional(bidShape("bid")),
    marketplaceConfigurations: configurations(AIMED),
  },
  copied: ["state", "tags"],
  kept: ["negative", "targetType", "targetDetails"],
  valueIn: (item, marketplace) => {
    if (item.targetDetails === undefined) return bidIn(item, "bid", marketplace);
    const targetDetails = detailsIn(item, marketplace);
    return targetDetails && { targetDetails, ...bidIn(item, "bid", marketplace) };
  },
  valued: bidded,
  needs: { field: "targetDetails", what: "Something to target" },
  shownValues: (copies, whole) => ({
    targetLevel: whole.adGroupId === undefined ? "CAMPAIGN" : "AD_GROUP",
    ...(whole.negative === true ? {} : shownBids("bid", copies)),
  }),
  differences: (_, { own }) => own.targetDetails === undefined ? {} : { targetDetails: own.targetDetails },
};
