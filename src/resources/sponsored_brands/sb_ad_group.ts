import type { ItemInput } from "../fields/item_input.ts";
import type { EntityState } from "../fields/open_enum.ts";
import type { SbExtendedData } from "./sb_extended_data.ts";

/** A Sponsored Brands ad group. It has no bid. */
export interface SbAdGroup {
  /** Digits, exact past 2^53; the platform gives it. */
  readonly adGroupId: string;
  /** Campaign it belongs to. */
  readonly campaignId: string;
  /** Name, at most 255 characters. */
  readonly name: string;
  /** `ENABLED`, `PAUSED` or `ARCHIVED`; newer words pass through. */
  readonly state: EntityState;
  /** Creation and update times, when asked for. */
  readonly extendedData?: SbExtendedData;
  /** Fields that the platform adds later. */
  readonly [field: string]: unknown;
}

/** A Sponsored Brands ad group to create. */
export type NewSbAdGroup = ItemInput<SbAdGroup, "campaignId" | "name" | "state">;

/** Changes of a Sponsored Brands ad group, which its id names. */
export type SbAdGroupUpdate = ItemInput<SbAdGroup, "adGroupId">;
