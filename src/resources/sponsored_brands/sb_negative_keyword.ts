import type { ItemInput } from "../fields/item_input.ts";
import type { OpenEnum } from "../fields/open_enum.ts";

/** A Sponsored Brands negative keyword. It is enabled or archived, never paused. */
export interface SbNegativeKeyword {
  /** Digits, exact past 2^53; the platform gives it. */
  readonly keywordId: string;
  /** Campaign it belongs to. */
  readonly campaignId: string;
  /** Ad group it belongs to. */
  readonly adGroupId: string;
  /** The text, at most 80 characters. */
  readonly keywordText: string;
  /** Which searches are kept away. */
  readonly matchType: OpenEnum<"negativeExact" | "negativePhrase">;
  /** State; not given on create, for the platform enables every new keyword. */
  readonly state: OpenEnum<"enabled" | "archived" | "draft">;
  /** Fields that the platform adds later. */
  readonly [field: string]: unknown;
}

/** A Sponsored Brands negative keyword to create. */
export type NewSbNegativeKeyword = ItemInput<
  SbNegativeKeyword,
  "campaignId" | "adGroupId" | "keywordText" | "matchType"
>;

/** Changes of a Sponsored Brands negative keyword, which its id names. */
export type SbNegativeKeywordUpdate = ItemInput<SbNegativeKeyword, "keywordId">;
