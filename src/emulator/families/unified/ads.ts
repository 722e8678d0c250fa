import type { JsonObject } from "../../core/json.ts";
import { idsIn } from "../../entities/filter.ts";
import { PRODUCT_ADS } from "../sponsored_products/ad_groups.ts";
import { choice, object, optional, required, text } from "../../entities/shape.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { BRAND_ADS_SOURCE } from "./brand_ads.ts";
import { AD_PRODUCT, commonFields, commonFilters, defined, ID, part, STATE, TAGS } from "./common.ts";
import { DISPLAY_ADS_SOURCE } from "./display.ts";
import { productEngine } from "./engine.ts";
import type { UnifiedKind } from "./unified_kind.ts";

const PRODUCT = "creative.productCreative.productCreativeSettings.advertisedProduct.productId";
const CREATIVE = object({
  productCreative: required(object({
    productCreativeSettings: required(object({
      advertisedProduct: required(object({
        productId: required(text()),
        productIdType: required(choice("ASIN", "SKU")),
      })),
      headline: optional(text()),
    })),
  })),
});

/** Ads in their unified shape. Those of Sponsored Products show one product. */
export const UNIFIED_ADS: UnifiedKind = {
  entity: "ads",
  singular: "ad",
  idField: "adId",
  idList: "adIds",
  filters: {
    ...commonFilters("adId"),
    adIdFilter: idsIn("adId", 100),
    campaignIdFilter: idsIn("campaignId", 100),
    adGroupIdFilter: idsIn("adGroupId", 100),
  },
  sources: [
    {
      adProduct: "SPONSORED_PRODUCTS",
      collection: "sp.product_ads",
      createFields: {
        adProduct: AD_PRODUCT,
        adGroupId: required(ID),
        adType: required(choice("PRODUCT_AD")),
        state: required(STATE),
        creative: required(CREATIVE),
        tags: TAGS,
      },
      updateFields: { adId: required(ID), state: optional(STATE), tags: TAGS },
      engine: productEngine(PRODUCT_ADS, { asin: PRODUCT, sku: PRODUCT }),
      toDraft: draftOf,
      toPatch: ({ adId, state }) => defined({ adId, state }),
      toUnified: unifiedAd,
    },
    BRAND_ADS_SOURCE,
    DISPLAY_ADS_SOURCE,
  ],
};

function draftOf({ adGroupId, state, creative }: JsonObject, profile: ProfileState): JsonObject {
  const settings = part({ creative }, "creative", "productCreative", "productCreativeSettings");
  const { productId, productIdType } = part(settings, "advertisedProduct");
  return defined({
    campaignId: profile.collection("sp.ad_groups").get(String(adGroupId))?.campaignId ?? "",
    adGroupId,
    state,
    [productIdType === "SKU" ? "sku" : "asin"]: productId,
    customText: settings.headline,
  });
}

function unifiedAd(entity: JsonObject, profile: ProfileState): JsonObject {
  const { adId, adGroupId, campaignId, asin, sku, customText } = entity;
  const product: JsonObject = sku === undefined
    ? { productIdType: "ASIN", productId: asin }
    : { productIdType: "SKU", productId: sku, ...resolved(asin) };
  const productCreativeSettings = defined({ advertisedProduct: product, headline: customText });
  return defined({
    adId,
    adGroupId,
    campaignId,
    adType: "PRODUCT_AD",
    creative: { productCreative: { productCreativeSettings } },
    ...commonFields(entity, { adProduct: "SPONSORED_PRODUCTS", noun: "AD" }, profile),
  });
}

function resolved(asin: JsonObject[string]): JsonObject {
  return asin === undefined ? {} : { resolvedProductId: asin, resolvedProductIdType: "ASIN" };
}
