import type { ItemInput } from "../../fields/item_input.ts";
import type { EntityState, ExtendedData } from "../../fields/entity_fields.ts";

/** A Sponsored Products ad group. */
export interface AdGroup {
  /** Digits, exact past 2^53; the platform gives it. */
  readonly adGroupId: string;
  /** Campaign it belongs to. */
  readonly campaignId: string;
  /** Shown to people; unique in its campaign. */
  readonly name: string;
  /** `ENABLED`, `PAUSED` or `ARCHIVED`; newer words pass through. */
  readonly state: EntityState;
  /** Bid of targets without one of their own, in the marketplace's currency. */
  readonly defaultBid: number;
  /** Creation and update times, when asked for. */
  readonly extendedData?: ExtendedData;
  /** Fields that the platform adds later. */
  readonly [field: string]: unknown;
}

/** An ad group to create. */
export type NewAdGroup = ItemInput<AdGroup, "campaignId" | "name" | "state" | "defaultBid">;

/** Changes of an ad group, which its id names. */
export type AdGroupUpdate = ItemInput<AdGroup, "adGroupId">;

/** A Sponsored Products ad for one product. */
export interface ProductAd {
  /** Digits, exact past 2^53; the platform gives it. */
  readonly adId: string;
  /** Campaign it belongs to. */
  readonly campaignId: string;
  /** Ad group it belongs to. */
  readonly adGroupId: string;
  /** Product; vendors and authors give it. */
  readonly asin?: string;
  /** The seller's own product number; sellers give it. */
  readonly sku?: string;
  /** Text of the ad, 50 to 150 characters; books only. */
  readonly customText?: string;
  /** For a product that is sold from another country's store. */
  readonly globalStoreSetting?: {
    /** Two letters. */
    readonly catalogSourceCountryCode?: string;
  };
  /** `ENABLED`, `PAUSED` or `ARCHIVED`; newer words pass through. */
  readonly state: EntityState;
  /** Creation and update times, when asked for. */
  readonly extendedData?: ExtendedData;
  /** Fields that the platform adds later. */
  readonly [field: string]: unknown;
}

/** A product ad to create. */
export type NewProductAd = ItemInput<ProductAd, "campaignId" | "adGroupId" | "state">;

/** Changes of a product ad, which its id names. */
export type ProductAdUpdate = ItemInput<ProductAd, "adId">;
