import { editDistance } from "../../internal/edit_distance.ts";

/** No id is longer; comparing takes time by the character. */
const MAX_LENGTH = 200;

/**
 * The ids nearest to one that there is not, best first: those whose names lack the fewest of its words, and among
 * them by the fewest single-character edits, case ignored. So both a slip of a finger and a name that was only
 * half remembered are found.
 *
 * Edits are counted against the operations' own names, or against the full ids for a text with a colon.
 */
export function nearestIds(
  text: string,
  ids: Iterable<string>,
  { count = 3 }: { count?: number } = {},
): string[] {
  const cut = text.slice(0, MAX_LENGTH);
  const wanted = cut.toLowerCase();
  const words = wordsOf(nameOf(cut));
  const whole = text.includes(":");
  const scored = Array.from(ids, (id) => {
    const name = nameOf(id);
    const known = new Set(wordsOf(name));
    const missing = words.filter((word) => !known.has(word)).length;
    return { id, missing, distance: editDistance(wanted, (whole ? id : name).toLowerCase()) };
  });
  scored.sort((a, b) => a.missing - b.missing || a.distance - b.distance || (a.id < b.id ? -1 : 1));
  return scored.slice(0, count).map(({ id }) => id);
}

function nameOf(id: string): string {
  return id.slice(id.indexOf(":") + 1);
}

/** The words that a name is written together of, in lower case and without the s of a plural. */
function wordsOf(name: string): string[] {
  const parts = name.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/).filter((part) => part !== "");
  return parts.map((part) => part.toLowerCase().replace(/s$/, ""));
}
