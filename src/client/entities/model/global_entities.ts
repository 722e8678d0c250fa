import type { Entity, EntityState, OpenEnum } from "./entity_fields.ts";
import type { Clearable, ItemInput } from "./item_input.ts";
import type { DynamicBidding, TargetingPredicate } from "./sp_entities.ts";

/** A Sponsored Products campaign of a global account, which runs in several marketplaces. */
export interface GlobalCampaign extends Entity {
  /** Id of the global campaign, to which its copies refer as `globalCampaignId`. */
  readonly campaignId: string;
  /** Name in every marketplace that has no name of its own. */
  readonly name: string;
  /** Automatic or manual targeting. */
  readonly targetingType: OpenEnum<"AUTO" | "MANUAL">;
  /** First day, `YYYY-MM-DD`, in the time zone of the profile. */
  readonly startDate: string;
  /** Last day, `YYYY-MM-DD`; absent for an open end. */
  readonly endDate?: string;
  /** Bid adjustments; if omitted on create, bids are only lowered. */
  readonly dynamicBidding?: DynamicBidding;
  /** Id of the portfolio that contains the campaign. */
  readonly portfolioId?: string;
  /** The advertiser's own labels. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Sites to which the campaign is restricted. */
  readonly siteRestrictions?: readonly string[];
  /** Budget and overrides in each marketplace, by country: `{ US: { budget: 20 }, DE: { budget: 15, state: "PAUSED" } }`. */
  readonly marketplaces: Readonly<Record<string, MarketplaceCampaign>>;
}

/** A global campaign in one marketplace: its budget, and the fields that differ from the global campaign. */
export interface MarketplaceCampaign {
  /** Daily amount in the marketplace's currency. */
  readonly budget: number;
  /** Effective amount, including the effect of budget rules; read only. */
  readonly effectiveBudget?: number;
  /** Id of the copy in this marketplace, a campaign of the marketplace's profile; read only. */
  readonly campaignId?: string;
  /** State in this marketplace, if different. */
  readonly state?: EntityState;
  /** Name in this marketplace, if different. */
  readonly name?: string;
  /** First day in this marketplace, `YYYY-MM-DD` in its time zone, if different. */
  readonly startDate?: string;
  /** Last day in this marketplace, if different. */
  readonly endDate?: string;
  /** Bid adjustments in this marketplace, if different. */
  readonly dynamicBidding?: DynamicBidding;
  /** Labels in this marketplace, if different. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** Input fields of a global campaign: the budget in a marketplace may be a bare number. */
export type GlobalCampaignFields = {
  readonly [Field in keyof GlobalCampaign]: Field extends "dynamicBidding" ? Partial<DynamicBidding>
    : Field extends "marketplaces" ? Readonly<Record<string, number | Partial<MarketplaceCampaign>>>
    : GlobalCampaign[Field];
};

/** A global campaign to create. */
export type NewGlobalCampaign = ItemInput<
  GlobalCampaignFields,
  "name" | "state" | "targetingType" | "marketplaces"
>;

/** Update of a global campaign: its id and the fields to change; omitted marketplaces stay unchanged. */
export type GlobalCampaignUpdate = ItemInput<
  Clearable<GlobalCampaignFields, "endDate" | "portfolioId">,
  "campaignId"
>;

/** A Sponsored Products ad group of a global campaign. */
export interface GlobalAdGroup extends Entity {
  /** Id of the global ad group, to which its copies refer as `globalAdGroupId`. */
  readonly adGroupId: string;
  /** Id of its global campaign. */
  readonly campaignId: string;
  /** Name in every marketplace that has no name of its own. */
  readonly name: string;
  /** The advertiser's own labels. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Default bid and overrides in each marketplace, by country: `{ US: { defaultBid: 0.5 }, DE: { defaultBid: 0.4 } }`. */
  readonly marketplaces: Readonly<Record<string, MarketplaceAdGroup>>;
}

/** A global ad group in one marketplace. */
export interface MarketplaceAdGroup {
  /** Default bid for targets without a bid of their own, in the marketplace's currency. */
  readonly defaultBid: number;
  /** Id of the ad group's copy in this marketplace; read only. */
  readonly adGroupId?: string;
  /** State in this marketplace, if different. */
  readonly state?: EntityState;
  /** Name in this marketplace, if different. */
  readonly name?: string;
  /** Labels in this marketplace, if different. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** A keyword, product, category or theme that a global ad group or campaign targets or excludes. */
export interface GlobalTarget extends Entity {
  /** Id of the global target, to which its copies refer as `globalTargetId` or `globalKeywordId`. */
  readonly targetId: string;
  /** Id of its global campaign. */
  readonly campaignId: string;
  /** Id of its global ad group; absent for a negative target of a campaign. */
  readonly adGroupId?: string;
  /** True for a negative target. */
  readonly negative: boolean;
  /** Keyword text; absent for other targets. */
  readonly keywordText?: string;
  /** Match type of a keyword. */
  readonly matchType?: OpenEnum<"BROAD" | "EXACT" | "PHRASE">;
  /** Predicates of a target other than a keyword, in every marketplace that has no predicates of its own. */
  readonly expression?: readonly TargetingPredicate[];
  /** The advertiser's own labels. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Bid and overrides in each marketplace, by country: `{ US: { bid: 0.5 }, DE: {} }`. */
  readonly marketplaces: Readonly<Record<string, MarketplaceTarget>>;
}

/** A global target in one marketplace. */
export interface MarketplaceTarget {
  /** Bid in the marketplace's currency; without one, the ad group's default bid in this marketplace applies. */
  readonly bid?: number;
  /** Id of the target's copy in this marketplace; read only. */
  readonly targetId?: string;
  /** State in this marketplace, if different. */
  readonly state?: EntityState;
  /** Keyword text in this marketplace, if different; can only be set on create. */
  readonly keywordText?: string;
  /** Match type in this marketplace, if different; can only be set on create. */
  readonly matchType?: OpenEnum<"BROAD" | "EXACT" | "PHRASE">;
  /** Predicates in this marketplace, if different; can only be set on create. */
  readonly expression?: readonly TargetingPredicate[];
  /** Labels in this marketplace, if different. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** An ad of a global ad group, for one product. */
export interface GlobalProductAd extends Entity {
  /** Id of the global ad, to which its copies refer as `globalAdId`. */
  readonly adId: string;
  /** Id of its global ad group. */
  readonly adGroupId: string;
  /** Id of its global campaign. */
  readonly campaignId: string;
  /** ASIN of the product, in every marketplace that has no ASIN of its own. */
  readonly asin?: string;
  /** SKU of a seller's product, used instead of `asin`. */
  readonly sku?: string;
  /** The advertiser's own labels. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Overrides in each marketplace, by country: `{ US: {}, DE: { asin: "B000000001" } }`. */
  readonly marketplaces: Readonly<Record<string, MarketplaceProductAd>>;
}

/** A global ad in one marketplace. */
export interface MarketplaceProductAd {
  /** ASIN of the product in this marketplace, if different; can only be set on create. */
  readonly asin?: string;
  /** SKU of a seller's product in this marketplace, if different; can only be set on create. */
  readonly sku?: string;
  /** Id of the ad's copy in this marketplace; read only. */
  readonly adId?: string;
  /** State in this marketplace, if different. */
  readonly state?: EntityState;
  /** Labels in this marketplace, if different. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** Input fields of a global ad group: the default bid in a marketplace may be a bare number. */
export type GlobalAdGroupFields = {
  readonly [Field in keyof GlobalAdGroup]: Field extends "marketplaces"
    ? Readonly<Record<string, number | Partial<MarketplaceAdGroup>>>
    : GlobalAdGroup[Field];
};

/**
 * Input fields of a global target. A bid may be a bare number, and marketplaces without bids may be a list of
 * countries.
 */
export type GlobalTargetFields = {
  readonly [Field in keyof GlobalTarget]: Field extends "marketplaces"
    ? readonly string[] | Readonly<Record<string, number | MarketplaceTarget>>
    : GlobalTarget[Field];
};

/** Input fields of a global ad: its marketplaces may be a list of countries. */
export type GlobalProductAdFields = {
  readonly [Field in keyof GlobalProductAd]: Field extends "marketplaces"
    ? readonly string[] | Readonly<Record<string, MarketplaceProductAd>>
    : GlobalProductAd[Field];
};

/** A global ad group to create. */
export type NewGlobalAdGroup = ItemInput<
  GlobalAdGroupFields,
  "campaignId" | "name" | "state" | "marketplaces"
>;

/** Update of a global ad group: its id and the fields to change; omitted marketplaces stay unchanged. */
export type GlobalAdGroupUpdate = ItemInput<GlobalAdGroupFields, "adGroupId">;

/** A global target to create, in an ad group or, if it is negative, in a campaign. */
export type NewGlobalTarget = ItemInput<GlobalTargetFields, "negative" | "state" | "marketplaces">;

/** Update of a global target: its id and the fields to change; omitted marketplaces stay unchanged. */
export type GlobalTargetUpdate = ItemInput<GlobalTargetFields, "targetId">;

/** A global ad to create. */
export type NewGlobalProductAd = ItemInput<GlobalProductAdFields, "adGroupId" | "state" | "marketplaces">;

/** Update of a global ad: its id and the fields to change; omitted marketplaces stay unchanged. */
export type GlobalProductAdUpdate = ItemInput<GlobalProductAdFields, "adId">;
