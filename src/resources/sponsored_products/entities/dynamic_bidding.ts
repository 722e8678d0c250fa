import type { OpenEnum } from "../../fields/open_enum.ts";
import type { ShopperCohortBid } from "../../fields/shopper_cohort.ts";

/** How the platform adjusts the bids of a campaign. */
export interface DynamicBidding {
  /** `LEGACY_FOR_SALES` only lowers bids, `AUTO_FOR_SALES` raises them too, `MANUAL` leaves them alone. */
  readonly strategy: OpenEnum<"LEGACY_FOR_SALES" | "AUTO_FOR_SALES" | "MANUAL" | "RULE_BASED">;
  /** Premiums by placement, percent from 0 to 900. */
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
