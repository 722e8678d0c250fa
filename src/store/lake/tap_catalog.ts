import { isObject } from "../../base/json/fields_of.ts";
import { ConfigurationError } from "../../errors.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { LakeColumn, LakeTable } from "./lake_tables.ts";
import { chosenTables } from "./result_tables.ts";

/** JSON Schema of a stream's records. */
export interface TapSchema {
  /** Records are objects. */
  readonly type: "object";
  /** Columns with their types; every type also allows empty values. */
  readonly properties: Readonly<
    Record<string, { readonly type: readonly string[]; readonly format?: string }>
  >;
}

const TYPES: Readonly<Record<LakeColumn["type"], TapSchema["properties"][string]>> = {
  date: { type: ["null", "string"], format: "date" },
  time: { type: ["null", "string"], format: "date-time" },
  integer: { type: ["null", "integer"] },
  real: { type: ["null", "number"] },
  boolean: { type: ["null", "boolean"] },
  text: { type: ["null", "string"] },
  json: { type: ["null", "string"] },
};
const KEY = { type: ["string"] };

/** Columns that identify a record. */
export function tapKey({ key, result }: LakeTable): string[] {
  return result === undefined ? ["profile_id", ...key] : [...key];
}

export function tapSchema({ columns, key, result }: LakeTable): TapSchema {
  const own = columns.map(({ name, type }) => {
    const shape = TYPES[type];
    return [
      name,
      key.includes(name) ? { ...shape, type: shape.type.filter((each) => each !== "null") } : shape,
    ] as const;
  });
  return {
    type: "object",
    properties: {
      [result?.owner ?? "profile_id"]: KEY,
      ...result === undefined || result.owner === "profile_id" ? { country_code: TYPES.text } : {},
      ...Object.fromEntries(own),
      _sdc_deleted_at: TYPES.time,
    },
  };
}

const KEYED = ["days", "entities", "changes", "results"];

export async function tapTables(
  store: Warehouse,
  words: readonly string[] = KEYED,
  market?: string,
): Promise<LakeTable[]> {
  const tables = await chosenTables(store, words, market);
  const sums = tables.filter(({ key }) => key.length === 0).map(({ name }) => name);
  if (sums.length > 0) {
    throw new ConfigurationError(
      `Cannot send ${sums.join(", ")} row by row: they are totals without a key. Publish them instead`,
    );
  }
  return tables;
}

/**
 * Catalog of the tables for loaders. Every stream is selected.
 *
 * @param words Groups and names of tables, as in {@linkcode TapOptions.tables}.
 * @throws {ConfigurationError} as {@linkcode tapMessages}.
 *
 * @example
 * ```ts
 * import { tapCatalog, type Warehouse } from "@platform/ads/store";
 *
 * async function catalog(store: Warehouse): Promise<string> {
 *   return JSON.stringify(await tapCatalog(store, ["days", "results"]));
 * }
 * ```
 */
export async function tapCatalog(
  store: Warehouse,
  words?: readonly string[],
): Promise<Record<string, unknown>> {
  return {
    streams: (await tapTables(store, words)).map((table) => ({
      tap_stream_id: table.name,
      stream: table.name,
      key_properties: tapKey(table),
      schema: tapSchema(table),
      metadata: [{
        breadcrumb: [],
        metadata: {
          "inclusion": "available",
          "selected": true,
          "table-key-properties": tapKey(table),
          "forced-replication-method": "INCREMENTAL",
        },
      }],
    })),
  };
}

export function selectedStreams(catalog: unknown): string[] {
  const streams = isObject(catalog) ? catalog["streams"] : undefined;
  if (!Array.isArray(streams) || !streams.every(isObject)) {
    throw new ConfigurationError(
      'Cannot read the catalog: expected { "streams": [...] }, as tapCatalog() makes it',
    );
  }
  return streams.flatMap((stream) => {
    const name = stream["tap_stream_id"] ?? stream["stream"];
    return typeof name === "string" && isSelected(stream) ? [name] : [];
  });
}

function isSelected({ selected, metadata }: Record<string, unknown>): boolean {
  if (typeof selected === "boolean") return selected;
  const root = (Array.isArray(metadata) ? metadata : []).find((one) =>
    isObject(one) && Array.isArray(one["breadcrumb"]) && one["breadcrumb"].length === 0
  );
  return isObject(root) && isObject(root["metadata"]) && root["metadata"]["selected"] === true;
}
