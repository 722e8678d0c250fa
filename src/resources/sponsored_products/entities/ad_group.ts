import type { ItemInput } from "../../fields/item_input.ts";
import type { EntityState, ExtendedData } from "../../fields/open_enum.ts";

/** A Sponsored Products ad group. */
export interface AdGroup {
  /** Digits, exact past 2^53; the platform gives it. */
  readonly adGroupId: string;
  /** Campaign it belongs to. */
  readonly campaignId: string;
  /** Shown to people; unique in its campaign. */
  readonly name: string;
  /** `ENABLED`, `PAUSED` or `ARCHIVED`; newer words pass through. */
  readonly state: EntityState;
  /** Bid of targets without one of their own, in the marketplace's currency. */
  readonly defaultBid: number;
  /** Creation and update times, when asked for. */
  readonly extendedData?: ExtendedData;
  /** Fields that the platform adds later. */
  readonly [field: string]: unknown;
}

/** An ad group to create. */
export type NewAdGroup = ItemInput<AdGroup, "campaignId" | "name" | "state" | "defaultBid">;

/** Changes of an ad group, which its id names. */
export type AdGroupUpdate = ItemInput<AdGroup, "adGroupId">;
