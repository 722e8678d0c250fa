import type { Clearable, ItemInput } from "./item_input.ts";
import type { Entity, InAdGroup, InCampaign } from "./entity_fields.ts";

/** A Sponsored Products ad group. */
export interface AdGroup extends InCampaign, Entity {
  /** Id that the platform gives the ad group: digits, exact past 2^53. */
  readonly adGroupId: string;
  /** Display name, unique in its campaign. */
  readonly name: string;
  /** Default bid for targets without a bid of their own, in the marketplace's currency. */
  readonly defaultBid: number;
}

/** An ad group to create. */
export type NewAdGroup = ItemInput<AdGroup, "campaignId" | "name" | "state" | "defaultBid">;

/** Update of an ad group: its id and the fields to change. */
export type AdGroupUpdate = ItemInput<Clearable<AdGroup, "tags">, "adGroupId">;

/** A Sponsored Products ad for one product. */
export interface ProductAd extends InAdGroup, Entity {
  /** Id that the platform gives the product ad: digits, exact past 2^53. */
  readonly adId: string;
  /** ASIN of the product; set by vendors and authors. */
  readonly asin?: string;
  /** The seller's SKU; set by sellers. */
  readonly sku?: string;
  /** Text of the ad, 50 to 150 characters; books only. */
  readonly customText?: string;
  /** Settings for a product that is sold from another country's store. */
  readonly globalStoreSetting?: {
    /** Two-letter country code. */
    readonly catalogSourceCountryCode?: string;
  };
}

/** A product ad to create. */
export type NewProductAd = ItemInput<ProductAd, "campaignId" | "adGroupId" | "state">;

/** Update of a product ad: its id and the fields to change. */
export type ProductAdUpdate = ItemInput<Clearable<ProductAd, "tags">, "adId">;
