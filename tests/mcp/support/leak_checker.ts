/** Looks for what belongs to others in everything that somebody gets. */
export class LeakChecker {
  readonly #owners = new Map<string, string>();
  readonly #asked = new Map<string, Set<string>>();
  /** What was found where it does not belong. */
  readonly leaks: string[] = [];
  /** Characters that were looked through. */
  characters = 0;
  /** How often somebody got what is their own: a checker that sees nothing finds nothing either. */
  seen = 0;

  /** Notes that texts belong to somebody. */
  add(owner: string, texts: Iterable<string>): void {
    for (const text of texts) this.#owners.set(text, owner);
  }

  /** Looks through a text that somebody gets: ids, plans, results, sessions and secrets are runs of such characters. */
  check(reader: string, text: string, where: string): void {
    this.characters += text.length;
    const asked = this.#asked.get(reader);
    for (const part of partsOf(text)) {
      const owner = this.#owners.get(part);
      if (owner === reader) this.seen++;
      else if (owner !== undefined && !asked?.has(part)) {
        this.leaks.push(`${reader} got ${part} of ${owner} by ${where}`);
      }
    }
  }

  /** Notes what somebody says themselves: they know it, so that it is no leak when a message repeats it. */
  asks(reader: string, text: string): void {
    const asked = this.#asked.get(reader) ?? new Set();
    this.#asked.set(reader, asked);
    for (const part of partsOf(text)) if (this.#owners.get(part) !== reader) asked.add(part);
  }
}

function partsOf(text: string): string[] {
  return [...text.matchAll(/[\w.|-]{8,}/g)].flatMap(([word]) => [word, ...word.match(/\d{14,}/g) ?? []]);
}
