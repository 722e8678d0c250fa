import type { OpenEnum } from "./entity_fields.ts";

/** Request for keyword recommendations, for an ad group or for products. */
export interface KeywordRecommendationRequest {
  /** Campaign of an existing ad group. */
  readonly campaignId?: string;
  /** The ad group; its existing keywords are left out. */
  readonly adGroupId?: string;
  /** Products, if there is no ad group yet. */
  readonly asins?: readonly string[];
  /** The advertiser's own keywords, to be ranked together with the recommended ones. */
  readonly targets?: readonly Readonly<Record<string, unknown>>[];
  /** Maximum number of keywords, 0 to 200. */
  readonly maxRecommendations?: number;
  /** Figure by which the keywords are ranked. */
  readonly sortDimension?: OpenEnum<"CLICKS" | "CONVERSIONS" | "DEFAULT">;
  /** Language of translations, for example `en_US`. */
  readonly locale?: string;
}

/** A recommended keyword. */
export interface KeywordRecommendation {
  /** The text. */
  readonly keyword: string;
  /** The text in the requested language. */
  readonly translation?: string;
  /** A bid for each match type. */
  readonly bidInfo?: readonly KeywordBidInfo[];
  /** Rank among search terms by impressions. */
  readonly searchTermImpressionRank?: number;
  /** Percentage of the search term's impressions. */
  readonly searchTermImpressionShare?: number;
  /** True for one of the advertiser's own keywords. */
  readonly userSelectedKeyword?: boolean;
  /** Id of the recommendation. */
  readonly recId?: string;
}

/** The bid for a recommended keyword in one match type. */
export interface KeywordBidInfo {
  /** How the keyword matches searches. */
  readonly matchType?: OpenEnum<"BROAD" | "EXACT" | "PHRASE">;
  /** Place in the ranking, from 1. */
  readonly rank?: number;
  /** Bid, as returned by the platform. */
  readonly bid?: number;
  /** Additional fields, as returned by the platform. */
  readonly [field: string]: unknown;
}

/** An option for narrowing a category, with its id and name. */
export interface NamedId {
  /** Id used in targeting expressions. */
  readonly id: string;
  /** Display name. */
  readonly name: string;
  /** Name in the requested language. */
  readonly translatedName?: string;
}

/** A range of numbers. */
export interface CountRange {
  /** Minimum. */
  readonly min?: number;
  /** Maximum. */
  readonly max?: number;
}

/** A filter for the products of a category. */
export interface ProductFilter {
  /** Id of the category. */
  readonly category: string;
  /** Only these brands. */
  readonly brands?: readonly Partial<NamedId>[];
  /** Only these age ranges. */
  readonly ageRanges?: readonly Partial<NamedId>[];
  /** Only these genres. */
  readonly genres?: readonly Partial<NamedId>[];
  /** True for only products that are shipped with the platform's membership, false for only those that are not. */
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
  /** Genres of books, films and music. */
  readonly genres?: readonly NamedId[];
}

/** A category that is recommended for targeting. */
export interface CategoryRecommendation {
  /** Id of the category. */
  readonly id: string;
  /** Display name. */
  readonly name: string;
  /** Names of the category and its ancestors, from the root down. */
  readonly categoryPath?: string;
  /** Id of the category above. */
  readonly parentCategoryId?: string;
  /** Number of products in the category. */
  readonly asinCounts?: CountRange;
  /** Name in the requested language. */
  readonly translatedName?: string;
  /** Path in the requested language. */
  readonly translatedCategoryPath?: string;
}

/** A page of products that are recommended for targeting. */
export interface ProductRecommendations {
  /** Recommended products, each with the reasons. */
  readonly recommendations: readonly {
    readonly recommendedAsin: string;
    /** Reasons for the recommendation. */
    readonly themes?: readonly unknown[];
  }[];
  /** Cursor of the next page; absent on the last one. */
  readonly nextCursor?: string;
  /** Cursor of the previous page. */
  readonly previousCursor?: string;
}
