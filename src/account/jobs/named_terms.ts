import { comparedText } from "../../client/entities/model/check_keyword_text.ts";
import type { SearchTermFigures } from "./search_terms.ts";

/** A search term chosen by a person, and the ad group whose ads were shown for it. */
export interface NamedTerm {
  /** Text of the term, or an ASIN. */
  readonly searchTerm: string;
  /** Id of the ad group, digits as text. */
  readonly adGroupId: string;
}

const MAX_NAMED = 20;

export function chosenTerms(
  found: readonly SearchTermFigures[],
  named: readonly NamedTerm[] | undefined,
): readonly SearchTermFigures[] {
  if (named === undefined) return found;
  const wanted = new Set(named.map(keyOf));
  const chosen = found.filter((term) => wanted.has(keyOf(term)));
  const known = new Set(chosen.map(keyOf));
  const missing = named.filter((term) => !known.has(keyOf(term)));
  if (missing.length === 0) return chosen;
  const words = missing.slice(0, MAX_NAMED).map((one) => `"${one.searchTerm}" in ad group ${one.adGroupId}`);
  const more = missing.length > MAX_NAMED ? `, and ${missing.length - MAX_NAMED} more` : "";
  throw new RangeError(
    `Cannot plan these terms: nothing is stored in these days for ${
      words.join(", ")
    }${more}. Sync, or use more days`,
  );
}

function keyOf({ searchTerm, adGroupId }: NamedTerm): string {
  return `${adGroupId.trim()} ${comparedText(searchTerm)}`;
}
