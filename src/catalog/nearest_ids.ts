/** No id is longer; comparing takes time by the character. */
const LONGEST = 200;

/**
 * The ids nearest to a misspelt one, best first: by the fewest single-character edits, case ignored.
 *
 * A text without a colon is compared with the operations' own names, one with a colon with the full ids.
 */
export function nearestIds(
  text: string,
  ids: Iterable<string>,
  { count = 3 }: { count?: number } = {},
): string[] {
  const wanted = text.slice(0, LONGEST).toLowerCase();
  const whole = text.includes(":");
  const scored = Array.from(ids, (id) => {
    const name = (whole ? id : id.slice(id.indexOf(":") + 1)).toLowerCase();
    return { id, distance: editDistance(wanted, name) };
  });
  scored.sort((a, b) => a.distance - b.distance || (a.id < b.id ? -1 : 1));
  return scored.slice(0, count).map(({ id }) => id);
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, previous[j]! + 1, row[j - 1]! + 1));
    }
    previous = row;
  }
  return previous[b.length]!;
}
