import { AD_FORMATS } from "../sponsored_brands/ad_formats.ts";
import { adsOfFormat, BRANDS_ADS } from "../sponsored_brands/ads.ts";
import { addVersion } from "../sponsored_brands/creatives.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import { choice, object, optional, required, text } from "../../entities/shape.ts";
import { creativeShape, formatOf, fromSettings, toSettings } from "./brand_creatives.ts";
import { AD_PRODUCT, commonFields, commonFilters, defined, ID, part, STATE, TAGS } from "./common.ts";
import { type Engine, productEngine } from "./engine.ts";
import type { UnifiedKind, UnifiedSource } from "./unified_kind.ts";
import { idsIn } from "../../entities/filter.ts";
import { PRODUCT_ADS } from "../sponsored_products/ad_groups.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { DISPLAY_ADS_SOURCE } from "./display.ts";

const NAMES = { creative: "creative.componentCreative", landingPage: "creative.componentCreative" };

const ENGINE: Engine = {
  ...productEngine(BRANDS_ADS),
  create: ({ format, ...draft }, context) => {
    const wanted = AD_FORMATS.find(({ name }) => name === format)!;
    return productEngine(adsOfFormat(wanted), NAMES).create(draft, context);
  },
  update: ({ creative, landingPage, ...patch }, context) => {
    const outcome = productEngine(BRANDS_ADS).update(patch, context);
    if ("errors" in outcome || !isObject(creative)) return outcome;
    const { entity } = outcome;
    const whole = { ...part(entity, "creative"), ...creative };
    addVersion(landingPage === undefined ? entity : { ...entity, landingPage }, whole, context);
    return { entity: context.profile.collection(BRANDS_ADS.kind).get(String(entity.adId))! };
  },
};

const BRAND_ADS_SOURCE: UnifiedSource = {
  adProduct: "SPONSORED_BRANDS",
  collection: "sb.ads",
  createFields: {
    adProduct: AD_PRODUCT,
    adGroupId: required(ID),
    adType: required(choice("COMPONENT")),
    name: required(text()),
    state: required(STATE),
    creative: required(object({ componentCreative: required(creativeShape()) })),
    tags: TAGS,
  },
  updateFields: {
    adId: required(ID),
    name: optional(text()),
    state: optional(STATE),
    creative: optional(object({ componentCreative: required(creativeShape(optional)) })),
    tags: TAGS,
  },
  engine: ENGINE,
  toDraft: ({ adGroupId, name, state, creative }) => {
    const component = part({ creative }, "creative", "componentCreative");
    return {
      ...defined({ adGroupId, name, state }),
      format: formatOf(component),
      ...fromSettings(component),
    };
  },
  toPatch: ({ adId, name, state, creative }) => {
    const component = part({ creative }, "creative", "componentCreative");
    if (Object.keys(component).length === 0) return defined({ adId, name, state });
    const shown = fromSettings(component);
    const { landingPage: inside, ...parts } = part(shown, "creative");
    const page = part({ page: shown.landingPage ?? inside }, "page");
    const landingPage = Object.keys(page).length === 0 ? undefined : page;
    return defined({ adId, name, state, creative: parts, landingPage });
  },
  toUnified: (entity: JsonObject, profile) =>
    defined({
      adId: entity.adId,
      adGroupId: entity.adGroupId,
      campaignId: entity.campaignId,
      name: entity.name,
      adType: "COMPONENT",
      creative: { componentCreative: toSettings(entity) },
      ...commonFields(entity, { adProduct: "SPONSORED_BRANDS", noun: "AD" }, profile),
    }),
};

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

export const UNIFIED_ADS: UnifiedKind = {
  entity: "ads",
  singular: "ad",
  idField: "adId",
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
    globalAdId: entity.globalAdId,
    creative: { productCreative: { productCreativeSettings } },
    ...commonFields(entity, { adProduct: "SPONSORED_PRODUCTS", noun: "AD" }, profile),
  });
}

function resolved(asin: JsonObject[string]): JsonObject {
  return asin === undefined ? {} : { resolvedProductId: asin, resolvedProductIdType: "ASIN" };
}
