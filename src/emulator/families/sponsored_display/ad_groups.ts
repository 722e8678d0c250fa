import { checkBid } from "../../entities/rules.ts";
import { choice, type Fields, number, NUMERIC_ID, optional, required, text } from "../../entities/shape.ts";
import type { FlatResource } from "../../entities/flat_resource.ts";
import { adGroupOf, bidKindOf, campaignOf, invalid, MAX_ITEMS, STATE } from "./common.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Draft, RuleContext } from "../../entities/entity_resource.ts";
import type { ItemError } from "../../entities/item_error.ts";

const MAX_NAME = 255;
const FIELDS: Fields = {
  name: optional(text({ min: 1, max: MAX_NAME })),
  state: optional(STATE),
  defaultBid: optional(number()),
  bidOptimization: optional(choice("clicks", "conversions", "reach")),
};

export const DISPLAY_AD_GROUPS: FlatResource = {
  kind: "sd.ad_groups",
  path: "/sd/adGroups",
  idParam: "adGroupId",
  idField: "adGroupId",
  idFields: ["adGroupId", "campaignId"],
  noun: "Ad group",
  operations: {
    list: "sponsored-display:listAdGroups",
    listExtended: "sponsored-display:listAdGroupsEx",
    get: "sponsored-display:getAdGroup",
    getExtended: "sponsored-display:getAdGroupResponseEx",
    create: "sponsored-display:createAdGroups",
    update: "sponsored-display:updateAdGroups",
    archive: "sponsored-display:archiveAdGroup",
  },
  createFields: {
    ...FIELDS,
    campaignId: required(NUMERIC_ID),
    name: required(text({ min: 1, max: MAX_NAME })),
    state: required(STATE),
    creativeType: optional(choice("IMAGE", "VIDEO")),
  },
  updateFields: { ...FIELDS, campaignId: optional(NUMERIC_ID) },
  immutable: ["campaignId"],
  parents: [{ field: "campaignId", kind: "sd.campaigns" }],
  idFilters: { adGroupIdFilter: "adGroupId", campaignIdFilter: "campaignId" },
  nameField: "name",
  maxItems: MAX_ITEMS,
  complete: (item, context) => {
    const campaign = campaignOf(item, context);
    const usual = campaign?.costType === "vcpm" ? "reach" : "clicks";
    return { bidOptimization: item.bidOptimization ?? usual, tactic: campaign?.tactic };
  },
  rules: ({ item, after }, context) => {
    const campaign = campaignOf(after, context);
    // A bid for a thousand impressions says little about a day.
    const budget = campaign?.costType === "cpc" ? Number(campaign.budget) : undefined;
    return checkBid(item.defaultBid, { field: "defaultBid", kind: bidKindOf(campaign), budget }, context);
  },
  live: "AD_GROUP_STATUS_ENABLED",
  statusWord: "AD_GROUP",
};

/** Sellers advertise by SKU, vendors by ASIN. */
export const DISPLAY_PRODUCT_ADS: FlatResource = {
  kind: "sd.product_ads",
  path: "/sd/productAds",
  idParam: "adId",
  idField: "adId",
  idFields: ["adId", "adGroupId", "campaignId"],
  noun: "Product ad",
  operations: {
    list: "sponsored-display:listProductAds",
    listExtended: "sponsored-display:listProductAdsEx",
    get: "sponsored-display:getProductAd",
    getExtended: "sponsored-display:getProductAdResponseEx",
    create: "sponsored-display:createProductAds",
    update: "sponsored-display:updateProductAds",
    archive: "sponsored-display:archiveProductAd",
  },
  createFields: {
    adGroupId: required(NUMERIC_ID),
    campaignId: required(NUMERIC_ID),
    state: required(STATE),
    asin: optional(text({ min: 10, max: 10 })),
    sku: optional(text()),
    adName: optional(text()),
    landingPageType: optional(choice("MOMENT", "OFF_PLATFORM_LINK", "STORE")),
    landingPageURL: optional(text()),
  },
  updateFields: { state: optional(STATE) },
  parents: [
    { field: "adGroupId", kind: "sd.ad_groups" },
    { field: "campaignId", kind: "sd.campaigns" },
  ],
  idFilters: { adIdFilter: "adId", adGroupIdFilter: "adGroupId", campaignIdFilter: "campaignId" },
  maxItems: MAX_ITEMS,
  complete: (item, context) => ({
    campaignId: adGroupOf(item, context)?.campaignId,
    ...(item.asin === undefined && item.sku !== undefined ? { asin: asinOf(item, context) } : {}),
  }),
  rules: checkProduct,
  live: "AD_STATUS_LIVE",
  statusWord: "AD_STATUS",
};

function checkProduct({ item, before }: Draft, { profile }: RuleContext): readonly ItemError[] {
  if (before !== undefined || item.landingPageURL !== undefined) return [];
  const isSeller = profile.record.accountInfo.type === "seller";
  const field = isSeller ? "sku" : "asin";
  if (item[field] !== undefined) return [];
  return [invalid(field, `${field} is required for ${isSeller ? "sellers" : "vendors"}`)];
}

function asinOf({ sku }: JsonObject, { profile }: RuleContext): JsonObject["asin"] {
  return profile.collection("sp.product_ads").all().find((ad) => ad.sku === sku)?.asin;
}
