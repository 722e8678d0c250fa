import type { ReportLayout } from "../report_layout.ts";
import type { SqlDialect } from "./sql_dialect.ts";
import type { StoreView } from "./store_view.ts";

/** The view of a report, and the one of every version of its rows. */
export function reportViews({ table, view, columns }: ReportLayout, dialect: SqlDialect): StoreView[] {
  const names = columns.map(({ name }) => `, rows."${name}"`).join("");
  const select = (from: string, more = ""): string => selected(dialect, { from, names, more });
  const from = `, ${dialect.time("rows.known_from")} AS known_from`;
  return [
    { name: view, sql: select(table) },
    {
      name: `${view}_history`,
      sql: `${select(table, `${from}, ${dialect.noTime} AS known_to`)}
        UNION ALL ${select(`${table}_history`, `${from}, ${dialect.time("rows.known_to")} AS known_to`)}`,
    },
  ];
}

/**
 * The view of a report as it was at a moment.
 *
 * @param moment Milliseconds since the epoch.
 */
export function reportViewAsOf(
  { table, view, columns }: ReportLayout,
  dialect: SqlDialect,
  moment: number,
): StoreView {
  const names = columns.map(({ name }) => `, rows."${name}"`).join("");
  const select = (from: string): string => selected(dialect, { from, names, more: "" });
  return {
    name: view,
    sql: `${select(table)} WHERE rows.known_from <= ${moment}
      UNION ALL ${
      select(`${table}_history`)
    } WHERE rows.known_from <= ${moment} AND rows.known_to > ${moment}`,
  };
}

function selected(
  { table }: SqlDialect,
  { from, names, more }: { from: string; names: string; more: string },
): string {
  return `SELECT profiles.country_code, rows.profile_id${names}, rows.extra${more}
    FROM ${table(from)} AS rows
    LEFT JOIN ${table("profiles")} AS profiles ON profiles.profile_id = rows.profile_id`;
}
