import type { Row } from "./text_table.ts";

const MAX_RESULTS = 50;
const MAX_CHARACTERS = 32_000_000;
/** Most bytes of one result as a message carries it: clients hang up on messages of 10 MiB. */
const MAX_MESSAGE_BYTES = 8_000_000;
/** Milliseconds for which a finished report answers the same request: figures of recent days still change. */
const MAX_AGE = 30 * 60 * 1000;

/** A result that was too long for an answer, or that cost much to get. */
interface KeptResult {
  /** Of what, and how much of it, for a list. */
  readonly title: string;
  /** The rows as JSON. */
  readonly json: string;
  /** Notes that hold for whatever is made of the rows. */
  readonly notes: readonly string[];
  /** When it was kept, in milliseconds since the epoch. */
  readonly at: number;
}

/** Keeps the newest results in memory: clients read what an answer left out, and the same request is answered again. */
export class ResultCache {
  readonly #now: () => number;
  readonly #results = new Map<string, KeptResult>();
  readonly #byKey = new Map<string, string>();
  #characters = 0;

  /** @param now Milliseconds since the epoch. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Keeps a result and returns its address; `undefined` when it is too long even for that.
   *
   * @param options `key`: what the same request is found by; without one it is not found again. `notes`: what holds
   * for whatever is made of the rows.
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

  /** Rows and age in seconds of the result that was kept under a key, unless it is too old. */
  find(
    key: string,
  ): { readonly rows: readonly Row[]; readonly uri: string; readonly seconds: number } | undefined {
    const id = this.#byKey.get(key);
    const kept = id === undefined ? undefined : this.#results.get(id);
    if (id === undefined || kept === undefined || this.#now() - kept.at > MAX_AGE) return undefined;
    const seconds = Math.round((this.#now() - kept.at) / 1000);
    return { rows: JSON.parse(kept.json) as Row[], uri: uriOf(id), seconds };
  }

  /** The result at an address, as `result_uri` gives it. */
  at(uri: string): KeptResult | undefined {
    const id = /^platform-ads:\/\/results\/([\w-]+)$/.exec(uri.trim())?.[1];
    return id === undefined ? undefined : this.#results.get(id);
  }

  /** True when clients can read the result at an address in one message. */
  canBeRead(uri: string): boolean {
    const kept = this.at(uri);
    return kept !== undefined && fitsMessage(kept);
  }

  /** Ids and titles, newest first. */
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

/** True for a result that clients can read in one message. */
export function fitsMessage({ json }: Pick<KeptResult, "json">): boolean {
  return json.length <= MAX_MESSAGE_BYTES &&
    new TextEncoder().encode(JSON.stringify(json)).length <= MAX_MESSAGE_BYTES;
}

function uriOf(id: string): string {
  return `platform-ads://results/${id}`;
}
