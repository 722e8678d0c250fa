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
    /** Product. */
    readonly recommendedAsin: string;
    /** Why. */
    readonly themes?: readonly unknown[];
  }[];
  /** Fetches the next page; absent on the last. */
  readonly nextCursor?: string;
  /** Fetches the page before. */
  readonly previousCursor?: string;
}
