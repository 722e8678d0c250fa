import { isObject, type Json, type JsonObject, objectsIn } from "../../core/json.ts";
import { choice, type Fields, list, number, object, optional, required, text } from "../../entities/shape.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { DISPLAY_AD_GROUPS, DISPLAY_PRODUCT_ADS } from "../sponsored_display/ad_groups.ts";
import { DISPLAY_CAMPAIGNS } from "../sponsored_display/campaigns.ts";
import {
  AD_PRODUCT,
  AMOUNT,
  back,
  budgetList,
  budgetOf,
  budgets,
  commonFields,
  dayToMoment,
  defined,
  ID,
  momentToDay,
  part,
  STATE,
  TAGS,
} from "./common.ts";
import { displayEngine } from "./engine.ts";
import type { UnifiedSource } from "./unified_kind.ts";

const PLACE: Fields = {
  marketplaceScope: required(choice("SINGLE_MARKETPLACE")),
  marketplaces: optional(list(text(), 1)),
};
const CAMPAIGN: Fields = {
  startDateTime: optional(text()),
  endDateTime: optional(text()),
  portfolioId: optional(ID),
  tags: TAGS,
};
const COST_TYPE = choice("CPC", "VCPM");

/** The unified family has no tactic, and writes have no budget period. */
export const DISPLAY_CAMPAIGNS_SOURCE: UnifiedSource = {
  adProduct: "SPONSORED_DISPLAY",
  collection: "sd.campaigns",
  createFields: {
    ...CAMPAIGN,
    ...PLACE,
    adProduct: AD_PRODUCT,
    name: required(text({ min: 1, max: 128 })),
    state: required(STATE),
    startDateTime: required(text()),
    costType: required(COST_TYPE),
    countries: optional(list(text(), 1)),
    budgets: required(budgets()),
  },
  updateFields: {
    ...CAMPAIGN,
    campaignId: required(ID),
    name: optional(text({ min: 1, max: 128 })),
    state: optional(STATE),
    costType: optional(COST_TYPE),
    budgets: optional(budgets()),
  },
  engine: displayEngine(DISPLAY_CAMPAIGNS, {
    budget: AMOUNT,
    startDate: "startDateTime",
    endDate: "endDateTime",
  }),
  toDraft: campaignFields,
  toPatch: (item, _before, profile) => ({ campaignId: item.campaignId!, ...campaignFields(item, profile) }),
  toUnified: (entity, profile) =>
    defined({
      campaignId: entity.campaignId,
      name: entity.name,
      ...commonFields(entity, { adProduct: "SPONSORED_DISPLAY", noun: "CAMPAIGN" }, profile),
      budgets: budgetList(entity.budget, "DAILY", profile),
      costType: String(entity.costType).toUpperCase(),
      startDateTime: dayToMoment(hyphenated(entity.startDate), "start", profile),
      endDateTime: dayToMoment(hyphenated(entity.endDate), "end", profile),
      portfolioId: entity.portfolioId,
    }),
};

function campaignFields(item: JsonObject, profile: ProfileState): JsonObject {
  return defined({
    name: item.name,
    state: lower(item.state),
    budget: budgetOf(item)?.value,
    costType: lower(item.costType),
    startDate: plainDay(momentToDay(item.startDateTime, profile)),
    endDate: plainDay(momentToDay(item.endDateTime, profile)),
    portfolioId: item.portfolioId,
  });
}

const KPIS: Readonly<Record<string, string>> = { CLICKS: "clicks", PURCHASES: "conversions", REACH: "reach" };
const OPTIMIZATION = object({
  goalSettings: optional(object({ kpi: optional(choice(...Object.keys(KPIS))) })),
});
const BID = object({ defaultBid: optional(number()) });

export const DISPLAY_AD_GROUPS_SOURCE: UnifiedSource = {
  adProduct: "SPONSORED_DISPLAY",
  collection: "sd.ad_groups",
  createFields: {
    ...PLACE,
    adProduct: AD_PRODUCT,
    marketplaces: required(list(text(), 1)),
    campaignId: required(ID),
    name: required(text({ min: 1, max: 255 })),
    state: required(STATE),
    bid: optional(BID),
    creativeType: optional(choice("IMAGE", "VIDEO")),
    optimization: optional(OPTIMIZATION),
  },
  updateFields: {
    adGroupId: required(ID),
    name: optional(text({ min: 1, max: 255 })),
    state: optional(STATE),
    bid: optional(BID),
    optimization: optional(OPTIMIZATION),
  },
  engine: displayEngine(DISPLAY_AD_GROUPS, { defaultBid: "bid.defaultBid" }),
  toDraft: (item) =>
    defined({ ...adGroupFields(item), campaignId: item.campaignId, creativeType: item.creativeType }),
  toPatch: (item) => defined({ adGroupId: item.adGroupId, ...adGroupFields(item) }),
  toUnified: (entity, profile) =>
    defined({
      adGroupId: entity.adGroupId,
      campaignId: entity.campaignId,
      name: entity.name,
      bid: defined({ defaultBid: entity.defaultBid, currencyCode: profile.record.currencyCode }),
      creativeType: entity.creativeType,
      optimization: { goalSettings: defined({ kpi: back(KPIS, entity.bidOptimization) }) },
      ...commonFields(entity, { adProduct: "SPONSORED_DISPLAY", noun: "AD_GROUP" }, profile),
    }),
};

function adGroupFields(item: JsonObject): JsonObject {
  const { kpi } = part(item, "optimization", "goalSettings");
  return defined({
    name: item.name,
    state: lower(item.state),
    defaultBid: part(item, "bid").defaultBid,
    bidOptimization: KPIS[String(kpi)],
  });
}

const PRODUCT = object({ productId: required(text()), productIdType: required(choice("ASIN", "SKU")) });
const page = (...types: string[]) =>
  object({ landingPageType: required(choice(...types)), landingPageUrl: required(text()) });
const PRODUCTS = object({
  products: optional(list(PRODUCT, 1)),
  landingPage: optional(page("MOMENT", "STORE")),
});
const CREATIVE = object({
  responsiveEcommerceSettings: optional(PRODUCTS),
  productVideoSettings: optional(PRODUCTS),
  assetBasedCreativeSettings: optional(object({ landingPage: required(page("OFF_PLATFORM_LINK")) })),
});

/** An update can only change the state. */
export const DISPLAY_ADS_SOURCE: UnifiedSource = {
  adProduct: "SPONSORED_DISPLAY",
  collection: "sd.product_ads",
  createFields: {
    adProduct: AD_PRODUCT,
    adGroupId: required(ID),
    adType: required(choice("COMPONENT")),
    name: optional(text()),
    state: required(STATE),
    creative: required(object({ componentCreative: required(CREATIVE) })),
  },
  updateFields: { adId: required(ID), state: optional(STATE) },
  engine: displayEngine(DISPLAY_PRODUCT_ADS, {
    asin: "creative.componentCreative",
    sku: "creative.componentCreative",
  }),
  toDraft: (item, profile) => {
    const [settings = {}] = Object.values(part(item, "creative", "componentCreative")).filter(isObject);
    const [product = {}] = objectsIn(settings.products) ?? [];
    const { landingPageType, landingPageUrl } = part(settings, "landingPage");
    return defined({
      adGroupId: item.adGroupId,
      campaignId: profile.collection("sd.ad_groups").get(String(item.adGroupId))?.campaignId,
      state: lower(item.state),
      adName: item.name,
      asin: product.productIdType === "ASIN" ? product.productId : undefined,
      sku: product.productIdType === "SKU" ? product.productId : undefined,
      landingPageType,
      landingPageURL: landingPageUrl,
    });
  },
  toPatch: (item) => defined({ adId: item.adId, state: lower(item.state) }),
  toUnified: (entity, profile) =>
    defined({
      adId: entity.adId,
      adGroupId: entity.adGroupId,
      campaignId: entity.campaignId,
      adType: "COMPONENT",
      name: entity.adName,
      creative: { componentCreative: creativeOf(entity, profile) },
      ...commonFields(entity, { adProduct: "SPONSORED_DISPLAY", noun: "AD" }, profile),
    }),
};

/** Prefers the SKU, whose ASIN is not resolved here. */
function creativeOf(
  { asin, sku, landingPageType, landingPageURL, adGroupId }: JsonObject,
  profile: ProfileState,
): JsonObject {
  const landingPage = landingPageType === undefined
    ? undefined
    : { landingPageType, landingPageUrl: landingPageURL };
  if (landingPageType === "OFF_PLATFORM_LINK") {
    const headlines = [""];
    return {
      assetBasedCreativeSettings: defined({ headlines, untranslatedHeadlines: headlines, landingPage }),
    };
  }
  const product = sku === undefined
    ? { productId: asin, productIdType: "ASIN" }
    : { productId: sku, productIdType: "SKU" };
  const products = sku === undefined && asin === undefined ? undefined : [product];
  const settings = defined({ products, landingPage });
  if (profile.collection("sd.ad_groups").get(String(adGroupId))?.creativeType !== "VIDEO") {
    return { responsiveEcommerceSettings: settings };
  }
  const video = [{ assetId: "not-recorded", assetVersion: "1" }];
  return { productVideoSettings: { ...settings, videos: video, untranslatedVideos: video } };
}

export function lower(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : String(value).toLowerCase();
}

function plainDay(day: string | null | undefined): string | null | undefined {
  return day?.replaceAll("-", "") ?? day;
}

function hyphenated(day: Json | undefined): string | undefined {
  return day === undefined ? undefined : String(day).replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3");
}
