/** Something that the word before the cursor may become. */
export interface Candidate {
  /** The whole word. */
  readonly word: string;
  /** A few words about it. */
  readonly about: string;
}

/** Candidates of bare words. */
export function candidates(words: Iterable<string>, about = ""): Candidate[] {
  return Array.from(words, (word) => ({ word, about }));
}
