import { editDistance } from "./edit_distance.ts";

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
