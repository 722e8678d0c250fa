import type { Budget, BudgetInput } from "./budget.ts";
import type { Entity, InAdGroup, InCampaign, OpenEnum, ShopperCohortBid } from "./entity_fields.ts";
import type { Clearable, ItemInput } from "./item_input.ts";

/** A Sponsored Products campaign. */
export interface Campaign extends Entity {
  /** Id that the platform gives the campaign: digits, exact past 2^53. */
  readonly campaignId: string;
  /** Name, at most 128 characters, unique in the profile. */
  readonly name: string;
  /** Automatic or manual targeting. */
  readonly targetingType: OpenEnum<"AUTO" | "MANUAL">;
  /** Budget in the marketplace's currency. */
  readonly budget: Budget;
  /** First day, `YYYY-MM-DD`. */
  readonly startDate: string;
  /** Last day, `YYYY-MM-DD`; absent for an open end. */
  readonly endDate?: string;
  /** Bid adjustments; if omitted on create, bids are only lowered. */
  readonly dynamicBidding?: DynamicBidding;
  /** Id of the portfolio that contains the campaign. */
  readonly portfolioId?: string;
  /** Sites to which the campaign is restricted. */
  readonly siteRestrictions?: readonly string[];
  /** Id of the global campaign, if the campaign is its copy in one marketplace; otherwise absent. */
  readonly globalCampaignId?: string;
  /** How the budget is spent outside of the platform's own pages. */
  readonly offPlatformSettings?: {
    /** Goal of the budget: maximum reach or minimum spend. */
    readonly offPlatformBudgetControlStrategy?: OpenEnum<"MAXIMIZE_REACH" | "MINIMIZE_SPEND">;
  };
}

/** Input fields of a campaign: the budget may be a bare number, and bidding may be incomplete. */
export type CampaignFields = {
  readonly [Field in keyof Campaign]: Field extends "budget" ? BudgetInput
    : Field extends "dynamicBidding" ? Partial<DynamicBidding>
    : Campaign[Field];
};

/** A campaign to create. */
export type NewCampaign = ItemInput<CampaignFields, "name" | "state" | "targetingType" | "budget">;

/** Update of a campaign: its id and the fields to change. */
export type CampaignUpdate = ItemInput<Clearable<CampaignFields, "endDate" | "portfolioId">, "campaignId">;

/** How the platform adjusts the bids of a campaign. */
export interface DynamicBidding {
  /** `LEGACY_FOR_SALES` only lowers bids, `AUTO_FOR_SALES` also raises them, `MANUAL` leaves them unchanged. */
  readonly strategy: OpenEnum<"LEGACY_FOR_SALES" | "AUTO_FOR_SALES" | "MANUAL" | "RULE_BASED">;
  /** Bid premiums by placement, in percent from 0 to 900. */
  readonly placementBidding?: readonly PlacementBid[];
  /** Premiums by audience. */
  readonly shopperCohortBidding?: readonly ShopperCohortBid[];
}

/** Premium for one placement. */
export interface PlacementBid {
  /** Placement of the ad. */
  readonly placement: OpenEnum<
    "PLACEMENT_TOP" | "PLACEMENT_PRODUCT_PAGE" | "PLACEMENT_REST_OF_SEARCH" | "SITE_PLATFORM_BUSINESS"
  >;
  /** Percent, 0 to 900. */
  readonly percentage: number;
}

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

/** A Sponsored Products keyword. */
export interface Keyword extends InAdGroup, Entity {
  /** Id that the platform gives the keyword: digits, exact past 2^53. */
  readonly keywordId: string;
  /** The text, at most 80 characters. */
  readonly keywordText: string;
  /** Match type; cannot be changed. */
  readonly matchType: OpenEnum<"EXACT" | "PHRASE" | "BROAD">;
  /** Bid in the marketplace's currency; if absent, the ad group's default bid applies. */
  readonly bid?: number;
  /** The text in the advertiser's language. */
  readonly nativeLanguageKeyword?: string;
  /** Locale of that text. */
  readonly nativeLanguageLocale?: string;
}

/** A keyword to create. */
export type NewKeyword = ItemInput<
  Keyword,
  "campaignId" | "adGroupId" | "keywordText" | "matchType" | "state"
>;

/** Update of a keyword: its id and the fields to change. */
export type KeywordUpdate = ItemInput<Clearable<Keyword, "bid" | "tags">, "keywordId">;

/** A Sponsored Products negative keyword of an ad group. */
export interface NegativeKeyword extends InAdGroup, Entity {
  /** Id that the platform assigns to the negative keyword: digits as text, because it can exceed 2^53. */
  readonly keywordId: string;
  /** The text, at most 80 characters. */
  readonly keywordText: string;
  /** Match type of the searches to exclude. */
  readonly matchType: OpenEnum<"NEGATIVE_EXACT" | "NEGATIVE_PHRASE" | "NEGATIVE_BROAD">;
}

/** A negative keyword to create. */
export type NewNegativeKeyword = ItemInput<
  NegativeKeyword,
  "campaignId" | "adGroupId" | "keywordText" | "matchType" | "state"
>;

/** Update of a negative keyword: its id and the fields to change. */
export type NegativeKeywordUpdate = ItemInput<Clearable<NegativeKeyword, "tags">, "keywordId">;

/** A Sponsored Products negative keyword of a whole campaign. */
export interface CampaignNegativeKeyword extends InCampaign, Entity {
  /** Id that the platform gives the campaign-level negative keyword: digits, exact past 2^53. */
  readonly keywordId: string;
  /** The text, at most 80 characters. */
  readonly keywordText: string;
  /** Match type of the searches to exclude. */
  readonly matchType: OpenEnum<"NEGATIVE_EXACT" | "NEGATIVE_PHRASE" | "NEGATIVE_BROAD">;
}

/** A negative keyword of a campaign to create. */
export type NewCampaignNegativeKeyword = ItemInput<
  CampaignNegativeKeyword,
  "campaignId" | "keywordText" | "matchType" | "state"
>;

/** Update of a negative keyword of a campaign: its id and the fields to change. */
export type CampaignNegativeKeywordUpdate = ItemInput<
  Clearable<CampaignNegativeKeyword, "tags">,
  "keywordId"
>;

/** A Sponsored Products targeting clause: products, categories or automatic matches. */
export interface Target extends InAdGroup, Entity {
  /** Id that the platform gives the target: digits, exact past 2^53. */
  readonly targetId: string;
  /** Targeted products. */
  readonly expression: readonly TargetingPredicate[];
  /** Origin of the expression. */
  readonly expressionType: OpenEnum<"AUTO" | "MANUAL">;
  /** The expression with names in place of ids; read only. */
  readonly resolvedExpression?: readonly TargetingPredicate[];
  /** Bid in the marketplace's currency; if absent, the ad group's default bid applies. */
  readonly bid?: number;
}

/** A targeting clause to create. */
export type NewTarget = ItemInput<
  Target,
  "campaignId" | "adGroupId" | "expression" | "expressionType" | "state"
>;

/** Update of a targeting clause: its id and the fields to change. */
export type TargetUpdate = ItemInput<Clearable<Target, "bid" | "tags">, "targetId">;

/** A Sponsored Products negative targeting clause of an ad group. */
export interface NegativeTarget extends InAdGroup, Entity {
  /** Id that the platform gives the negative target: digits, exact past 2^53. */
  readonly targetId: string;
  /** Products or brands to exclude. */
  readonly expression: readonly TargetingPredicate[];
  /** The excluded products or brands by name; read only. */
  readonly resolvedExpression?: readonly TargetingPredicate[];
}

/** A negative targeting clause to create. */
export type NewNegativeTarget = ItemInput<
  NegativeTarget,
  "campaignId" | "adGroupId" | "expression" | "state"
>;

/** Update of a negative targeting clause: its id and the fields to change. */
export type NegativeTargetUpdate = ItemInput<Clearable<NegativeTarget, "tags">, "targetId">;

/** A Sponsored Products negative targeting clause of a whole campaign. */
export interface CampaignNegativeTarget extends InCampaign, Entity {
  /** Id that the platform gives the campaign-level negative target: digits, exact past 2^53. */
  readonly targetId: string;
  /** Products or brands to exclude. */
  readonly expression: readonly TargetingPredicate[];
  /** The excluded products or brands by name; read only. */
  readonly resolvedExpression?: readonly TargetingPredicate[];
}

/** A negative targeting clause of a campaign to create. */
export type NewCampaignNegativeTarget = ItemInput<
  CampaignNegativeTarget,
  "campaignId" | "expression" | "state"
>;

/** Update of a negative targeting clause of a campaign: its id and the fields to change. */
export type CampaignNegativeTargetUpdate = ItemInput<Clearable<CampaignNegativeTarget, "tags">, "targetId">;

/** One part of a targeting expression. */
export interface TargetingPredicate {
  /** Compared property. */
  readonly type: OpenEnum<
    | "ASIN_SAME_AS"
    | "ASIN_EXPANDED_FROM"
    | "ASIN_CATEGORY_SAME_AS"
    | "ASIN_BRAND_SAME_AS"
    | "ASIN_PRICE_BETWEEN"
    | "ASIN_PRICE_GREATER_THAN"
    | "ASIN_PRICE_LESS_THAN"
    | "ASIN_REVIEW_RATING_BETWEEN"
    | "ASIN_REVIEW_RATING_GREATER_THAN"
    | "ASIN_REVIEW_RATING_LESS_THAN"
    | "ASIN_AGE_RANGE_SAME_AS"
    | "ASIN_GENRE_SAME_AS"
    | "ASIN_IS_PRIME_SHIPPING_ELIGIBLE"
    | "QUERY_HIGH_REL_MATCHES"
    | "QUERY_BROAD_REL_MATCHES"
    | "ASIN_SUBSTITUTE_RELATED"
    | "ASIN_ACCESSORY_RELATED"
    | "KEYWORD_GROUP_SAME_AS"
  >;
  /** Value to compare with, if the type requires one. */
  readonly value?: string;
}

/**
 * Returns the ASIN of a clause that targets exactly one product; `undefined` for every other clause.
 *
 * @example
 * ```ts
 * import { asin } from "@platform/ads";
 *
 * console.log(asin({ expression: [{ type: "ASIN_SAME_AS", value: "B0DVQWC048" }] })); // B0DVQWC048
 * console.log(asin({ expression: [{ type: "ASIN_CATEGORY_SAME_AS", value: "7" }] })); // undefined
 * ```
 */
export function asin(target: Pick<Target, "expression">): string | undefined {
  const [only, ...more] = target.expression;
  if (more.length > 0 || only === undefined) return undefined;
  return only.type === "ASIN_SAME_AS" || only.type === "ASIN_EXPANDED_FROM" ? only.value : undefined;
}
