import { visibleText } from "./visible_text.ts";

export function nearest(word: string, words: Iterable<string>): string | undefined {
  const given = word.toLowerCase();
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length * 0.4)) + 1;
  for (const candidate of words) {
    const other = candidate.toLowerCase();
    // A difference in length takes as many edits at least.
    if (Math.abs(given.length - other.length) >= least) continue;
    const distance = editDistance(given, other, least);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

export function requireOneOf(option: string, value: unknown, values: readonly string[]): void {
  if (typeof value === "string" && values.includes(value)) return;
  const given = typeof value === "string" ? `"${visibleText(value)}"` : visibleText(String(value));
  const near = typeof value === "string" ? nearest(value, values) : undefined;
  throw new TypeError(
    `Cannot use ${option} ${given}: expected one of ${values.map((one) => `"${one}"`).join(", ")}` +
      (near === undefined ? "" : `. Did you mean "${near}"?`),
  );
}

/**
 * Counts the edits between two words: adding, removing or replacing a character, or swapping two neighbors.
 *
 * @param most Distances from here on need not be told apart: the answer is then this or more.
 */
export function editDistance(a: string, b: string, most = Infinity): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  let next: number[] = [];
  for (let i = 1; i <= a.length; i++) {
    next[0] = i;
    let closest = i;
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(replaced, row[j]! + 1, next[j - 1]! + 1);
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isExchanged) least = Math.min(least, before[j - 2]! + 1);
      next[j] = least;
      if (least < closest) closest = least;
    }
    // No later row is nearer; an exchange, which goes back by two rows, costs one edit more than the first of them.
    if (closest >= most) return most;
    [before, row, next] = [row, next, before];
  }
  return row[b.length]!;
}
