import type { Row } from "./text_table.ts";

const MAX_RESULTS = 50;
const MAX_CHARACTERS = 32_000_000;
/** Maximum bytes of one result message; clients disconnect at 10 MiB. */
const MAX_MESSAGE_BYTES = 8_000_000;
/** Milliseconds that a finished report is reused; recent figures still change. */
const MAX_AGE = 30 * 60 * 1000;

interface KeptResult {
  readonly title: string;
  readonly json: string;
  readonly notes: readonly string[];
  readonly at: number;
}

export class ResultCache {
  readonly #now: () => number;
  readonly #results = new Map<string, KeptResult>();
  readonly #byKey = new Map<string, string>();
  #characters = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Returns the result's URI; `undefined` if it is too large.
   *
   * @param options `key` identifies repeated requests; without it, the result is not reused. `notes` apply to anything
   * derived from the rows.
   */
  keep(
    title: string,
    value: unknown,
    { key, notes = [] }: {
      readonly key?: string | undefined;
      readonly notes?: readonly string[] | undefined;
    } = {},
  ): string | undefined {
    const json = JSON.stringify(value);
    if (json.length > MAX_CHARACTERS / 2) return undefined;
    const id = crypto.randomUUID();
    this.#results.set(id, { title, json, notes, at: this.#now() });
    if (key !== undefined) this.#byKey.set(key, id);
    this.#characters += json.length;
    while (this.#results.size > MAX_RESULTS || this.#characters > MAX_CHARACTERS) this.#dropOldest();
    return uriOf(id);
  }

  get(id: string): KeptResult | undefined {
    return this.#results.get(id);
  }

  find(
    key: string,
  ): { readonly rows: readonly Row[]; readonly uri: string; readonly seconds: number } | undefined {
    const id = this.#byKey.get(key);
    const kept = id === undefined ? undefined : this.#results.get(id);
    if (id === undefined || kept === undefined || this.#now() - kept.at > MAX_AGE) return undefined;
    const seconds = Math.round((this.#now() - kept.at) / 1000);
    return { rows: JSON.parse(kept.json) as Row[], uri: uriOf(id), seconds };
  }

  at(uri: string): KeptResult | undefined {
    const id = /^platform-ads:\/\/results\/([\w-]+)$/.exec(uri.trim())?.[1];
    return id === undefined ? undefined : this.#results.get(id);
  }

  canBeRead(uri: string): boolean {
    const kept = this.at(uri);
    return kept !== undefined && fitsMessage(kept);
  }

  list(): { id: string; title: string }[] {
    return [...this.#results].map(([id, { title }]) => ({ id, title })).reverse();
  }

  #dropOldest(): void {
    const [oldest] = this.#results;
    if (oldest === undefined) return;
    const [id, { json }] = oldest;
    this.#results.delete(id);
    this.#characters -= json.length;
    for (const [key, kept] of this.#byKey) if (kept === id) this.#byKey.delete(key);
  }
}

export function fitsMessage({ json }: Pick<KeptResult, "json">): boolean {
  return json.length <= MAX_MESSAGE_BYTES &&
    new TextEncoder().encode(JSON.stringify(json)).length <= MAX_MESSAGE_BYTES;
}

function uriOf(id: string): string {
  return `platform-ads://results/${id}`;
}
