import type { OpenEnum } from "./open_enum.ts";

/** A premium for shoppers of one audience, as both products and Brands have it. */
export interface ShopperCohortBid {
  /** Common property of the shoppers. */
  readonly shopperCohortType: OpenEnum<"AUDIENCE_SEGMENT">;
  /** The audience; one at most. */
  readonly audienceSegments?: readonly AudienceSegment[];
  /** Percent, 0 to 900. */
  readonly percentage?: number;
}

/** An audience, by which shoppers are grouped. */
export interface AudienceSegment {
  /** As the audience service gives it. */
  readonly audienceId: string;
  /** Source of the audience. */
  readonly audienceSegmentType?: OpenEnum<"BEHAVIOR_DYNAMIC" | "SPONSORED_ADS_AMC">;
}
