/** What a demo account sells and how its shoppers search for it. */
export interface Theme {
  /** Names of product lines; each gets campaigns of its own. */
  readonly lines: readonly string[];
  /** What shoppers look for. */
  readonly nouns: readonly string[];
  /** What they put in front of or behind it. */
  readonly modifiers: readonly string[];
  /** Words that are kept out. */
  readonly unwanted: readonly string[];
  /** Brand names of competitors, for negative targets. */
  readonly rivals: readonly string[];
  /** Names of portfolios. */
  readonly portfolios: readonly string[];
  /** Whether the modifier follows the noun. */
  readonly nounFirst?: boolean;
}
