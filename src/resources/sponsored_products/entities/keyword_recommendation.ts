import type { OpenEnum } from "../../fields/open_enum.ts";

/** Subject of keyword recommendations, and their kind. */
export interface KeywordRecommendationRequest {
  /** Campaign of an ad group that exists. */
  readonly campaignId?: string;
  /** The ad group; keywords that it has are left out. */
  readonly adGroupId?: string;
  /** Products, where there is no ad group yet. */
  readonly asins?: readonly string[];
  /** Keywords of the advertiser's own to be ranked with the others. */
  readonly targets?: readonly Readonly<Record<string, unknown>>[];
  /** Most keywords, 0 to 200. */
  readonly maxRecommendations?: number;
  /** Figure that ranks them. */
  readonly sortDimension?: OpenEnum<"CLICKS" | "CONVERSIONS" | "DEFAULT">;
  /** Language of translations, for example `en_US`. */
  readonly locale?: string;
}

/** A keyword that is recommended. */
export interface KeywordRecommendation {
  /** The text. */
  readonly keyword: string;
  /** The text in the language that was asked for. */
  readonly translation?: string;
  /** A bid for each match type. */
  readonly bidInfo?: readonly KeywordBidInfo[];
  /** Rank among search terms by impressions. */
  readonly searchTermImpressionRank?: number;
  /** Share of the impressions of the search term, percent. */
  readonly searchTermImpressionShare?: number;
  /** True for a keyword of the advertiser's own. */
  readonly userSelectedKeyword?: boolean;
  /** Id of the recommendation. */
  readonly recId?: string;
}

/** The bid for a recommended keyword with a match type. */
export interface KeywordBidInfo {
  /** Match type between search and keyword. */
  readonly matchType?: OpenEnum<"BROAD" | "EXACT" | "PHRASE">;
  /** Place in the ranking, from 1. */
  readonly rank?: number;
  /** Bid, as the platform gives it. */
  readonly bid?: number;
  /** Further parts as the platform gives them. */
  readonly [field: string]: unknown;
}
