import { isObject } from "../../base/json/is_object.ts";
import { ConfigurationError } from "../../errors.ts";
import type { SchemaColumn } from "../model/schema_table.ts";
import type { ReportLayout } from "../model/report_layout.ts";
import { type LakeTable, lakeTables } from "./lake_tables.ts";

/** JSON Schema of a stream's records. */
export interface TapSchema {
  /** Records are objects. */
  readonly type: "object";
  /** Columns with their types; every type also allows empty values. */
  readonly properties: Readonly<
    Record<string, { readonly type: readonly string[]; readonly format?: string }>
  >;
}

const TYPES: Readonly<Record<SchemaColumn["type"], TapSchema["properties"][string]>> = {
  date: { type: ["null", "string"], format: "date" },
  time: { type: ["null", "string"], format: "date-time" },
  integer: { type: ["null", "integer"] },
  real: { type: ["null", "number"] },
  text: { type: ["null", "string"] },
  json: { type: ["null", "string"] },
};
const KEY = { type: ["string"] };

export function tapSchema({ columns, key }: LakeTable): TapSchema {
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
      profile_id: KEY,
      country_code: TYPES.text,
      ...Object.fromEntries(own),
      _sdc_deleted_at: TYPES.time,
    },
  };
}

const KEYED = ["days", "entities", "changes"];

export function tapTables(words: readonly string[] = KEYED, layouts: readonly ReportLayout[]): LakeTable[] {
  const tables = lakeTables(words, layouts);
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
 * @throws {ConfigurationError} as {@linkcode tapTables}.
 *
 * @example
 * ```ts
 * import { tapCatalog, type Warehouse } from "@platform/ads/store";
 *
 * function catalog(store: Warehouse): string {
 *   return JSON.stringify(tapCatalog(["days"], store.layouts));
 * }
 * ```
 */
export function tapCatalog(
  words: readonly string[] | undefined,
  layouts: readonly ReportLayout[],
): Record<string, unknown> {
  return {
    streams: tapTables(words, layouts).map((table) => {
      const keys = ["profile_id", ...table.key];
      return {
        tap_stream_id: table.name,
        stream: table.name,
        key_properties: keys,
        schema: tapSchema(table),
        metadata: [{
          breadcrumb: [],
          metadata: {
            "inclusion": "available",
            "selected": true,
            "table-key-properties": keys,
            "forced-replication-method": "INCREMENTAL",
          },
        }],
      };
    }),
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
