/** Products of a demo account, and the search terms for them. */
export interface Theme {
  /** Names of product lines; each gets campaigns of its own. */
  readonly lines: readonly string[];
  /** Nouns of search terms. */
  readonly nouns: readonly string[];
  /** Words in front of or behind the noun. */
  readonly modifiers: readonly string[];
  /** Words that are kept out. */
  readonly unwanted: readonly string[];
  /** Brand names of competitors, for negative targets. */
  readonly rivals: readonly string[];
  /** Names of portfolios. */
  readonly portfolios: readonly string[];
  /** True if the modifier follows the noun. */
  readonly nounFirst?: boolean;
}
