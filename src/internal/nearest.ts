import { editDistance } from "./edit_distance.ts";
import { visibleText } from "./visible_text.ts";

/** The word that a misspelt one was probably meant to be; `undefined` when none is near. */
export function nearest(word: string, words: Iterable<string>): string | undefined {
  let best: { word: string; distance: number } | undefined;
  for (const candidate of words) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (best === undefined || distance < best.distance) best = { word: candidate, distance };
  }
  const allowed = Math.max(1, Math.floor(word.length * 0.4));
  return best !== undefined && best.distance <= allowed ? best.word : undefined;
}

/**
 * Refuses a value that an option does not take.
 *
 * @throws {TypeError} with the nearest of the values that it takes, else with all of them.
 */
export function requireOneOf(option: string, value: unknown, values: readonly string[]): void {
  if (typeof value === "string" && values.includes(value)) return;
  const given = typeof value === "string" ? `"${visibleText(value)}"` : visibleText(String(value));
  const near = typeof value === "string" ? nearest(value, values) : undefined;
  throw new TypeError(
    `Cannot use ${option} ${given}: expected one of ${values.map((one) => `"${one}"`).join(", ")}` +
      (near === undefined ? "" : `. Did you mean "${near}"?`),
  );
}
