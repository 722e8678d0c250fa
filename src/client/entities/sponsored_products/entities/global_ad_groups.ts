import type { ItemInput } from "../../model/item_input.ts";
import type { Entity, EntityState, OpenEnum } from "../../model/entity_fields.ts";
import type { TargetingPredicate } from "./targets.ts";

/** A Sponsored Products ad group of a global campaign. */
export interface GlobalAdGroup extends Entity {
  /** Id of the ad group as a whole; its copies name it as `globalAdGroupId`. */
  readonly adGroupId: string;
  /** Id of its global campaign. */
  readonly campaignId: string;
  /** Name in every marketplace that has none of its own. */
  readonly name: string;
  /** The advertiser's own labels. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Default bid and overrides in each marketplace, by country: `{ US: { defaultBid: 0.5 }, DE: { defaultBid: 0.4 } }`. */
  readonly marketplaces: Readonly<Record<string, MarketplaceAdGroup>>;
}

/** A global ad group in one marketplace. */
export interface MarketplaceAdGroup {
  /** Bid of what has none of its own, in the currency of the marketplace. */
  readonly defaultBid: number;
  /** Id of its copy there; read only. */
  readonly adGroupId?: string;
  /** State there, where it differs. */
  readonly state?: EntityState;
  /** Name there, where it differs. */
  readonly name?: string;
  /** Labels there, where they differ. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** A keyword, product, category or theme that a global ad group or campaign targets or keeps away. */
export interface GlobalTarget extends Entity {
  /** Id of the target as a whole; its copies name it as `globalTargetId` or `globalKeywordId`. */
  readonly targetId: string;
  /** Id of its global campaign. */
  readonly campaignId: string;
  /** Id of its global ad group; absent for a negative target of a campaign. */
  readonly adGroupId?: string;
  /** True for what is kept away. */
  readonly negative: boolean;
  /** The words of a keyword; absent for other targets. */
  readonly keywordText?: string;
  /** Match type of a keyword. */
  readonly matchType?: OpenEnum<"BROAD" | "EXACT" | "PHRASE">;
  /** Predicates of any other target, in every marketplace that has none of its own. */
  readonly expression?: readonly TargetingPredicate[];
  /** The advertiser's own labels. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Bid and overrides in each marketplace, by country: `{ US: { bid: 0.5 }, DE: {} }`. */
  readonly marketplaces: Readonly<Record<string, MarketplaceTarget>>;
}

/** A global target in one marketplace. */
export interface MarketplaceTarget {
  /** Bid in the currency of the marketplace; the default bid of the ad group there without one. */
  readonly bid?: number;
  /** Id of its copy there; read only. */
  readonly targetId?: string;
  /** State there, where it differs. */
  readonly state?: EntityState;
  /** Text of the keyword there, where it differs; set by a create alone. */
  readonly keywordText?: string;
  /** Match type there, where it differs; set by a create alone. */
  readonly matchType?: OpenEnum<"BROAD" | "EXACT" | "PHRASE">;
  /** Predicates there, where they differ; set by a create alone. */
  readonly expression?: readonly TargetingPredicate[];
  /** Labels there, where they differ. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** An ad of a global ad group, for one product. */
export interface GlobalProductAd extends Entity {
  /** Id of the ad as a whole; its copies name it as `globalAdId`. */
  readonly adId: string;
  /** Id of its global ad group. */
  readonly adGroupId: string;
  /** Id of its global campaign. */
  readonly campaignId: string;
  /** The product, in every marketplace that has none of its own. */
  readonly asin?: string;
  /** The product of a seller, in place of `asin`. */
  readonly sku?: string;
  /** The advertiser's own labels. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Overrides in each marketplace, by country: `{ US: {}, DE: { asin: "B000000001" } }`. */
  readonly marketplaces: Readonly<Record<string, MarketplaceProductAd>>;
}

/** A global ad in one marketplace. */
export interface MarketplaceProductAd {
  /** The product there, where it differs; set by a create alone. */
  readonly asin?: string;
  /** The product of a seller there, where it differs; set by a create alone. */
  readonly sku?: string;
  /** Id of its copy there; read only. */
  readonly adId?: string;
  /** State there, where it differs. */
  readonly state?: EntityState;
  /** Labels there, where they differ. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** The fields of a global ad group as items give them: a bare number will do for the default bid in a marketplace. */
export type GlobalAdGroupFields = {
  readonly [Field in keyof GlobalAdGroup]: Field extends "marketplaces"
    ? Readonly<Record<string, number | Partial<MarketplaceAdGroup>>>
    : GlobalAdGroup[Field];
};

/** The fields of a global target as items give them: a bare number will do for a bid, a list for countries without bids. */
export type GlobalTargetFields = {
  readonly [Field in keyof GlobalTarget]: Field extends "marketplaces"
    ? readonly string[] | Readonly<Record<string, number | MarketplaceTarget>>
    : GlobalTarget[Field];
};

/** The fields of a global ad as items give them: a list of countries will do for its marketplaces. */
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

/** Changes of a global ad group, which its id names; marketplaces that are left out keep what they have. */
export type GlobalAdGroupUpdate = ItemInput<GlobalAdGroupFields, "adGroupId">;

/** A global target to create, in an ad group or, a negative one, in a campaign. */
export type NewGlobalTarget = ItemInput<GlobalTargetFields, "negative" | "state" | "marketplaces">;

/** Changes of a global target, which its id names; marketplaces that are left out keep what they have. */
export type GlobalTargetUpdate = ItemInput<GlobalTargetFields, "targetId">;

/** A global ad to create. */
export type NewGlobalProductAd = ItemInput<GlobalProductAdFields, "adGroupId" | "state" | "marketplaces">;

/** Changes of a global ad, which its id names; marketplaces that are left out keep what they have. */
export type GlobalProductAdUpdate = ItemInput<GlobalProductAdFields, "adId">;
