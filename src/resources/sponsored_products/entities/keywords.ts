import type { Clearable, ItemInput } from "../../fields/item_input.ts";
import type { EntityState, ExtendedData, OpenEnum } from "../../fields/entity_fields.ts";

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

/** A Sponsored Products negative keyword of a whole campaign. */
export interface CampaignNegativeKeyword {
  /** Digits, exact past 2^53; the platform gives it. */
  readonly keywordId: string;
  /** Campaign it belongs to. */
  readonly campaignId: string;
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

/** A negative keyword of a campaign to create. */
export type NewCampaignNegativeKeyword = ItemInput<
  CampaignNegativeKeyword,
  "campaignId" | "keywordText" | "matchType" | "state"
>;

/** Changes of a negative keyword of a campaign, which its id names. */
export type CampaignNegativeKeywordUpdate = ItemInput<CampaignNegativeKeyword, "keywordId">;
