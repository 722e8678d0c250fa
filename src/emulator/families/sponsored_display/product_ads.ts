import type { JsonObject } from "../../core/json.ts";
import type { Draft, RuleContext } from "../../entities/entity_resource.ts";
import type { ItemError } from "../../entities/item_error.ts";
import { choice, NUMERIC_ID, optional, required, text } from "../../entities/shape.ts";
import type { FlatResource } from "../../flat_entities/flat_resource.ts";
import { adGroupOf, invalid, MAX_ITEMS, STATE } from "./common.ts";

/** Product ads of Sponsored Display: a seller names the SKU, a vendor the ASIN. */
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

/** The product behind a SKU, where Sponsored Products advertises it. */
function asinOf({ sku }: JsonObject, { profile }: RuleContext): JsonObject["asin"] {
  return profile.collection("sp.product_ads").all().find((ad) => ad.sku === sku)?.asin;
}
