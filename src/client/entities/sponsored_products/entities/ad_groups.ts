import type { Clearable, ItemInput } from "../../model/item_input.ts";
import type { Entity, InAdGroup, InCampaign } from "../../model/entity_fields.ts";

/** A Sponsored Products ad group. */
export interface AdGroup extends InCampaign, Entity {
  /** Id that the platform gives the ad group: digits, exact past 2^53. */
  readonly adGroupId: string;
  /** Shown to people; unique in its campaign. */
  readonly name: string;
  /** Bid of targets without one of their own, in the marketplace's currency. */
  readonly defaultBid: number;
}

/** An ad group to create. */
export type NewAdGroup = ItemInput<AdGroup, "campaignId" | "name" | "state" | "defaultBid">;

/** Changes of an ad group, which its id names. */
export type AdGroupUpdate = ItemInput<Clearable<AdGroup, "tags">, "adGroupId">;

/** A Sponsored Products ad for one product. */
export interface ProductAd extends InAdGroup, Entity {
  /** Id that the platform gives the product ad: digits, exact past 2^53. */
  readonly adId: string;
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
}

/** A product ad to create. */
export type NewProductAd = ItemInput<ProductAd, "campaignId" | "adGroupId" | "state">;

/** Changes of a product ad, which its id names. */
export type ProductAdUpdate = ItemInput<Clearable<ProductAd, "tags">, "adId">;
