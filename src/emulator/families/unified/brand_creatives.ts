import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import {
  choice,
  type Fields,
  list,
  object,
  optional,
  required,
  type Shape,
  text,
} from "../../entities/shape.ts";
import { defined, part } from "./common.ts";

const PRODUCT = object({ productId: required(text()), productIdType: required(choice("ASIN")) });
const ASSET = object({ assetId: required(text()), assetVersion: optional(text()) });
const LANDING_PAGE = object({
  landingPageType: required(choice("ASIN_LIST", "DETAIL_PAGE", "STORE")),
  landingPageUrl: optional(text()),
  landingPageAsins: optional(object({ asins: required(list(text(), 100)) })),
});
const BRAND: Fields = {
  brand: optional(text()),
  brandLogos: optional(list(ASSET, 1)),
  headlines: optional(list(text(), 3)),
};
const CARD = object({
  headline: required(text()),
  landingPage: required(LANDING_PAGE),
  products: required(PRODUCT),
});
const SHARED_SETTINGS = required(object({ brand: required(text()), brandLogos: optional(ASSET) }));

/** A component creative: exactly one of its settings says what it is. */
export function creativeShape(): Shape {
  return object({
    productCollectionSettings: optional(object({
      ...BRAND,
      products: optional(list(PRODUCT, 3)),
      customImages: optional(list(ASSET, 5)),
      landingPage: required(LANDING_PAGE),
    })),
    productVideoSettings: optional(object({
      ...BRAND,
      products: optional(list(PRODUCT, 3)),
      videos: required(list(ASSET, 1)),
      landingPage: optional(LANDING_PAGE),
    })),
    storeSpotlightSettings: optional(object({
      ...BRAND,
      cards: required(list(CARD, 3)),
      landingPage: required(LANDING_PAGE),
    })),
    autoCollectionSettings: optional(object({ sharedSettings: SHARED_SETTINGS })),
    manualCollectionSettings: optional(object({
      sharedSettings: SHARED_SETTINGS,
      productInclusions: required(list(PRODUCT, 3)),
      landingPage: required(LANDING_PAGE),
    })),
  });
}

/** The format of version 4 that a component creative is. */
export function formatOf(component: JsonObject): string {
  if (component.storeSpotlightSettings !== undefined) return "storeSpotlight";
  if (component.autoCollectionSettings !== undefined) return "autoCollection";
  if (component.manualCollectionSettings !== undefined) return "manualCollection";
  if (component.productVideoSettings === undefined) return "productCollectionExtended";
  return part(component, "productVideoSettings").brand === undefined ? "video" : "brandVideo";
}

/** Creative and landing page of version 4, made of a component creative. */
export function fromSettings(component: JsonObject): JsonObject {
  const [settings = {}] = Object.values(component).filter(isObject);
  const shared = part(settings, "sharedSettings");
  const page = isObject(settings.landingPage) ? landingPageFrom(settings.landingPage) : {};
  const creative = defined({
    brandName: settings.brand ?? shared.brand,
    brandLogoAssetID: first(settings.brandLogos)?.assetId ?? part(shared, "brandLogos").assetId,
    headline: Array.isArray(settings.headlines) ? settings.headlines[0] : undefined,
    asins: ids(settings.products ?? settings.productInclusions, "productId"),
    customImages: ids(settings.customImages, "assetId")?.map((assetId) => ({ assetId })),
    videoAssetIds: ids(settings.videos, "assetId"),
    subpages: objects(settings.cards)?.map(subpageFrom),
  });
  switch (formatOf(component)) {
    case "video":
      return { creative };
    case "manualCollection":
      return { creative: { ...creative, landingPage: page } };
    default:
      return { creative, landingPage: page };
  }
}

/** An ad's creative as a component creative. */
export function toSettings(ad: JsonObject): JsonObject {
  const creative = part(ad, "creative");
  const brand = defined({
    brand: creative.brandName,
    brandLogos: creative.brandLogoAssetID === undefined
      ? undefined
      : [{ assetId: creative.brandLogoAssetID }],
    headlines: creative.headline === undefined ? undefined : [creative.headline],
  });
  const products = texts(creative.asins)?.map((productId) => ({ productId, productIdType: "ASIN" }));
  const landingPage = isObject(ad.landingPage) ? landingPageTo(ad.landingPage) : undefined;
  const sharedSettings = defined({ brand: creative.brandName });
  switch (creative.type) {
    case "STORE_SPOTLIGHT":
      return {
        storeSpotlightSettings: defined({
          ...brand,
          cards: objects(creative.subpages)?.map(cardTo),
          landingPage,
        }),
      };
    case "VIDEO":
    case "BRAND_VIDEO":
      return {
        productVideoSettings: defined({
          ...brand,
          products,
          videos: texts(creative.videoAssetIds)?.map((assetId) => ({ assetId })),
          landingPage,
        }),
      };
    case "AUTO_COLLECTION":
      return { autoCollectionSettings: { sharedSettings } };
    case "MANUAL_COLLECTION":
      return {
        manualCollectionSettings: defined({ sharedSettings, productInclusions: products, landingPage }),
      };
    default:
      return {
        productCollectionSettings: defined({
          ...brand,
          products,
          customImages: objects(creative.customImages)?.map(({ assetId }) => defined({ assetId })),
          landingPage,
        }),
      };
  }
}

function landingPageFrom(page: JsonObject): JsonObject {
  const { landingPageType, landingPageUrl } = page;
  return defined({
    pageType: landingPageType === "ASIN_LIST" ? "PRODUCT_LIST" : landingPageType,
    url: landingPageUrl,
    asins: part(page, "landingPageAsins").asins,
  });
}

function landingPageTo({ pageType, url, asins }: JsonObject): JsonObject {
  return defined({
    landingPageType: pageType === "PRODUCT_LIST" ? "ASIN_LIST" : pageType,
    landingPageUrl: url,
    landingPageAsins: Array.isArray(asins) ? { asins } : undefined,
  });
}

function subpageFrom(card: JsonObject): JsonObject {
  return defined({
    asin: part(card, "products").productId,
    pageTitle: card.headline,
    url: part(card, "landingPage").landingPageUrl,
  });
}

function cardTo({ asin, pageTitle, url }: JsonObject): JsonObject {
  return {
    headline: pageTitle,
    landingPage: defined({ landingPageType: "STORE", landingPageUrl: url }),
    products: { productId: asin, productIdType: "ASIN" },
  };
}

function objects(value: Json | undefined): JsonObject[] | undefined {
  return Array.isArray(value) ? value.filter(isObject) : undefined;
}

function first(value: Json | undefined): JsonObject | undefined {
  return objects(value)?.[0];
}

function ids(value: Json | undefined, field: string): string[] | undefined {
  return objects(value)?.map((each) => String(each[field]));
}

function texts(value: Json | undefined): string[] | undefined {
  return Array.isArray(value) ? value.map(String) : undefined;
}
