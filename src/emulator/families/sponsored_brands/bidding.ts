import type { Json, JsonObject } from "../../core/json.ts";
import type { TrackedValue } from "../../entities/entity_resource.ts";
import { textOf } from "../sponsored_products/common.ts";
import {
  choice,
  FLAG,
  list,
  number,
  object,
  optional,
  required,
  type Shape,
  text,
} from "../../entities/shape.ts";

/** Placements that the change history names. */
const POSITIONS = ["DETAIL_PAGE", "TOP_OF_SEARCH"];
const PLACEMENTS = ["HOME", "DETAIL_PAGE", "OTHER", "TOP_OF_SEARCH"];

/**
 * How a campaign bids.
 *
 * @param mostPlacements Most placements in `bidAdjustmentsByPlacement`.
 */
export function biddingShape(mostPlacements: number): Shape {
  const adjustment = object({
    placement: required(choice(...PLACEMENTS)),
    percentage: required(number({ low: -99, high: 900 })),
  });
  const segment = object({
    audienceId: optional(text()),
    audienceSegmentType: optional(choice("SPONSORED_ADS_AMC", "BEHAVIOR_DYNAMIC")),
  });
  const cohort = object({
    audienceSegments: optional(list(segment, 1)),
    percentage: optional(number({ low: 0, high: 900 })),
    shopperCohortType: optional(choice("AUDIENCE_SEGMENT")),
  });
  return object({
    bidOptimization: optional(FLAG),
    bidOptimizationStrategy: optional(text()),
    bidAdjustmentsByPlacement: optional(list(adjustment, mostPlacements)),
    shopperCohortBidAdjustments: optional(list(cohort, 1)),
  });
}

/**
 * The bidding as it is kept and read, with every placement. What was not sent stays as it was before; a new campaign
 * lets the platform optimize and changes no placement.
 */
export function wholeBidding(sent: JsonObject, before: JsonObject = {}): JsonObject {
  return {
    bidOptimization: true,
    ...before,
    ...sent,
    bidAdjustmentsByPlacement: PLACEMENTS.map((placement) => ({
      placement,
      percentage: percentageOf(placement, sent) ?? percentageOf(placement, before) ?? 0,
    })),
  };
}

function percentageOf(placement: string, { bidAdjustmentsByPlacement = [] }: JsonObject): Json | undefined {
  const adjustments = bidAdjustmentsByPlacement as JsonObject[];
  return adjustments.find((each) => each.placement === placement)?.percentage;
}

/** The percentages of the placements, as the history of a campaign follows them. */
export const PLACEMENTS_TRACKED: readonly TrackedValue[] = PLACEMENTS.map((placement) => ({
  changeType: "PLACEMENT_GROUP",
  read: (campaign) => textOf(percentageOf(placement, campaign.bidding as JsonObject)),
  ...(POSITIONS.includes(placement) ? { metadata: { placementGroupPosition: placement } } : {}),
}));
