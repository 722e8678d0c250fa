import { kindOf } from "../../platform/catalog/kind_names.ts";
import { nearest } from "../../base/text/nearest.ts";
import type { ResourceKind } from "../../client/entities/kinds/kinds.ts";
import { ConfigurationError } from "../../errors.ts";
import type { ReportLayout } from "../model/report_layout.ts";
import type { SchemaColumn } from "../model/schema_table.ts";
import { ENTITY_LAYOUTS } from "../tables/entity_layout.ts";
import { sqlDialect } from "../tables/sql_dialect.ts";
import { sqlRead, storeViews } from "../views/store_views.ts";
import { viewColumn } from "../views/view_columns.ts";
import { storeSchema } from "../warehouse/store_schema.ts";

const FOLDERS: readonly string[] = ["country_code", "profile_id", "month"];

const OF_TODAY: readonly string[] = ["immature"];

export interface LakeColumn {
  readonly name: string;
  readonly type: SchemaColumn["type"] | "boolean";
}

export interface LakeTable {
  readonly name: string;
  readonly columns: readonly LakeColumn[];
  readonly day: string | undefined;
  /** Columns that identify a row within a profile; empty for marts, which are sums. */
  readonly key: readonly string[];
  readonly reports: readonly string[];
  readonly kinds: readonly ResourceKind[];
  /** Stored runs that the table is made of, not days or entities. */
  readonly result?: LakeResult | undefined;
}

/** A clean-room query, or a report that is stored by windows. */
export interface LakeResult {
  readonly workflowId: string;
  /** Column for the owner of a run, which is a folder of its file. */
  readonly owner: "profile_id" | "instance_id" | "advertiser_id";
  /** Columns of the table, by name in the stored rows. */
  readonly names: ReadonlyMap<string, string>;
}

export const TABLE_GROUPS = ["marts", "days", "entities", "changes", "results"] as const;

const READY = ["performance", "search_term_performance", "budget_pressure"];

/**
 * Finds the tables that words name, each a group or a table.
 *
 * @throws {ConfigurationError} with every unknown word.
 */
export function lakeTables(
  words: readonly string[],
  layouts: readonly ReportLayout[],
  results: readonly LakeTable[] = [],
): LakeTable[] {
  const groups = tablesByGroup(layouts).set("results", [...results]);
  const known = new Map([...groups.values()].flat().map((table) => [table.name, table]));
  const found = new Map<string, LakeTable>();
  const unknown: string[] = [];
  for (const word of words) {
    const name = word.trim().toLowerCase().replaceAll("-", "_");
    const one = known.get(name) ?? known.get(kindOf(word, [...known.keys()]) ?? "");
    const tables = groups.get(name) ?? (one === undefined ? undefined : [one]);
    if (tables === undefined) unknown.push(unknownTable(word, [...groups.keys(), ...known.keys()]));
    for (const table of tables ?? []) found.set(table.name, table);
  }
  if (unknown.length > 0) throw new ConfigurationError(`Cannot choose tables: ${unknown.join("; ")}`);
  return [...found.values()];
}

function unknownTable(word: string, names: readonly string[]): string {
  const near = nearest(word, names);
  return `"${word}" is not a table or group. ${
    near === undefined
      ? `Expected ${TABLE_GROUPS.join(", ")} or the name of a daily table or stored result`
      : `Did you mean "${near}"?`
  }`;
}

function tablesByGroup(layouts: readonly ReportLayout[]): Map<string, LakeTable[]> {
  const columns = new Map(storeSchema(layouts).map((table) => [table.name, table.columns]));
  const table = (name: string, parts: Omit<LakeTable, "name" | "columns">): LakeTable => ({
    ...parts,
    name,
    columns: (columns.get(name) ?? []).filter((column) =>
      !FOLDERS.includes(column.name) && !OF_TODAY.includes(column.name)
    ).map(({ name, type }) => ({ name, type })),
  });
  const views = new Map(storeViews(layouts, sqlDialect("SQLite")).map(({ name, sql }) => [name, sql]));
  const ends = new Set(
    [...layouts, ...ENTITY_LAYOUTS].flatMap(({ view }) => [view, `${view}_history`]),
  );
  const ready = (name: string, day: string): LakeTable => {
    const read = sqlRead(name, views, ends);
    const sql = [...read.values()].join("\n");
    // Kinds are read by their views, and from the table of all kinds by name.
    const kinds = ENTITY_LAYOUTS.filter(({ view, kind }) =>
      read.has(view) || read.has(`${view}_history`) || sql.includes(`'${kind}'`)
    );
    return table(name, {
      day,
      key: [],
      reports: layouts.filter(({ view }) => read.has(view)).map(({ report }) => report),
      kinds: kinds.map(({ kind }) => kind),
    });
  };
  const marts = [...columns.keys()].filter((name) => /^mart_\w+_day$/.test(name));
  return new Map<string, LakeTable[]>([
    ["marts", marts.map((name) => ready(name, "date_day"))],
    [
      "days",
      layouts.map(({ view, report, columns }) =>
        table(view, {
          day: "date",
          key: columns.filter(({ key }) => key).map(({ name }) => viewColumn(name)),
          reports: [report],
          kinds: [],
        })
      ),
    ],
    [
      "entities",
      ENTITY_LAYOUTS.map(({ view, kind, idField }) =>
        table(view, {
          day: undefined,
          key: [columnOf(idField, columns.get(view))],
          reports: [],
          kinds: [kind],
        })
      ),
    ],
    [
      "changes",
      ENTITY_LAYOUTS.map(({ view, kind, idField }) =>
        table(`${view}_history`, {
          day: undefined,
          key: [columnOf(idField, columns.get(view)), "known_from"],
          reports: [],
          kinds: [kind],
        })
      ),
    ],
    ["ready", READY.map((name) => ready(name, "date"))],
  ]);
}

function columnOf(idField: string, columns: readonly SchemaColumn[] | undefined): string {
  return columns?.find(({ name }) => !FOLDERS.includes(name))?.name ?? idField;
}
