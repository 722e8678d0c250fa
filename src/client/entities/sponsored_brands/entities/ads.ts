import type { Clearable, ItemInput } from "../../model/item_input.ts";
import type { EntityState, OpenEnum, OpenFields } from "../../model/entity_fields.ts";
import type { SbExtendedData } from "./campaigns.ts";
import type { Fields } from "../../model/resource_wire.ts";

/** A Sponsored Brands ad. */
export interface SbAd extends OpenFields {
  /** Id that the platform gives the ad: digits, exact past 2^53. */
  readonly adId: string;
  /** Campaign it belongs to; given by the platform. */
  readonly campaignId: string;
  /** Ad group it belongs to. */
  readonly adGroupId: string;
  /** Name, at most 255 characters. */
  readonly name: string;
  /** `ENABLED`, `PAUSED` or `ARCHIVED`; newer words pass through. */
  readonly state: EntityState;
  /** For a create only, and never sent: chooses the endpoint. `productCollectionExtended` when absent. */
  readonly adFormat?: OpenEnum<SbAdFormat>;
  /** Content of the ad. An update makes a new version of it, which takes over what the update does not name. */
  readonly creative?: SbCreative;
  /** Landing page of a click. */
  readonly landingPage?: SbLandingPage;
  /** The advertiser's own tags, at most 50; read and set on the unified wire alone. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Creation and update times. */
  readonly extendedData?: SbExtendedData;
}

/** A Sponsored Brands ad to create. */
export type NewSbAd = ItemInput<SbAd, "adGroupId" | "name" | "state" | "creative">;

/** Changes of a Sponsored Brands ad, which its id names. */
export type SbAdUpdate = ItemInput<Clearable<SbAd, "tags">, "adId">;

/** Content of a Sponsored Brands ad; its parts depend on the format. */
export interface SbCreative extends OpenFields {
  /** Kind of creative; given by the platform. */
  readonly type?: OpenEnum<"PRODUCT_COLLECTION" | "STORE_SPOTLIGHT" | "VIDEO" | "BRAND_VIDEO">;
  /** Brand as shown, at most 30 characters. */
  readonly brandName?: string;
  /** Headline, at most 50 characters. */
  readonly headline?: string;
  /** Products shown. */
  readonly asins?: readonly string[];
  /** Headline before it was translated; given by the platform. */
  readonly originalHeadline?: string;
  /** True to let the platform translate. */
  readonly consentToTranslate?: boolean;
  /** Parts that the platform may choose by itself. */
  readonly creativePropertiesToOptimize?: readonly OpenEnum<"HEADLINE">[];
  /** From the asset library. */
  readonly brandLogoAssetID?: string;
  /** The part of the logo that is shown. */
  readonly brandLogoCrop?: SbCrop;
  /** Address of the logo; given by the platform. */
  readonly brandLogoUrl?: string;
  /** From the asset library. */
  readonly customImageAssetId?: string;
  /** The part of the image that is shown. */
  readonly customImageCrop?: SbCrop;
  /** Address of the image; given by the platform. */
  readonly customImageUrl?: string;
  /** Images, five at most. */
  readonly customImages?: readonly SbImage[];
  /** Video, by its asset id. */
  readonly videoAssetIds?: readonly string[];
  /** Video before it was translated; given by the platform. */
  readonly originalVideoAssetIds?: readonly string[];
  /** Pages of a store that are shown. */
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
  /** Number of this creative among those the ad had; given by the platform. */
  readonly creativeVersion?: string;
}

/** Landing page of a Sponsored Brands ad. */
export interface SbLandingPage extends OpenFields {
  /** Kind of page. */
  readonly pageType?: OpenEnum<"PRODUCT_LIST" | "STORE" | "CUSTOM_URL" | "DETAIL_PAGE">;
  /** Products of a page that lists products. */
  readonly asins?: readonly string[];
  /** Address of a page that is given by it. */
  readonly url?: string;
}

/** The part of an image that is shown, in pixels. */
export interface SbCrop {
  /** From the left edge. */
  readonly left: number;
  /** From the upper edge. */
  readonly top: number;
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
}

/** An image of a Sponsored Brands ad. */
export interface SbImage {
  /** From the asset library. */
  readonly assetId?: string;
  /** The part that is shown. */
  readonly crop?: SbCrop;
  /** Address; given by the platform. */
  readonly url?: string;
}

/** A page of a store that a Sponsored Brands ad shows. */
export interface SbSubpage {
  /** Product shown for it. */
  readonly asin?: string;
  /** Shown above the products. */
  readonly pageTitle?: string;
  /** Address. */
  readonly url?: string;
}

/**
 * Formats of Sponsored Brands ads; each is created at an endpoint of its own.
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

/** The one that took the place of `productCollection`, which ended on 2024-11-30. */
export const DEFAULT_SB_AD_FORMAT = "productCollectionExtended";

/** Formats whose ads name the page that a click leads to. */
export const SB_AD_FORMATS_WITH_PAGE: readonly string[] = [
  "productCollection",
  "productCollectionExtended",
  "storeSpotlight",
  "brandVideo",
];

/** The format of a new ad. */
export function sbAdFormatOf(ad: Fields): string {
  return String(ad["adFormat"] ?? DEFAULT_SB_AD_FORMAT);
}
