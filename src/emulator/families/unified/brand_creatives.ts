import { isObject, type Json, type JsonObject, objectsIn } from "../../core/json.ts";
import {
  choice,
  type Fields,
  FLAG,
  list,
  number,
  object,
  optional,
  required,
  type Shape,
  text,
} from "../../entities/shape.ts";
import { defined, part } from "./common.ts";

const PRODUCT = object({ productId: required(text()), productIdType: required(choice("ASIN")) });
const SIDE = optional(number({ whole: true }));
const CROPS = optional(list(object({ height: SIDE, left: SIDE, top: SIDE, width: SIDE }), 10));
const ASSET = object({ assetId: required(text()), assetVersion: required(text()), formatProperties: CROPS });
const VIDEO = object({ assetId: required(text()), assetVersion: required(text()) });
const PAGE_TYPES = ["ASIN_LIST", "CUSTOM_URL", "DETAIL_PAGE", "STORE"];
const LANDING_PAGE = object({
  landingPageType: optional(choice(...PAGE_TYPES)),
  landingPageUrl: optional(text()),
  landingPageAsins: optional(object({ asins: required(list(text(), 100)) })),
});
const WORDS: Fields = {
  enableCreativeAutoTranslation: optional(FLAG),
  creativePropertiesToOptimize: optional(list(choice("HEADLINE"), 1)),
};
const CARD = object({
  headline: required(text()),
  landingPage: required(LANDING_PAGE),
  products: required(PRODUCT),
});

/**
 * Exactly one of its settings determines the format.
 *
 * @param need Marks required fields; an update may omit any.
 */
export function creativeShape(need: typeof required = required): Shape {
  const brand = (is: typeof required): Fields => ({
    brand: is(text()),
    brandLogos: is(list(ASSET, 2)),
    headlines: is(list(text(), 1)),
  });
  const shared = need(object({ brand: need(text()), brandLogos: optional(ASSET) }));
  return object({
    productCollectionSettings: optional(object({
      ...brand(need),
      ...WORDS,
      products: optional(list(PRODUCT, 3)),
      customImages: need(list(ASSET, 5)),
      landingPage: need(LANDING_PAGE),
    })),
    productVideoSettings: optional(object({
      ...brand(optional),
      enableCreativeAutoTranslation: optional(FLAG),
      products: optional(list(PRODUCT, 3)),
      videos: need(list(VIDEO, 1)),
      landingPage: optional(LANDING_PAGE),
    })),
    storeSpotlightSettings: optional(object({
      ...brand(need),
      ...WORDS,
      cards: need(list(CARD, 3)),
      landingPage: need(LANDING_PAGE),
    })),
    autoCollectionSettings: optional(object({
      sharedSettings: shared,
      productExclusions: optional(list(PRODUCT, 1000)),
    })),
    manualCollectionSettings: optional(object({
      sharedSettings: shared,
      productInclusions: need(list(PRODUCT, 10)),
      landingPage: need(LANDING_PAGE),
      title: optional(text()),
    })),
  });
}

export function formatOf(component: JsonObject): string {
  if (component.storeSpotlightSettings !== undefined) return "storeSpotlight";
  if (component.autoCollectionSettings !== undefined) return "autoCollection";
  if (component.manualCollectionSettings !== undefined) return "manualCollection";
  if (component.productVideoSettings === undefined) return "productCollectionExtended";
  return part(component, "productVideoSettings").brand === undefined ? "video" : "brandVideo";
}

export function fromSettings(component: JsonObject): JsonObject {
  const [settings = {}] = Object.values(component).filter(isObject);
  const shared = part(settings, "sharedSettings");
  const page = isObject(settings.landingPage) ? landingPageFrom(settings.landingPage) : {};
  const logo = objectsIn(settings.brandLogos)?.[0] ?? part(shared, "brandLogos");
  const creative = defined({
    brandName: settings.brand ?? shared.brand,
    brandLogoAssetID: logo.assetId === undefined ? undefined : assetText(logo),
    brandLogoCrop: objectsIn(logo.formatProperties)?.[0],
    headline: Array.isArray(settings.headlines) ? settings.headlines[0] : undefined,
    asins: ids(settings.products ?? settings.productInclusions),
    asinExclusions: ids(settings.productExclusions),
    customImages: objectsIn(settings.customImages)?.map((image) =>
      defined({ assetId: assetText(image), crop: objectsIn(image.formatProperties)?.[0] })
    ),
    videoAssetIds: objectsIn(settings.videos)?.map(assetText),
    subpages: objectsIn(settings.cards)?.map(subpageFrom),
    title: settings.title,
    consentToTranslate: settings.enableCreativeAutoTranslation,
    creativePropertiesToOptimize: settings.creativePropertiesToOptimize,
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

export function toSettings(ad: JsonObject): JsonObject {
  const creative = part(ad, "creative");
  const logo = creative.brandLogoAssetID === undefined
    ? undefined
    : assetOf(creative.brandLogoAssetID, creative.brandLogoCrop);
  const moderationStatus = { moderationStatus: STATUSES[String(creative.creativeStatus)] ?? "PUBLISHED" };
  const brand = defined({
    brand: creative.brandName,
    brandLogos: logo === undefined ? undefined : [logo],
    headlines: creative.headline === undefined ? undefined : [creative.headline],
    enableCreativeAutoTranslation: creative.consentToTranslate,
    creativePropertiesToOptimize: creative.creativePropertiesToOptimize,
    moderationStatus,
  });
  const products = productsOf(creative.asins);
  const landingPage = isObject(ad.landingPage) ? landingPageTo(ad.landingPage) : undefined;
  const sharedSettings = defined({ brand: creative.brandName, brandLogos: logo, moderationStatus });
  const videos = texts(creative.videoAssetIds)?.map((text) => assetOf(text));
  const image = creative.customImageAssetId === undefined
    ? undefined
    : [assetOf(creative.customImageAssetId, creative.customImageCrop)];
  switch (creative.type) {
    case "STORE_SPOTLIGHT":
      return {
        storeSpotlightSettings: defined({
          ...brand,
          cards: objectsIn(creative.subpages)?.map(cardTo),
          landingPage,
        }),
      };
    case "VIDEO":
    case "BRAND_VIDEO":
      return {
        productVideoSettings: defined({
          ...brand,
          products,
          videos,
          untranslatedVideos: videos,
          landingPage,
        }),
      };
    case "AUTO_COLLECTION":
      return {
        autoCollectionSettings: defined({
          sharedSettings,
          productExclusions: productsOf(creative.asinExclusions),
        }),
      };
    case "MANUAL_COLLECTION":
      return {
        manualCollectionSettings: defined({
          sharedSettings,
          productInclusions: products,
          landingPage,
          title: creative.title,
        }),
      };
    default:
      return {
        productCollectionSettings: defined({
          ...brand,
          products,
          customImages: objectsIn(creative.customImages)?.map(({ assetId, crop }) =>
            assetOf(assetId, crop)
          ) ??
            image,
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

function ids(value: Json | undefined): string[] | undefined {
  return objectsIn(value)?.map(({ productId }) => String(productId));
}

function productsOf(asins: Json | undefined): JsonObject[] | undefined {
  return texts(asins)?.map((productId) => ({ productId, productIdType: "ASIN" }));
}

function assetText({ assetId, assetVersion }: JsonObject): string {
  return `${assetId}:${assetVersion}`;
}

/** An asset without a version uses the first one. */
function assetOf(text: Json | undefined, crop?: Json): JsonObject {
  const [, assetId = String(text), assetVersion = "version_v1"] = /^(.+):([^:]+)$/.exec(String(text)) ?? [];
  return defined({ assetId, assetVersion, formatProperties: crop === undefined ? undefined : [crop] });
}

const STATUSES: Readonly<Record<string, string>> = {
  SUBMITTED_FOR_MODERATION: "SUBMITTED_FOR_MODERATION",
  PENDING_MODERATION_REVIEW: "SUBMITTED_FOR_MODERATION",
  PENDING_TRANSLATION: "PENDING_TRANSLATION",
  REJECTED_BY_MODERATION: "REJECTED_BY_MODERATION",
};

function texts(value: Json | undefined): string[] | undefined {
  return Array.isArray(value) ? value.map(String) : undefined;
}
