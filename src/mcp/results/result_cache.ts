const MAX_RESULTS = 50;
const MAX_CHARACTERS = 32_000_000;
/** Most bytes of one result as a message carries it: clients hang up on messages of 10 MiB. */
const MAX_BYTES = 8_000_000;

/** A result that was too long for an answer. */
export interface KeptResult {
  /** What it is, for a list. */
  readonly title: string;
  /** The rows as JSON. */
  readonly json: string;
}

/** Keeps the newest results in memory, so that a client can read as a resource what an answer left out. */
export class ResultCache {
  readonly #results = new Map<string, KeptResult>();
  #characters = 0;

  /** Keeps a result and returns its address; `undefined` when it is too long even for that. */
  keep(title: string, value: unknown): string | undefined {
    const json = JSON.stringify(value);
    if (json.length > MAX_BYTES || bytesInMessage(json) > MAX_BYTES) return undefined;
    const id = crypto.randomUUID();
    this.#results.set(id, { title, json });
    this.#characters += json.length;
    while (this.#results.size > MAX_RESULTS || this.#characters > MAX_CHARACTERS) this.#dropOldest();
    return `platform-ads://results/${id}`;
  }

  /** The result with that id. */
  get(id: string): KeptResult | undefined {
    return this.#results.get(id);
  }

  /** Ids and titles, newest first. */
  list(): { id: string; title: string }[] {
    return [...this.#results].map(([id, { title }]) => ({ id, title })).reverse();
  }

  #dropOldest(): void {
    const [id, { json }] = this.#results.entries().next().value!;
    this.#results.delete(id);
    this.#characters -= json.length;
  }
}

function bytesInMessage(text: string): number {
  return new TextEncoder().encode(JSON.stringify(text)).length;
}
