import { loadedOnce } from "../../base/json/kept_or.ts";
import type { ApiRecord } from "./catalog_data.ts";
import type { CatalogIndex } from "./catalog_index.ts";
import type { Operation } from "./operation.ts";
import type { OperationId } from "../../../catalog/operation_ids.ts";
import type { SearchOptions } from "./search_rows.ts";

/** Catalog of every operation of the platform, searchable by id and by words. Loaded on first use. */
export interface Catalog {
  /**
   * Returns the operation with an id: `<api>:<operationId>`, or the operation's own name if only one API has it.
   * Operations that cannot be sent are returned too.
   *
   * @throws {RangeError} when no operation has it, naming the three nearest ids, or when several APIs have that name.
   */
  get(id: OperationId | (string & Record<never, never>)): Promise<Operation>;
  /**
   * Finds the operations whose id, path, summary or tags contain every word of the text, best first. If there are
   * none, the names of parameters and body fields are searched as well, as with `field`. Operations that cannot be
   * sent are left out unless `includeUnsupported` is true or `api` names their API.
   *
   * @throws {TypeError} when the text is empty and neither an API nor a field is named.
   * @throws {RangeError} when the API is unknown or the limit is not a whole number above 0.
   */
  search(text: string, options?: SearchOptions): Promise<Operation[]>;
  /** Returns the APIs by slug, sorted by slug. */
  apis(): Promise<ReadonlyMap<string, ApiRecord>>;
  /** Returns every operation, sorted by id. */
  operations(): Promise<Operation[]>;
}

const index: () => Promise<CatalogIndex> = loadedOnce(async () => {
  const [{ CatalogIndex }, { default: data }] = await Promise.all([
    import("./catalog_index.ts"),
    import("./operations_data.js"),
  ]);
  return new CatalogIndex(data);
});

/**
 * Catalog of every operation of the platform, searchable by id and by words.
 *
 * @example
 * ```ts
 * import { catalog } from "@platform/ads/catalog";
 *
 * const [first] = await catalog.search("list negative keywords");
 * console.log(first?.id, first?.method, first?.path);
 * const operation = await catalog.get("sponsored-brands-v4:ListSponsoredBrandsCampaigns");
 * console.log(operation.readOnly, operation.accept);
 * ```
 */
export const catalog: Catalog = Object.freeze({
  get: async (id: string) => (await index()).get(id),
  search: async (text: string, options: SearchOptions = {}) => {
    const rows = await index();
    if (options.field === undefined) {
      const found = rows.search(text, options);
      if (found.length > 0 || typeof text !== "string" || text.trim() === "") return found;
    }
    const { fieldIndex } = await import("../schema/mod.ts");
    return rows.search(text, options, await fieldIndex());
  },
  // A copy: a caller may change the map it gets, but not that of the others.
  apis: async () => new Map((await index()).apis),
  operations: async () => (await index()).operations(),
});
