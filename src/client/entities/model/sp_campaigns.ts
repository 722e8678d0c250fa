import type { Budget, BudgetInput } from "./budget.ts";
import type { Clearable, ItemInput } from "./item_input.ts";
import type { Entity, OpenEnum, ShopperCohortBid } from "./entity_fields.ts";

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
