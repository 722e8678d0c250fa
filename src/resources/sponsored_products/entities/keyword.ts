import type { Clearable, ItemInput } from "../../fields/item_input.ts";
import type { EntityState, ExtendedData, OpenEnum } from "../../fields/open_enum.ts";

/** A Sponsored Products keyword. */
export interface Keyword {
  /** Digits, exact past 2^53; the platform gives it. */
  readonly keywordId: string;
  /** Campaign it belongs to. */
  readonly campaignId: string;
  /** Ad group it belongs to. */
  readonly adGroupId: string;
  /** The text, at most 80 characters. */
  readonly keywordText: string;
  /** How a search must match; cannot be changed. */
  readonly matchType: OpenEnum<"EXACT" | "PHRASE" | "BROAD">;
  /** `ENABLED`, `PAUSED` or `ARCHIVED`; newer words pass through. */
  readonly state: EntityState;
  /** Bid in the marketplace's currency; the ad group's default applies without one. */
  readonly bid?: number;
  /** The text in the advertiser's language. */
  readonly nativeLanguageKeyword?: string;
  /** Locale of that text. */
  readonly nativeLanguageLocale?: string;
  /** Creation and update times, when asked for. */
  readonly extendedData?: ExtendedData;
  /** Fields that the platform adds later. */
  readonly [field: string]: unknown;
}

/** A keyword to create. */
export type NewKeyword = ItemInput<
  Keyword,
  "campaignId" | "adGroupId" | "keywordText" | "matchType" | "state"
>;

/** Changes of a keyword, which its id names. */
export type KeywordUpdate = ItemInput<Clearable<Keyword, "bid">, "keywordId">;
