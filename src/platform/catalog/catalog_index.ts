import type { ApiData, ApiRecord, CatalogData, CatalogRow } from "./catalog_data.ts";
import type { FieldIndex } from "../schema/field_index.ts";
import { Operation } from "./operation.ts";
import { type SearchOptions, searchRows } from "./search_rows.ts";
import { editDistance } from "../../base/text/nearest.ts";

export class CatalogIndex {
  readonly #apis: ReadonlyMap<string, ApiRecord>;
  readonly #rows = new Map<string, CatalogRow>();
  readonly #idsByName = new Map<string, string[]>();
  readonly #operations = new Map<string, Operation>();

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

  operations(): Operation[] {
    return Array.from(this.#rows.values(), (row) => this.#operation(row));
  }

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

/** Maximum length of a compared text. No id is longer, and comparing is slow. */
const MAX_LENGTH = 200;

/**
 * Ranks by missing words, then by edit distance ignoring case, which finds both typos and half-remembered names.
 * Compares operation names, or full ids if the text contains a colon.
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

function wordsOf(name: string): string[] {
  const parts = name.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/).filter((part) => part !== "");
  return parts.map((part) => part.toLowerCase().replace(/s$/, ""));
}
