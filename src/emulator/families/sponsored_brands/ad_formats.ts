import type { Field, Fields } from "../../entities/shape.ts";
import { choice, FLAG, list, number, object, optional, required, text } from "../../entities/shape.ts";

export interface AdFormat {
  readonly name: string;
  readonly operation: string;
  readonly creativeType: string;
  readonly creative: Fields;
  /** A video's landing page follows from its product. */
  readonly landingPage: "ad" | "creative" | "none";
}

const ASIN = text({ min: 10, max: 10 });
const SIDE = optional(number());
const CROP = optional(object({ height: SIDE, left: SIDE, top: SIDE, width: SIDE }));
const TRANSLATE: Field = optional(FLAG);
const OPTIMIZE: Field = optional(list(choice("HEADLINE"), 1));
const VIDEO: Field = optional(list(text(), 1));

const BRAND: Fields = {
  brandName: optional(text({ min: 1, max: 30 })),
  brandLogoAssetID: optional(text()),
  brandLogoCrop: CROP,
  headline: optional(text({ min: 1, max: 50 })),
};
const IMAGE = object({ assetId: optional(text()), crop: CROP, url: optional(text()) });
const COLLECTION: Fields = {
  ...BRAND,
  asins: optional(list(ASIN, 3)),
  consentToTranslate: TRANSLATE,
  creativePropertiesToOptimize: OPTIMIZE,
  customImages: optional(list(IMAGE, 5)),
};
const SUBPAGE = object({ asin: optional(ASIN), pageTitle: optional(text()), url: optional(text()) });

export const LANDING_PAGE: Field = required(object({
  asins: optional(list(ASIN, 100)),
  pageType: optional(choice("PRODUCT_LIST", "STORE", "CUSTOM_URL", "DETAIL_PAGE")),
  url: optional(text()),
}));

export const AD_FORMATS: readonly AdFormat[] = [
  {
    name: "productCollection",
    operation: "sponsored-brands-v4:CreateSponsoredBrandsProductCollectionAds",
    creativeType: "PRODUCT_COLLECTION",
    creative: {
      ...BRAND,
      asins: optional(list(ASIN, 3)),
      customImageAssetId: optional(text()),
      customImageCrop: CROP,
    },
    landingPage: "ad",
  },
  {
    name: "productCollectionExtended",
    operation: "sponsored-brands-v4:CreateSponsoredBrandsExtendedProductCollectionAds",
    creativeType: "PRODUCT_COLLECTION",
    creative: COLLECTION,
    landingPage: "ad",
  },
  {
    name: "storeSpotlight",
    operation: "sponsored-brands-v4:CreateSponsoredBrandStoreSpotlightAds",
    creativeType: "STORE_SPOTLIGHT",
    creative: {
      ...BRAND,
      consentToTranslate: TRANSLATE,
      creativePropertiesToOptimize: OPTIMIZE,
      subpages: optional(list(SUBPAGE, 3)),
    },
    landingPage: "ad",
  },
  {
    name: "video",
    operation: "sponsored-brands-v4:CreateSponsoredBrandsVideoAds",
    creativeType: "VIDEO",
    creative: { asins: optional(list(ASIN, 1)), consentToTranslate: TRANSLATE, videoAssetIds: VIDEO },
    landingPage: "none",
  },
  {
    name: "brandVideo",
    operation: "sponsored-brands-v4:CreateSponsoredBrandsBrandVideoAds",
    creativeType: "BRAND_VIDEO",
    creative: {
      ...BRAND,
      asins: optional(list(ASIN, 3)),
      consentToTranslate: TRANSLATE,
      videoAssetIds: VIDEO,
    },
    landingPage: "ad",
  },
  {
    name: "autoCollection",
    operation: "sponsored-brands-v4:CreateSponsoredBrandsAutoCollectionAds",
    creativeType: "AUTO_COLLECTION",
    creative: COLLECTION,
    landingPage: "ad",
  },
  {
    name: "manualCollection",
    operation: "sponsored-brands-v4:CreateSponsoredBrandsManualCollectionAds",
    creativeType: "MANUAL_COLLECTION",
    creative: { ...COLLECTION, landingPage: LANDING_PAGE },
    landingPage: "creative",
  },
];
