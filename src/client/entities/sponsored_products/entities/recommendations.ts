import type { OpenEnum } from "../../model/entity_fields.ts";

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

/** A choice of a refinement. */
export interface NamedId {
  /** Used in targeting expressions. */
  readonly id: string;
  /** Shown to people. */
  readonly name: string;
  /** Name in the language that was asked for. */
  readonly translatedName?: string;
}

/** Fewest and most. */
export interface CountRange {
  /** Fewest. */
  readonly min?: number;
  /** Most. */
  readonly max?: number;
}

/** Products of a category, narrowed. */
export interface ProductFilter {
  /** Id of the category. */
  readonly category: string;
  /** Only these brands. */
  readonly brands?: readonly Partial<NamedId>[];
  /** Only for these ages. */
  readonly ageRanges?: readonly Partial<NamedId>[];
  /** Only these genres. */
  readonly genres?: readonly Partial<NamedId>[];
  /** Only products that are, or are not, shipped with the platform's membership. */
  readonly isPrimeShipping?: boolean;
  /** Only prices in this range, in the marketplace's currency. */
  readonly priceRange?: CountRange;
  /** Only ratings in this range, 0 to 5 stars. */
  readonly ratingRange?: CountRange;
}

/** Properties that narrow the products of a category. */
export interface CategoryRefinements {
  /** Brands of products in the category. */
  readonly brands?: readonly NamedId[];
  /** Ages. */
  readonly ageRanges?: readonly NamedId[];
  /** Of books, films and music. */
  readonly genres?: readonly NamedId[];
}

/** A category that is recommended for targeting. */
export interface CategoryRecommendation {
  /** Id of the category. */
  readonly id: string;
  /** Shown to people. */
  readonly name: string;
  /** Names from the root down. */
  readonly categoryPath?: string;
  /** Id of the category above. */
  readonly parentCategoryId?: string;
  /** Number of products in it. */
  readonly asinCounts?: CountRange;
  /** Name in the language that was asked for. */
  readonly translatedName?: string;
  /** Path in the language that was asked for. */
  readonly translatedCategoryPath?: string;
}

/** A page of products that are recommended for targeting. */
export interface ProductRecommendations {
  /** Products, and why each is recommended. */
  readonly recommendations: readonly {
    readonly recommendedAsin: string;
    /** Why. */
    readonly themes?: readonly unknown[];
  }[];
  /** Fetches the next page; absent on the last. */
  readonly nextCursor?: string;
  /** Fetches the page before. */
  readonly previousCursor?: string;
}
