import type {
  EntityState,
  InAdGroup,
  InCampaign,
  OpenEnum,
  OpenFields,
  ShopperCohortBid,
} from "./entity_fields.ts";
import type { Clearable, ItemInput } from "./item_input.ts";

/** A Sponsored Brands campaign. */
export interface SbCampaign extends OpenFields {
  /** Id that the platform gives the campaign: digits, exact past 2^53. */
  readonly campaignId: string;
  /** Name, at most 128 characters, unique in the profile. */
  readonly name: string;
  /** `ENABLED`, `PAUSED` or `ARCHIVED`; newer values are passed through. */
  readonly state: EntityState;
  /** Amount in the marketplace's currency, a plain number; `budgetType` defines its period. */
  readonly budget: number;
  /** Period of the budget; cannot be changed. */
  readonly budgetType: OpenEnum<"DAILY" | "LIFETIME">;
  /** First day, `YYYY-MM-DD`. */
  readonly startDate?: string;
  /** Last day, `YYYY-MM-DD`; absent for an open end. */
  readonly endDate?: string;
  /** Bid adjustments, including the premium for the top of search. */
  readonly bidding?: SbBidding;
  /** Goal of the campaign. Absent for author accounts, which may not create goal campaigns. */
  readonly goal?: OpenEnum<"PAGE_VISIT" | "BRAND_IMPRESSION_SHARE">;
  /** Event that is billed. Absent for author accounts. */
  readonly costType?: OpenEnum<"CPC" | "VCPM" | "FIXED_PRICE">;
  /** Measure of success; set by the platform. */
  readonly kpi?: OpenEnum<"CLICKS">;
  /** Brand that the campaign advertises. */
  readonly brandEntityId?: string;
  /** Id of the portfolio that contains the campaign. */
  readonly portfolioId?: string;
  /** Sales location of the advertised products. */
  readonly productLocation?: OpenEnum<"SOLD_ON_PLATFORM" | "NOT_SOLD_ON_PLATFORM" | "SOLD_ON_DTC">;
  /** True when the campaign may hold several ad groups; read only. */
  readonly isMultiAdGroupsEnabled?: boolean;
  /** The budget set by a rule; read only. */
  readonly ruleBasedBudget?: Readonly<Record<string, unknown>>;
  /** Sites to which the campaign is restricted. */
  readonly siteRestrictions?: readonly string[];
  /** Settings that the platform may choose by itself. */
  readonly smartDefault?: readonly unknown[];
  /** The advertiser's own labels. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Creation and update times, if requested. */
  readonly extendedData?: SbExtendedData;
}

/** A Sponsored Brands campaign to create. */
export type NewSbCampaign = ItemInput<SbCampaign, "name" | "state" | "budget" | "budgetType">;

/** Update of a Sponsored Brands campaign: its id and the fields to change. */
export type SbCampaignUpdate = ItemInput<Clearable<SbCampaign, "endDate" | "portfolioId">, "campaignId">;

/**
 * Bid adjustments of a Sponsored Brands campaign. Values that were read can be sent back unchanged in an update,
 * including the four placements.
 */
export interface SbBidding extends OpenFields {
  /** True when the platform chooses the adjustments by itself. */
  readonly bidOptimization?: boolean;
  /** Goal of the platform's optimization. */
  readonly bidOptimizationStrategy?: string;
  /** Percentages by which bids are raised or lowered. */
  readonly bidAdjustmentsByPlacement?: readonly SbPlacementAdjustment[];
  /** Adjustments by audience. */
  readonly shopperCohortBidAdjustments?: readonly ShopperCohortBid[];
}

/** A percentage for one placement. */
export interface SbPlacementAdjustment {
  /** Placement of the ad. */
  readonly placement: OpenEnum<"TOP_OF_SEARCH" | "DETAIL_PAGE" | "HOME" | "OTHER">;
  /** Percent, -99 to 900. */
  readonly percentage: number;
}

/** A Sponsored Brands ad group. It has no bid. */
export interface SbAdGroup extends InCampaign, OpenFields {
  /** Id that the platform gives the ad group: digits, exact past 2^53. */
  readonly adGroupId: string;
  /** Name, at most 255 characters. */
  readonly name: string;
  /** `ENABLED`, `PAUSED` or `ARCHIVED`; newer values are passed through. */
  readonly state: EntityState;
  /** The advertiser's own tags, at most 50; available only on the unified wire. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Creation and update times, if requested. */
  readonly extendedData?: SbExtendedData;
}

/** A Sponsored Brands ad group to create. */
export type NewSbAdGroup = ItemInput<SbAdGroup, "campaignId" | "name" | "state">;

/** Update of a Sponsored Brands ad group: its id and the fields to change. */
export type SbAdGroupUpdate = ItemInput<Clearable<SbAdGroup, "tags">, "adGroupId">;

/** Fields that the platform adds to a Sponsored Brands entity on request for extended data. */
export interface SbExtendedData {
  /** When the entity was created, in milliseconds since the epoch. */
  readonly creationDate?: number;
  /** When it was last changed, in milliseconds since the epoch. */
  readonly lastUpdateDate?: number;
  /** Additional fields, as returned by the platform. */
  readonly [field: string]: unknown;
}

/** A Sponsored Brands keyword. States and match types are lower case. */
export interface SbKeyword extends InAdGroup, OpenFields {
  /** Id that the platform gives the keyword: digits, exact past 2^53. */
  readonly keywordId: string;
  /** The text, at most 80 characters. */
  readonly keywordText: string;
  /** Match type; cannot be changed. */
  readonly matchType: OpenEnum<"broad" | "exact" | "phrase">;
  /** State; omit it on create, because the platform enables every new keyword. */
  readonly state: OpenEnum<"enabled" | "paused" | "archived" | "draft">;
  /** Bid in the marketplace's currency. */
  readonly bid?: number;
  /** The text in the advertiser's language. */
  readonly nativeLanguageKeyword?: string;
  /** Locale of that text. */
  readonly nativeLanguageLocale?: string;
}

/** A Sponsored Brands keyword to create. */
export type NewSbKeyword = ItemInput<SbKeyword, "campaignId" | "adGroupId" | "keywordText" | "matchType">;

/** Update of a Sponsored Brands keyword: its id and the fields to change. */
export type SbKeywordUpdate = ItemInput<SbKeyword, "keywordId">;

/** A Sponsored Brands negative keyword. It is enabled or archived, never paused. */
export interface SbNegativeKeyword extends InAdGroup, OpenFields {
  /** Id that the platform assigns to the negative keyword: digits as text, because it can exceed 2^53. */
  readonly keywordId: string;
  /** The text, at most 80 characters. */
  readonly keywordText: string;
  /** Match type of the searches to exclude. */
  readonly matchType: OpenEnum<"negativeExact" | "negativePhrase">;
  /** State; omit it on create, because the platform enables every new keyword. */
  readonly state: OpenEnum<"enabled" | "archived" | "draft">;
}

/** A Sponsored Brands negative keyword to create. */
export type NewSbNegativeKeyword = ItemInput<
  SbNegativeKeyword,
  "campaignId" | "adGroupId" | "keywordText" | "matchType"
>;

/** Update of a Sponsored Brands negative keyword: its id and the fields to change. */
export type SbNegativeKeywordUpdate = ItemInput<SbNegativeKeyword, "keywordId">;

/** A Sponsored Brands product target: a product, category or brand. States and predicates are in lower case. */
export interface SbTarget extends InAdGroup, OpenFields {
  /** Id that the platform gives the target: digits, exact past 2^53. */
  readonly targetId: string;
  /** Predicates that describe the targeted products; a product must match all of them. Cannot be changed. */
  readonly expressions: readonly SbPredicate[];
  /** The expression with names in place of ids; read only. */
  readonly resolvedExpressions?: readonly SbPredicate[];
  /** State; omit it on create, because the platform enables every new target. */
  readonly state: OpenEnum<"enabled" | "paused" | "archived" | "draft">;
  /** Bid in the marketplace's currency. */
  readonly bid?: number;
}

/** A Sponsored Brands product target to create. */
export type NewSbTarget = ItemInput<SbTarget, "campaignId" | "adGroupId" | "expressions">;

/** Update of a Sponsored Brands product target: its id and the fields to change. */
export type SbTargetUpdate = ItemInput<SbTarget, "targetId">;

/**
 * A Sponsored Brands negative product target: a product or brand to exclude. It is enabled or archived, never paused.
 */
export interface SbNegativeTarget extends InAdGroup, OpenFields {
  /** Id that the platform gives the negative target: digits, exact past 2^53. */
  readonly targetId: string;
  /** Excluded product (`asinSameAs`) or brand (`asinBrandSameAs`); cannot be changed. */
  readonly expressions: readonly SbPredicate[];
  /** The excluded product or brand by name; read only. */
  readonly resolvedExpressions?: readonly SbPredicate[];
  /** State; omit it on create, because the platform enables every new negative target. */
  readonly state: OpenEnum<"enabled" | "archived" | "draft">;
}

/** A Sponsored Brands negative product target to create. */
export type NewSbNegativeTarget = ItemInput<SbNegativeTarget, "campaignId" | "adGroupId" | "expressions">;

/** Update of a Sponsored Brands negative product target: its id and the fields to change. */
export type SbNegativeTargetUpdate = ItemInput<SbNegativeTarget, "targetId">;

/** One part of a targeting expression of Sponsored Brands. */
export interface SbPredicate {
  /** Compared property: a product, a category or a brand; prices and ratings narrow the last two. */
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
  >;
  /** An ASIN, the id of a category or brand, an amount, or two amounts separated by a hyphen. */
  readonly value: string;
}
