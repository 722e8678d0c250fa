import type { Clearable, ItemInput } from "./item_input.ts";
import type { OpenEnum, OpenFields } from "./entity_fields.ts";

/** A Sponsored Display campaign. */
export interface SdCampaign extends SdExtendedData, OpenFields {
  /** Id that the platform gives the campaign: digits, exact past 2^53. */
  readonly campaignId: string;
  /** Name, unique in the profile. */
  readonly name: string;
  /** `enabled`, `paused` or `archived`. */
  readonly state: SdState;
  /** Daily amount in the marketplace's currency, a plain number. */
  readonly budget: number;
  /** Period of the budget; always daily. */
  readonly budgetType: OpenEnum<"daily">;
  /**
   * `T00020` for products and the content they are shown next to, `T00030` for audiences; cannot be changed. Required
   * for new campaigns on the older wire; the unified family derives it from the targets.
   */
  readonly tactic?: OpenEnum<"T00020" | "T00030">;
  /** Event that is billed: a click or a thousand viewable impressions; cannot be changed. */
  readonly costType?: OpenEnum<"cpc" | "vcpm">;
  /** First day, `YYYYMMDD`; `YYYY-MM-DD` is accepted too. */
  readonly startDate?: string;
  /** Last day, `YYYYMMDD`; without one, the campaign has no end. */
  readonly endDate?: string;
  /** Id of the portfolio that contains the campaign. */
  readonly portfolioId?: string;
  /** The advertiser's own tags, at most 50; available only on the unified wire. */
  readonly tags?: Readonly<Record<string, string>>;
  /** How the budget is spread over the day; read only. */
  readonly deliveryProfile?: OpenEnum<"as_soon_as_possible">;
  /** The budget set by a rule; read only. */
  readonly ruleBasedBudget?: Readonly<Record<string, unknown>>;
}

/** A Sponsored Display campaign to create. */
export type NewSdCampaign = ItemInput<SdCampaign, "name" | "budget">;

/** Update of a Sponsored Display campaign: its id and the fields to change. */
export type SdCampaignUpdate = ItemInput<
  Clearable<SdCampaign, "endDate" | "portfolioId" | "tags">,
  "campaignId"
>;

/** A Sponsored Display ad group. */
export interface SdAdGroup extends SdExtendedData, OpenFields {
  /** Id that the platform gives the ad group: digits, exact past 2^53. */
  readonly adGroupId: string;
  /** Id of the campaign it belongs to. */
  readonly campaignId: string;
  /** Name, unique in the campaign. */
  readonly name: string;
  /** `enabled`, `paused` or `archived`. */
  readonly state: SdState;
  /** Default bid of targets, in the marketplace's currency: for a click or for a thousand viewable impressions. */
  readonly defaultBid?: number;
  /** Goal by which the platform adjusts bids. */
  readonly bidOptimization?: OpenEnum<"clicks" | "conversions" | "reach">;
  /** Type of the ad group's creatives; cannot be changed. */
  readonly creativeType?: OpenEnum<"IMAGE" | "VIDEO">;
  /** Tactic of the campaign; read only. */
  readonly tactic?: OpenEnum<"T00020" | "T00030">;
}

/** A Sponsored Display ad group to create. */
export type NewSdAdGroup = ItemInput<SdAdGroup, "campaignId" | "name" | "state">;

/** Update of a Sponsored Display ad group: its id and the fields to change. */
export type SdAdGroupUpdate = ItemInput<SdAdGroup, "adGroupId">;

/** A Sponsored Display ad for one product, or for a page if a landing page is given. */
export interface SdProductAd extends SdExtendedData, OpenFields {
  /** Id that the platform gives the product ad: digits, exact past 2^53. */
  readonly adId: string;
  /** Id of the campaign that contains the ad. */
  readonly campaignId: string;
  /** Id of the ad group that contains the ad. */
  readonly adGroupId: string;
  /** `enabled`, `paused` or `archived`. */
  readonly state: SdState;
  /** ASIN of the product; set by vendors. */
  readonly asin?: string;
  /** The seller's SKU; set by sellers. */
  readonly sku?: string;
  /** Name given by the advertiser. */
  readonly adName?: string;
  /** Type of landing page: a store, a moment or a page off the platform. */
  readonly landingPageType?: OpenEnum<"STORE" | "MOMENT" | "OFF_PLATFORM_LINK">;
  /** Page that a click opens instead of the product's page. */
  readonly landingPageURL?: string;
}

/** A Sponsored Display ad to create. */
export type NewSdProductAd = ItemInput<SdProductAd, "campaignId" | "adGroupId" | "state">;

/** Update of a Sponsored Display ad, with its id. */
export type SdProductAdUpdate = ItemInput<SdProductAd, "adId">;

/** A Sponsored Display targeting clause: products, content or an audience. */
export interface SdTarget extends SdExtendedData, OpenFields {
  /** Id that the platform gives the target: digits, exact past 2^53. */
  readonly targetId: string;
  /** Id of the campaign it belongs to; the platform takes it from the ad group. */
  readonly campaignId?: string;
  /** Ad group it belongs to. */
  readonly adGroupId: string;
  /** Targeted products or audiences; cannot be changed. */
  readonly expression: readonly SdPredicate[];
  /** Origin of the expression. */
  readonly expressionType: OpenEnum<"manual" | "auto">;
  /** The expression with names in place of ids; read only. */
  readonly resolvedExpression?: readonly SdPredicate[];
  /** `enabled`, `paused` or `archived`. */
  readonly state: SdState;
  /** Bid in the marketplace's currency, from 0.02; if absent, the ad group's default bid applies. */
  readonly bid?: number;
}

/** A Sponsored Display targeting clause to create. */
export type NewSdTarget = ItemInput<SdTarget, "adGroupId" | "expression" | "expressionType">;

/** Update of a Sponsored Display targeting clause: its id and the fields to change. */
export type SdTargetUpdate = ItemInput<Clearable<SdTarget, "bid">, "targetId">;

/** A Sponsored Display negative targeting clause. The platform does not return its campaign. */
export interface SdNegativeTarget extends SdExtendedData, OpenFields {
  /** Id that the platform gives the negative target: digits, exact past 2^53. */
  readonly targetId: string;
  /** Ad group it belongs to. */
  readonly adGroupId: string;
  /** Products (`asinSameAs`) or brands (`asinBrandSameAs`) to exclude; cannot be changed. */
  readonly expression: readonly SdPredicate[];
  /** Origin of the expression. */
  readonly expressionType: OpenEnum<"manual" | "auto">;
  /** `enabled`, `paused` or `archived`. */
  readonly state: SdState;
}

/** A Sponsored Display negative targeting clause to create. */
export type NewSdNegativeTarget = ItemInput<
  SdNegativeTarget,
  "adGroupId" | "expression" | "expressionType" | "state"
>;

/** Update of a Sponsored Display negative targeting clause: its id and the fields to change. */
export type SdNegativeTargetUpdate = ItemInput<SdNegativeTarget, "targetId">;

/** One part of a targeting expression of Sponsored Display. */
export interface SdPredicate {
  /**
   * Property to compare: products (`asinSameAs`, `asinCategorySameAs`, `asinPriceBetween`, `similarProduct` ...),
   * content (`contentCategorySameAs`), or audiences (`views`, `purchases`, `audience`), whose value is a list.
   */
  readonly type: OpenEnum<
    | "asinSameAs"
    | "asinCategorySameAs"
    | "asinBrandSameAs"
    | "asinPriceBetween"
    | "asinPriceGreaterThan"
    | "asinPriceLessThan"
    | "asinReviewRatingBetween"
    | "asinReviewRatingGreaterThan"
    | "asinReviewRatingLessThan"
    | "asinAgeRangeSameAs"
    | "asinGenreSameAs"
    | "asinIsPrimeShippingEligible"
    | "similarProduct"
    | "contentCategorySameAs"
    | "views"
    | "purchases"
    | "audience"
  >;
  /**
   * Value to compare with; for an audience, the predicates that describe it, such as `{ type: "lookback", value: "30"
   * }`.
   */
  readonly value?:
    | string
    | readonly {
      /**
       * Property to compare: as above, or `exactProduct`, `relatedProduct`, `audienceSameAs`, `lookback`, `negative`.
       */
      readonly type: string;
      /** Value to compare with, if the type requires one. */
      readonly value?: string;
    }[];
}

/** State of a Sponsored Display entity; upper case is also accepted on writes. */
export type SdState = OpenEnum<"enabled" | "paused" | "archived">;

/** Fields that the platform adds to an entity of Sponsored Display on request for extended data. */
export interface SdExtendedData {
  /** When it was created, in milliseconds since 1970. */
  readonly creationDate?: number;
  /** When it was last changed, in milliseconds since 1970. */
  readonly lastUpdatedDate?: number;
  /** Delivery status with its reason, such as `CAMPAIGN_PAUSED`. */
  readonly servingStatus?: string;
}
