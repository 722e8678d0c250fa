import type { ItemInput } from "../../fields/item_input.ts";
import type { OpenEnum } from "../../fields/open_enum.ts";
import type { SdExtendedData } from "./sd_extended_data.ts";
import type { SdState } from "./sd_state.ts";

/** A Sponsored Display ad for one product, or for a page where a landing page is given. */
export interface SdProductAd extends SdExtendedData {
  /** Digits, exact past 2^53; the platform gives it. */
  readonly adId: string;
  /** Campaign it belongs to. */
  readonly campaignId: string;
  /** Ad group it belongs to. */
  readonly adGroupId: string;
  /** `enabled`, `paused` or `archived`. */
  readonly state: SdState;
  /** Product; vendors give it. */
  readonly asin?: string;
  /** The seller's own product number; sellers give it. */
  readonly sku?: string;
  /** A text of the advertiser. */
  readonly adName?: string;
  /** Type of landing page: a store, a moment or a page off the platform. */
  readonly landingPageType?: OpenEnum<"STORE" | "MOMENT" | "OFF_PLATFORM_LINK">;
  /** Landing page of a click, instead of the product. */
  readonly landingPageURL?: string;
  /** Fields that the platform adds later. */
  readonly [field: string]: unknown;
}

/** A Sponsored Display ad to create. */
export type NewSdProductAd = ItemInput<SdProductAd, "campaignId" | "adGroupId" | "state">;

/** Changes of a Sponsored Display ad, which its id names. */
export type SdProductAdUpdate = ItemInput<SdProductAd, "adId">;
