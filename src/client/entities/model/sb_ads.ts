import { sameValue } from "../../../base/json/canonical_json.ts";
import type { Clearable, ItemInput } from "./item_input.ts";
import type { EntityState, OpenEnum, OpenFields } from "./entity_fields.ts";
import type { SbExtendedData } from "./sb_entities.ts";
import type { Fields } from "./resource_wire.ts";

/** A Sponsored Brands ad. */
export interface SbAd extends OpenFields {
  /** Id that the platform gives the ad: digits, exact past 2^53. */
  readonly adId: string;
  /** Id of the campaign that contains the ad; given by the platform. */
  readonly campaignId: string;
  /** Id of the ad group that contains the ad. */
  readonly adGroupId: string;
  /** Name, at most 255 characters. */
  readonly name: string;
  /** `ENABLED`, `PAUSED` or `ARCHIVED`; newer values are passed through. */
  readonly state: EntityState;
  /**
   * Format of the ad, which selects the endpoint for creates and is never sent; `productCollectionExtended` if absent.
   */
  readonly adFormat?: OpenEnum<SbAdFormat>;
  /** Content of the ad. An update creates a new version, which keeps the parts that the update omits. */
  readonly creative?: SbCreative;
  /** Page that a click on the ad opens. */
  readonly landingPage?: SbLandingPage;
  /** The advertiser's own tags, at most 50; available only on the unified wire. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Creation and update times. */
  readonly extendedData?: SbExtendedData;
}

/** A Sponsored Brands ad to create. */
export type NewSbAd = ItemInput<SbAd, "adGroupId" | "name" | "state" | "creative">;

/** Update of a Sponsored Brands ad: its id and the fields to change. */
export type SbAdUpdate = ItemInput<Clearable<SbAd, "tags">, "adId">;

/** Content of a Sponsored Brands ad; its parts depend on the format. */
export interface SbCreative extends OpenFields {
  /** Kind of creative; given by the platform. */
  readonly type?: OpenEnum<"PRODUCT_COLLECTION" | "STORE_SPOTLIGHT" | "VIDEO" | "BRAND_VIDEO">;
  /** Brand name shown in the ad, at most 30 characters. */
  readonly brandName?: string;
  /** Headline, at most 50 characters. */
  readonly headline?: string;
  /** Products shown. */
  readonly asins?: readonly string[];
  /** Headline before it was translated; given by the platform. */
  readonly originalHeadline?: string;
  /** True to let the platform translate the ad. */
  readonly consentToTranslate?: boolean;
  /** Parts that the platform may optimize by itself. */
  readonly creativePropertiesToOptimize?: readonly OpenEnum<"HEADLINE">[];
  /** Id of the logo in the asset library. */
  readonly brandLogoAssetID?: string;
  /** The part of the logo that is shown. */
  readonly brandLogoCrop?: SbCrop;
  /** Address of the logo; given by the platform. */
  readonly brandLogoUrl?: string;
  /** Id of the image in the asset library. */
  readonly customImageAssetId?: string;
  /** The part of the image that is shown. */
  readonly customImageCrop?: SbCrop;
  /** Address of the image; given by the platform. */
  readonly customImageUrl?: string;
  /** Images, five at most. */
  readonly customImages?: readonly SbImage[];
  /** Ids of the video in the asset library. */
  readonly videoAssetIds?: readonly string[];
  /** Asset ids of the video before it was translated; given by the platform. */
  readonly originalVideoAssetIds?: readonly string[];
  /** Store pages shown in the ad. */
  readonly subpages?: readonly SbSubpage[];
  /** Moderation status of the creative; given by the platform. */
  readonly creativeStatus?: OpenEnum<
    | "SUBMITTED_FOR_MODERATION"
    | "PENDING_TRANSLATION"
    | "PENDING_MODERATION_REVIEW"
    | "APPROVED_BY_MODERATION"
    | "REJECTED_BY_MODERATION"
    | "PUBLISHED"
  >;
  /** Version number of this creative; given by the platform. */
  readonly creativeVersion?: string;
}

/** Landing page of a Sponsored Brands ad. */
export interface SbLandingPage extends OpenFields {
  /** Kind of page. */
  readonly pageType?: OpenEnum<"PRODUCT_LIST" | "STORE" | "CUSTOM_URL" | "DETAIL_PAGE">;
  /** Products on the page, if it lists products. */
  readonly asins?: readonly string[];
  /** URL of the page, if the page is given by its URL. */
  readonly url?: string;
}

/** The part of an image that is shown, in pixels. */
export interface SbCrop {
  /** Distance from the left edge, in pixels. */
  readonly left: number;
  /** Distance from the top edge, in pixels. */
  readonly top: number;
  /** Width in pixels. */
  readonly width: number;
  /** Height in pixels. */
  readonly height: number;
}

/** An image of a Sponsored Brands ad. */
export interface SbImage {
  /** Id of the image in the asset library. */
  readonly assetId?: string;
  /** The part of the image that is shown. */
  readonly crop?: SbCrop;
  /** Address of the image; given by the platform. */
  readonly url?: string;
}

/** A page of a store that a Sponsored Brands ad shows. */
export interface SbSubpage {
  /** Product that represents the page. */
  readonly asin?: string;
  /** Title shown above the products. */
  readonly pageTitle?: string;
  /** URL of the page. */
  readonly url?: string;
}

/**
 * Formats of Sponsored Brands ads; each has its own endpoint for creating ads.
 *
 * @example
 * ```ts
 * import { SB_AD_FORMATS } from "@platform/ads";
 *
 * console.log(SB_AD_FORMATS.includes("video")); // true
 * ```
 */
export const SB_AD_FORMATS = [
  "productCollection",
  "productCollectionExtended",
  "storeSpotlight",
  "video",
  "brandVideo",
  "autoCollection",
  "manualCollection",
] as const;

/** A format of a Sponsored Brands ad. */
export type SbAdFormat = typeof SB_AD_FORMATS[number];

/** Default format, which replaces `productCollection`, retired on 2024-11-30. */
export const DEFAULT_SB_AD_FORMAT = "productCollectionExtended";

export const SB_AD_FORMATS_WITH_PAGE: readonly string[] = [
  "productCollection",
  "productCollectionExtended",
  "storeSpotlight",
  "brandVideo",
];

export function sbAdFormatOf(ad: Fields): string {
  return String(ad["adFormat"] ?? DEFAULT_SB_AD_FORMAT);
}

export function asExtendedCollection(creative: Fields): Fields {
  const { customImageAssetId, customImageCrop, ...rest } = creative;
  if (customImageAssetId === undefined || rest["customImages"] !== undefined) return rest;
  const crop = customImageCrop === undefined ? {} : { crop: customImageCrop };
  return { ...rest, customImages: [{ assetId: customImageAssetId, ...crop }] };
}

/**
 * Rejects conflicting image fields. The extended format has only `customImages`, so legacy image fields would be lost.
 *
 * @throws {TypeError} naming the field to use.
 */
export function checkOneImage(creative: Fields): void {
  const { customImageAssetId, customImageCrop, customImages } = creative;
  if (customImageAssetId === undefined && customImageCrop === undefined) return;
  const { customImages: same } = asExtendedCollection({ customImageAssetId, customImageCrop });
  if (same !== undefined && (customImages === undefined || sameValue(customImages, same))) return;
  throw new TypeError(
    same === undefined
      ? "Cannot use customImageCrop without customImageAssetId: give the crop with its image, in customImages"
      : "Cannot use customImageAssetId and customImageCrop beside other customImages: give every image in customImages",
  );
}
