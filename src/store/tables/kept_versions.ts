import type { ColumnType } from "../../client/reports/file/report_row.ts";
import type { ReportLayout } from "../model/report_layout.ts";
import type { SqlDialect } from "./sql_dialect.ts";

export function changesTable({ table }: ReportLayout): string {
  return `${table}_changes`;
}

/** Mark in the column `emptied` for a column that was empty in the version but is not empty now. */
export function emptiedMark(column: string): string {
  return `|${column}|`;
}

export function versionColumns({ columns }: ReportLayout): { name: string; type: ColumnType }[] {
  const others = columns.filter(({ key }) => !key).map(({ name, type }) => ({ name, type }));
  return [...others, { name: "extra", type: "text" }];
}

export function holdsSql(column: string, { contains }: SqlDialect): string {
  return `(d."${column}" IS NOT NULL OR coalesce(${contains("d.emptied", emptiedMark(column))}, FALSE))`;
}

export function keptVersions(
  layout: ReportLayout,
  dialect: SqlDialect,
): { from: string; where: string; column: (name: string) => string } {
  const types = new Map(versionColumns(layout).map(({ name, type }) => [name, type]));
  return {
    from: `${dialect.table(layout.table)} AS rows CROSS JOIN ${dialect.table(changesTable(layout))} AS d`,
    where: dialect.changeOf("d", "rows"),
    column: (name) => {
      const type = types.get(name);
      if (type === undefined) return `rows."${name}"`;
      const wasEmpty = dialect.contains("d.emptied", emptiedMark(name));
      return dialect.typed(
        `CASE WHEN d."${name}" IS NOT NULL THEN d."${name}" WHEN ${wasEmpty} THEN NULL ELSE rows."${name}" END`,
        type,
      );
    },
  };
}
