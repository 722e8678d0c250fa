import type { EntityState, ExtendedData, OpenEnum } from "../open_enum.ts";
import type { SbAdFormat } from "./sb_ad_format.ts";

/** A Sponsored Brands ad. */
export interface SbAd {
  /** Id. */
  readonly adId: string;
  /** Campaign it belongs to; given by the platform. */
  readonly campaignId: string;
  /** Ad group it belongs to. */
  readonly adGroupId: string;
  /** Name, at most 255 characters. */
  readonly name: string;
  /** State. */
  readonly state: EntityState;
  /** For a create only, and never sent: chooses the endpoint. `productCollection` when absent. */
  readonly adFormat?: OpenEnum<SbAdFormat>;
  /** What the ad shows. */
  readonly creative?: SbCreative;
  /** Where a click leads. */
  readonly landingPage?: SbLandingPage;
  /** Creation and update times. */
  readonly extendedData?: ExtendedData;
  /** Fields that the platform adds later. */
  readonly [field: string]: unknown;
}

/** What a Sponsored Brands ad shows; which parts there are depends on the format. */
export interface SbCreative {
  /** Kind of creative; given by the platform. */
  readonly type?: OpenEnum<"PRODUCT_COLLECTION" | "STORE_SPOTLIGHT" | "VIDEO" | "BRAND_VIDEO">;
  /** Brand as shown, at most 30 characters. */
  readonly brandName?: string;
  /** Headline, at most 50 characters. */
  readonly headline?: string;
  /** Products shown. */
  readonly asins?: readonly string[];
  /** Brand logo, by its asset id. */
  readonly brandLogoAssetID?: string;
  /** Video, by its asset id. */
  readonly videoAssetIds?: readonly string[];
  /** Pages of a store that are shown. */
  readonly subpages?: readonly Readonly<Record<string, unknown>>[];
  /** Where the creative is in moderation; given by the platform. */
  readonly creativeStatus?: OpenEnum<
    | "SUBMITTED_FOR_MODERATION"
    | "PENDING_MODERATION_REVIEW"
    | "APPROVED_BY_MODERATION"
    | "REJECTED_BY_MODERATION"
  >;
  /** Further parts: images and their crops, translation, what the platform adds later. */
  readonly [field: string]: unknown;
}

/** Where a click on a Sponsored Brands ad leads. */
export interface SbLandingPage {
  /** Kind of page. */
  readonly pageType?: OpenEnum<"PRODUCT_LIST" | "STORE" | "CUSTOM_URL" | "DETAIL_PAGE">;
  /** Products of a page that lists products. */
  readonly asins?: readonly string[];
  /** Address of a page that is given by it. */
  readonly url?: string;
  /** Fields that the platform adds later. */
  readonly [field: string]: unknown;
}
