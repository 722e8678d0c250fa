import type { Clearable, ItemInput } from "./item_input.ts";
import type { Entity, InAdGroup, InCampaign, OpenEnum } from "./entity_fields.ts";

/** A Sponsored Products keyword. */
export interface Keyword extends InAdGroup, Entity {
  /** Id that the platform gives the keyword: digits, exact past 2^53. */
  readonly keywordId: string;
  /** The text, at most 80 characters. */
  readonly keywordText: string;
  /** Match type; cannot be changed. */
  readonly matchType: OpenEnum<"EXACT" | "PHRASE" | "BROAD">;
  /** Bid in the marketplace's currency; if absent, the ad group's default bid applies. */
  readonly bid?: number;
  /** The text in the advertiser's language. */
  readonly nativeLanguageKeyword?: string;
  /** Locale of that text. */
  readonly nativeLanguageLocale?: string;
}

/** A keyword to create. */
export type NewKeyword = ItemInput<
  Keyword,
  "campaignId" | "adGroupId" | "keywordText" | "matchType" | "state"
>;

/** Update of a keyword: its id and the fields to change. */
export type KeywordUpdate = ItemInput<Clearable<Keyword, "bid" | "tags">, "keywordId">;

/** A Sponsored Products negative keyword of an ad group. */
export interface NegativeKeyword extends InAdGroup, Entity {
  /** Id that the platform assigns to the negative keyword: digits as text, because it can exceed 2^53. */
  readonly keywordId: string;
  /** The text, at most 80 characters. */
  readonly keywordText: string;
  /** Match type of the searches to exclude. */
  readonly matchType: OpenEnum<"NEGATIVE_EXACT" | "NEGATIVE_PHRASE" | "NEGATIVE_BROAD">;
}

/** A negative keyword to create. */
export type NewNegativeKeyword = ItemInput<
  NegativeKeyword,
  "campaignId" | "adGroupId" | "keywordText" | "matchType" | "state"
>;

/** Update of a negative keyword: its id and the fields to change. */
export type NegativeKeywordUpdate = ItemInput<Clearable<NegativeKeyword, "tags">, "keywordId">;

/** A Sponsored Products negative keyword of a whole campaign. */
export interface CampaignNegativeKeyword extends InCampaign, Entity {
  /** Id that the platform gives the campaign-level negative keyword: digits, exact past 2^53. */
  readonly keywordId: string;
  /** The text, at most 80 characters. */
  readonly keywordText: string;
  /** Match type of the searches to exclude. */
  readonly matchType: OpenEnum<"NEGATIVE_EXACT" | "NEGATIVE_PHRASE" | "NEGATIVE_BROAD">;
}

/** A negative keyword of a campaign to create. */
export type NewCampaignNegativeKeyword = ItemInput<
  CampaignNegativeKeyword,
  "campaignId" | "keywordText" | "matchType" | "state"
>;

/** Update of a negative keyword of a campaign: its id and the fields to change. */
export type CampaignNegativeKeywordUpdate = ItemInput<
  Clearable<CampaignNegativeKeyword, "tags">,
  "keywordId"
>;
