import { idsIn } from "../../entities/filter.ts";
import { type ItemError, itemError } from "../../entities/item_error.ts";
import type { Draft, EntityResource, RuleContext } from "../../entities/entity_resource.ts";
import { object, optional, required, text } from "../../entities/shape.ts";
import { ID, STATE, STATE_FILTER, STATUS } from "./common.ts";

/** Product ads: sellers name a SKU, vendors an ASIN. */
export const PRODUCT_ADS: EntityResource = {
  kind: "sp.product_ads",
  path: "/sp/productAds",
  mediaType: "application/vnd.spProductAd.v3+json",
  collection: "productAds",
  resultIdField: "adId",
  echoField: "productAd",
  operations: {
    list: "sponsored-products:ListSponsoredProductsProductAds",
    create: "sponsored-products:CreateSponsoredProductsProductAds",
    update: "sponsored-products:UpdateSponsoredProductsProductAds",
    archive: "sponsored-products:DeleteSponsoredProductsProductAds",
  },
  entityType: "PRODUCT_AD",
  idFilter: { name: "adIdFilter", max: 1000 },
  filters: {
    stateFilter: STATE_FILTER,
    campaignIdFilter: idsIn("campaignId", 100),
    adGroupIdFilter: idsIn("adGroupId", 100),
  },
  maxItems: 1000,
  parents: ["campaign", "adGroup"],
  createFields: {
    campaignId: required(ID),
    adGroupId: required(ID),
    asin: optional(text()),
    sku: optional(text()),
    customText: optional(text({ min: 50, max: 150 })),
    globalStoreSetting: optional(object({ catalogSourceCountryCode: optional(text({ min: 2, max: 2 })) })),
    state: required(STATE),
  },
  updateFields: { adId: required(ID), state: optional(STATE) },
  rules: checkProduct,
  history: { entityType: "AD", tracked: [STATUS] },
};

function checkProduct({ before, item }: Draft, { profile }: RuleContext): ItemError[] {
  if (before !== undefined) return [];
  const field = profile.record.accountInfo.type === "seller" ? "sku" : "asin";
  if (item[field] === undefined) {
    return [itemError(["missingValueError", "MISSING_VALUE"], field, `${field} is required`)];
  }
  if (item.asin === undefined || /^[A-Z0-9]{10}$/.test(String(item.asin))) return [];
  const message = "The value is not an ASIN";
  return [itemError(["productIdentifierError", "INVALID_ASIN"], "asin", message, { trigger: item.asin })];
}
