import type { Clearable, ItemInput } from "./item_input.ts";
import type { EntityState, InCampaign, OpenEnum, OpenFields, ShopperCohortBid } from "./entity_fields.ts";

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
