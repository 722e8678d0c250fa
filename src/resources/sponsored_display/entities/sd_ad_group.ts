import type { ItemInput } from "../../fields/item_input.ts";
import type { OpenEnum } from "../../fields/open_enum.ts";
import type { SdExtendedData } from "./sd_extended_data.ts";
import type { SdState } from "./sd_state.ts";

/** A Sponsored Display ad group. */
export interface SdAdGroup extends SdExtendedData {
  /** Digits, exact past 2^53; the platform gives it. */
  readonly adGroupId: string;
  /** Campaign it belongs to. */
  readonly campaignId: string;
  /** Name, unique in the campaign. */
  readonly name: string;
  /** `enabled`, `paused` or `archived`. */
  readonly state: SdState;
  /** Bid of targets without one of their own, in the marketplace's currency: for a click or for a thousand viewable impressions. */
  readonly defaultBid?: number;
  /** Goal of bid adjustments. */
  readonly bidOptimization?: OpenEnum<"clicks" | "conversions" | "reach">;
  /** Type of its creatives; cannot be changed. */
  readonly creativeType?: OpenEnum<"IMAGE" | "VIDEO">;
  /** Tactic of the campaign; read only. */
  readonly tactic?: OpenEnum<"T00020" | "T00030">;
  /** Fields that the platform adds later. */
  readonly [field: string]: unknown;
}

/** A Sponsored Display ad group to create. */
export type NewSdAdGroup = ItemInput<SdAdGroup, "campaignId" | "name" | "state">;

/** Changes of a Sponsored Display ad group, which its id names. */
export type SdAdGroupUpdate = ItemInput<SdAdGroup, "adGroupId">;
