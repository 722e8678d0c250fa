import type { EntityLayout } from "../entities/entity_layout.ts";
import type { SqlDialect } from "./sql_dialect.ts";
import type { StoreView } from "./store_view.ts";
import { viewColumn } from "./view_columns.ts";

/** The view of a kind of entity, and the one of every version. */
export function entityViews(layout: EntityLayout, dialect: SqlDialect): StoreView[] {
  const from = `, ${dialect.time("rows.known_from")} AS known_from`;
  const select = (table: string, more = ""): string => selected(layout, dialect, { table, more });
  return [
    { name: layout.view, sql: select("entities") },
    {
      name: `${layout.view}_history`,
      sql: `${select("entities", `${from}, ${dialect.noTime} AS known_to`)}
        UNION ALL ${select("entities_history", `${from}, ${dialect.time("rows.known_to")} AS known_to`)}`,
    },
  ];
}

/**
 * The view of a kind as its entities were at a moment.
 *
 * @param moment Milliseconds since the epoch.
 */
export function entityViewAsOf(layout: EntityLayout, dialect: SqlDialect, moment: number): StoreView {
  const select = (table: string): string => selected(layout, dialect, { table, more: "" });
  return {
    name: layout.view,
    sql: `${select("entities")} AND rows.known_from <= ${moment}
      UNION ALL ${select("entities_history")} AND rows.known_from <= ${moment} AND rows.known_to > ${moment}`,
  };
}

function selected(
  { kind, idField, columns, hasKeywordText }: EntityLayout,
  { table: named, json }: SqlDialect,
  { table, more }: { table: string; more: string },
): string {
  const fields = columns.map(({ name, path, type }) =>
    `, ${json("rows.data", path, type)} AS "${viewColumn(name)}"`
  );
  const text = hasKeywordText ? ", rows.keyword_text" : "";
  return `SELECT profiles.country_code, rows.profile_id, rows.id AS "${viewColumn(idField)}"${
    fields.join("")
  }${text}, rows.data${more}
    FROM ${named(table)} AS rows
    LEFT JOIN ${named("profiles")} AS profiles ON profiles.profile_id = rows.profile_id
    WHERE rows.kind = '${kind}'`;
}
