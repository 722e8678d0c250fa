import type { ItemInput } from "../../fields/item_input.ts";
import type { EntityState, ExtendedData, OpenEnum } from "../../fields/open_enum.ts";

/** A Sponsored Products negative keyword of an ad group. */
export interface NegativeKeyword {
  /** Digits, exact past 2^53; the platform gives it. */
  readonly keywordId: string;
  /** Campaign it belongs to. */
  readonly campaignId: string;
  /** Ad group it belongs to. */
  readonly adGroupId: string;
  /** The text, at most 80 characters. */
  readonly keywordText: string;
  /** Which searches are kept away. */
  readonly matchType: OpenEnum<"NEGATIVE_EXACT" | "NEGATIVE_PHRASE" | "NEGATIVE_BROAD">;
  /** `ENABLED`, `PAUSED` or `ARCHIVED`; newer words pass through. */
  readonly state: EntityState;
  /** Creation and update times, when asked for. */
  readonly extendedData?: ExtendedData;
  /** Fields that the platform adds later. */
  readonly [field: string]: unknown;
}

/** A negative keyword to create. */
export type NewNegativeKeyword = ItemInput<
  NegativeKeyword,
  "campaignId" | "adGroupId" | "keywordText" | "matchType" | "state"
>;

/** Changes of a negative keyword, which its id names. */
export type NegativeKeywordUpdate = ItemInput<NegativeKeyword, "keywordId">;
