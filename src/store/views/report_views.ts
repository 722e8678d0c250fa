import type { ReportLayout } from "../model/report_layout.ts";
import { keptVersions } from "../tables/kept_versions.ts";
import type { SqlDialect } from "../tables/sql_dialect.ts";
import type { StoreView } from "../model/store_view.ts";
import { viewColumn } from "./view_columns.ts";

export function reportViews(layout: ReportLayout, dialect: SqlDialect): StoreView[] {
  const { table, view } = layout;
  const between = (from: string, to: string): string => `, ${from} AS known_from, ${to} AS known_to`;
  const time = (column: string): string => dialect.time(column);
  const from = time("rows.known_from");
  return [
    { name: view, sql: selected(layout, dialect, { table }) },
    {
      name: `${view}_history`,
      sql: [
        selected(layout, dialect, { table, more: between(from, dialect.noTime) }),
        selectedKept(layout, dialect, { more: between(time("d.known_from"), time("d.known_to")) }),
        selected(layout, dialect, { table: `${table}_history`, more: between(from, time("rows.known_to")) }),
      ].join("\n        UNION ALL "),
    },
  ];
}

export function reportViewAsOf(layout: ReportLayout, dialect: SqlDialect, moment: number): StoreView {
  const { table, view } = layout;
  const known = (version: string): string =>
    `${version}.known_from <= ${moment} AND ${version}.known_to > ${moment}`;
  return {
    name: view,
    sql: [
      `${selected(layout, dialect, { table })} WHERE rows.known_from <= ${moment}`,
      `${selectedKept(layout, dialect, {})} AND rows.known_from > ${moment} AND ${known("d")}`,
      `${selected(layout, dialect, { table: `${table}_history` })} WHERE ${known("rows")}`,
    ].join("\n      UNION ALL "),
  };
}

function selected(
  { columns }: ReportLayout,
  { table: named }: SqlDialect,
  { table, more = "" }: { table: string; more?: string },
): string {
  const names = [...columns.map(({ name }) => name), "extra"].map((name) =>
    `, rows."${name}" AS "${viewColumn(name)}"`
  )
    .join("");
  return `SELECT profiles.country_code, rows.profile_id${names}${more}
    FROM ${named(table)} AS rows
    LEFT JOIN ${named("profiles")} AS profiles ON profiles.profile_id = rows.profile_id`;
}

function selectedKept(layout: ReportLayout, dialect: SqlDialect, { more = "" }: { more?: string }): string {
  const { from, where, column } = keptVersions(layout, dialect);
  const names = [...layout.columns.map(({ name }) => name), "extra"]
    .map((name) => `, ${column(name)} AS "${viewColumn(name)}"`).join("");
  return `SELECT profiles.country_code, rows.profile_id${names}${more}
    FROM ${from}
    LEFT JOIN ${dialect.table("profiles")} AS profiles ON profiles.profile_id = rows.profile_id
    WHERE ${where}`;
}
