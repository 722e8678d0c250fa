import type { ItemInput } from "./item_input.ts";
import type { InAdGroup, OpenEnum, OpenFields } from "./entity_fields.ts";

/** A Sponsored Brands keyword. States and match types are lower case. */
export interface SbKeyword extends InAdGroup, OpenFields {
  /** Id that the platform gives the keyword: digits, exact past 2^53. */
  readonly keywordId: string;
  /** The text, at most 80 characters. */
  readonly keywordText: string;
  /** Match type; cannot be changed. */
  readonly matchType: OpenEnum<"broad" | "exact" | "phrase">;
  /** State; omit it on create, because the platform enables every new keyword. */
  readonly state: OpenEnum<"enabled" | "paused" | "archived" | "draft">;
  /** Bid in the marketplace's currency. */
  readonly bid?: number;
  /** The text in the advertiser's language. */
  readonly nativeLanguageKeyword?: string;
  /** Locale of that text. */
  readonly nativeLanguageLocale?: string;
}

/** A Sponsored Brands keyword to create. */
export type NewSbKeyword = ItemInput<SbKeyword, "campaignId" | "adGroupId" | "keywordText" | "matchType">;

/** Update of a Sponsored Brands keyword: its id and the fields to change. */
export type SbKeywordUpdate = ItemInput<SbKeyword, "keywordId">;

/** A Sponsored Brands negative keyword. It is enabled or archived, never paused. */
export interface SbNegativeKeyword extends InAdGroup, OpenFields {
  /** Id that the platform assigns to the negative keyword: digits as text, because it can exceed 2^53. */
  readonly keywordId: string;
  /** The text, at most 80 characters. */
  readonly keywordText: string;
  /** Match type of the searches to exclude. */
  readonly matchType: OpenEnum<"negativeExact" | "negativePhrase">;
  /** State; omit it on create, because the platform enables every new keyword. */
  readonly state: OpenEnum<"enabled" | "archived" | "draft">;
}

/** A Sponsored Brands negative keyword to create. */
export type NewSbNegativeKeyword = ItemInput<
  SbNegativeKeyword,
  "campaignId" | "adGroupId" | "keywordText" | "matchType"
>;

/** Update of a Sponsored Brands negative keyword: its id and the fields to change. */
export type SbNegativeKeywordUpdate = ItemInput<SbNegativeKeyword, "keywordId">;
