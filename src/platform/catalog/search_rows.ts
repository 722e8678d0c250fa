import type { CatalogRow } from "./catalog_data.ts";
import { TYPED_OPERATIONS } from "./operation.ts";

/** Filters of a search. */
export interface SearchOptions {
  /** Only operations of the API with this slug; its unsendable operations are then found too. */
  readonly api?: string;
  /** Only operations whose parameters or body have a field of this name, case-insensitive. */
  readonly field?: string;
  /** Maximum number of results. @default 25 */
  readonly limit?: number;
  /** Also find operations that cannot be sent. @default false */
  readonly includeUnsupported?: boolean;
}

const DEFAULT_LIMIT = 25;
const texts = new WeakMap<CatalogRow, SearchedText>();

interface SearchedText {
  readonly all: string;
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly summary: ReadonlySet<string>;
  readonly bias: number;
}

export function searchRows(
  rows: Iterable<CatalogRow>,
  text: string,
  options: SearchOptions,
  fields?: ReadonlyMap<string, ReadonlySet<string>>,
): CatalogRow[] {
  const { api, field, limit = DEFAULT_LIMIT, includeUnsupported = false } = options;
  if (!(limit === Infinity || Number.isInteger(limit)) || limit < 1) {
    throw new RangeError(`Cannot search: the limit ${limit} is not a whole number above 0`);
  }
  const words = typeof text === "string" ? wordsIn(text) : [];
  if (words.length === 0 && api === undefined && field === undefined) {
    throw new TypeError(
      "Cannot search: the text is empty. Give a word of the operation's name, path or summary",
    );
  }
  const found: { row: CatalogRow; score: number }[] = [];
  for (const row of rows) {
    if (api !== undefined && row.api.slug !== api) continue;
    if (row.api.hostedTools && api === undefined && !includeUnsupported) continue;
    const names = fields?.get(row.id);
    if (field !== undefined && !names?.has(field.toLowerCase())) continue;
    let searched = texts.get(row);
    if (searched === undefined) texts.set(row, searched = wordsOf(row));
    const { all } = searched;
    if (words.every((word) => all.includes(word) || names?.has(word))) {
      found.push({ row, score: scoreOf(searched, words) });
    }
  }
  // The sort is stable, so that equals stay in the order of their ids.
  return found.sort((a, b) => b.score - a.score).slice(0, limit).map(({ row }) => row);
}

function wordsIn(text: string): string[] {
  return [...new Set(text.toLowerCase().split(/\s+/))].filter((word) => word !== "");
}

function wordsOf({ id, data }: CatalogRow): SearchedText {
  const name = data.operationId.toLowerCase();
  const path = data.path.toLowerCase();
  // Many operations that list things are named "get".
  const summary = data.summary.toLowerCase() + (isListing(data) ? " list" : "");
  return {
    all: [id.toLowerCase(), path, summary, ...(data.tags ?? []).map((tag) => tag.toLowerCase())].join("\n"),
    id: id.toLowerCase(),
    name,
    path,
    summary: new Set(summary.split(/[^\p{L}\p{N}]+/u).map(singular)),
    bias: (data.ends?.shutoff === undefined ? data.deprecated ? -5 : 0 : -1000) +
      (TYPED_OPERATIONS.has(id) ? 3 : 0) - data.summary.length / 1000,
  };
}

function isListing({ method, path }: CatalogRow["data"]): boolean {
  return method === "GET" && /s$/.test(path);
}

function scoreOf(searched: SearchedText, words: readonly string[]): number {
  let score = searched.bias;
  for (const word of words) {
    if (searched.name === word || searched.id === word) score += 100;
    else if (searched.summary.has(singular(word))) score += 8;
    else if (searched.name.startsWith(word)) score += 6;
    else if (searched.name.includes(word)) score += 4;
    else if (searched.path.includes(word)) score += 2;
  }
  return score;
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith("s") ? word.slice(0, -1) : word;
}
