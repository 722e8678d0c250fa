import type { ApiData, ApiRecord, CatalogData, CatalogRow } from "./catalog_data.ts";
import type { FieldIndex } from "../schema/field_index.ts";
import { Operation } from "./operation.ts";
import { type SearchOptions, searchRows } from "./search_rows.ts";
import { editDistance } from "../../base/text/nearest.ts";

/** The catalog in memory. Operations are created on first use. */
export class CatalogIndex {
  readonly #apis: ReadonlyMap<string, ApiRecord>;
  readonly #rows = new Map<string, CatalogRow>();
  readonly #idsByName = new Map<string, string[]>();
  readonly #operations = new Map<string, Operation>();

  /** @param data The content of `catalog/operations.json`. */
  constructor(data: CatalogData) {
    this.#apis = new Map(data.apis.map((api) => [api.slug, apiRecord(api)]));
    for (const api of data.apis) {
      for (const operation of api.operations) {
        const id = `${api.slug}:${operation.operationId}`;
        this.#rows.set(id, { id, api, data: operation });
        const ids = this.#idsByName.get(operation.operationId);
        if (ids === undefined) this.#idsByName.set(operation.operationId, [id]);
        else ids.push(id);
      }
    }
  }

  get apis(): ReadonlyMap<string, ApiRecord> {
    return this.#apis;
  }

  /** All operations, by id. */
  operations(): Operation[] {
    return Array.from(this.#rows.values(), (row) => this.#operation(row));
  }

  /** Operation by full id, or by a name that only one API has. */
  get(id: string): Operation {
    if (typeof id !== "string" || id.trim() === "") {
      throw new TypeError(
        `Cannot find an operation: the id is ${typeof id === "string" ? "empty" : `a ${typeof id}`}`,
      );
    }
    const row = this.#rows.get(id);
    if (row !== undefined) return this.#operation(row);
    const ids = this.#idsByName.get(id) ?? [];
    if (ids.length > 1) {
      throw new RangeError(
        `Cannot choose an operation: "${id}" is in ${ids.length} APIs. Use one of ${
          ids.map(quoted).join(", ")
        }`,
      );
    }
    const [only = ""] = ids;
    const found = this.#rows.get(only);
    if (found !== undefined) return this.#operation(found);
    const slug = id.split(":")[0]!;
    const candidates = id.includes(":") && this.#apis.has(slug)
      ? [...this.#rows.keys()].filter((known) => known.startsWith(`${slug}:`))
      : this.#rows.keys();
    const nearest = nearestIds(id, candidates);
    throw new RangeError(
      `Cannot find the operation "${id}"` +
        (nearest.length === 0
          ? `: ${this.#emptyApi(slug)}`
          : `. The nearest are ${nearest.map(quoted).join(", ")}`),
    );
  }

  /** Operations that match every word, best first. */
  search(text: string, options: SearchOptions = {}, fields?: FieldIndex): Operation[] {
    if (options.api !== undefined && !this.#apis.has(options.api)) {
      const nearest = nearestIds(options.api, this.#apis.keys());
      throw new RangeError(
        `Cannot search the API "${options.api}": no API has that name. ` +
          `The nearest are ${nearest.map(quoted).join(", ")}`,
      );
    }
    return searchRows(this.#rows.values(), text, options, fields).map((row) => this.#operation(row));
  }

  #operation(row: CatalogRow): Operation {
    let operation = this.#operations.get(row.id);
    if (operation === undefined) {
      operation = new Operation(row.api, row.data);
      this.#operations.set(row.id, operation);
    }
    return operation;
  }

  #emptyApi(slug: string): string {
    return `the catalog holds no operations of "${slug}". ${this.#apis.get(slug)?.note ?? ""}`.trimEnd();
  }
}

function apiRecord(api: ApiData): ApiRecord {
  return Object.freeze({
    slug: api.slug,
    title: api.title,
    version: api.version,
    source: api.source,
    operationCount: api.operations.length,
    unlistedCount: api.unlisted ?? 0,
    hostedTools: api.hostedTools ?? false,
    note: api.note,
  });
}

function quoted(text: string): string {
  return `"${text}"`;
}

/** Maximum length of a compared text: no id is longer, and comparing is slow. */
const MAX_LENGTH = 200;

/**
 * The ids nearest to one that there is not, best first: those whose names lack the fewest of its words, and among
 * them by the fewest single-character edits, case ignored. So both a slip of a finger and a name that was only
 * half remembered are found.
 *
 * Edits are counted against the operations' own names, or against the full ids for a text with a colon.
 */
function nearestIds(
  text: string,
  ids: Iterable<string>,
  { count = 3 }: { count?: number } = {},
): string[] {
  const cut = text.slice(0, MAX_LENGTH);
  const wanted = cut.toLowerCase();
  const words = wordsOf(nameOf(cut));
  const whole = text.includes(":");
  const scored = Array.from(ids, (id) => {
    const name = nameOf(id);
    const known = new Set(wordsOf(name));
    const missing = words.filter((word) => !known.has(word)).length;
    return { id, missing, distance: editDistance(wanted, (whole ? id : name).toLowerCase()) };
  });
  scored.sort((a, b) => a.missing - b.missing || a.distance - b.distance || (a.id < b.id ? -1 : 1));
  return scored.slice(0, count).map(({ id }) => id);
}

function nameOf(id: string): string {
  return id.slice(id.indexOf(":") + 1);
}

/** Lowercase words of a compound name, without the plural s. */
function wordsOf(name: string): string[] {
  const parts = name.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/).filter((part) => part !== "");
  return parts.map((part) => part.toLowerCase().replace(/s$/, ""));
}
