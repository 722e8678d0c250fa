import type { OpenEnum } from "../fields/open_enum.ts";
import type { ShopperCohortBid } from "../fields/shopper_cohort.ts";

/**
 * How the bids of a Sponsored Brands campaign are adjusted. What a read gives may be sent back in an update as it is,
 * its four placements included.
 */
export interface SbBidding {
  /** True when the platform chooses the adjustments by itself. */
  readonly bidOptimization?: boolean;
  /** Goal of the platform's optimization. */
  readonly bidOptimizationStrategy?: string;
  /** Percentages by which bids are raised or lowered. */
  readonly bidAdjustmentsByPlacement?: readonly SbPlacementAdjustment[];
  /** Adjustments by audience. */
  readonly shopperCohortBidAdjustments?: readonly ShopperCohortBid[];
  /** Fields that the platform adds later. */
  readonly [field: string]: unknown;
}

/** A percentage for one placement. */
export interface SbPlacementAdjustment {
  /** Placement of the ad. */
  readonly placement: OpenEnum<"TOP_OF_SEARCH" | "DETAIL_PAGE" | "HOME" | "OTHER">;
  /** Percent, -99 to 900. */
  readonly percentage: number;
}
