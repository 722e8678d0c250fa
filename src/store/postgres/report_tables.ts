import type { ReportLayout } from "../model/report_layout.ts";
import type { Sql } from "../tables/postgres_sql.ts";
import type { ColumnType } from "../../client/reports/file/report_row.ts";
import { changesTable, versionColumns } from "../tables/kept_versions.ts";

const SQL_TYPES: Readonly<Record<ColumnType, string>> = {
  date: "date",
  integer: "bigint",
  real: "double precision",
  text: `text COLLATE "C"`,
};

const CURRENT = { known_from: "bigint NOT NULL DEFAULT 0", ref: "bigint" };
const CLOSED = { known_from: "bigint NOT NULL DEFAULT 0", known_to: "bigint NOT NULL DEFAULT 0" };

interface ReportTable {
  readonly name: string;
  readonly columns: readonly (readonly [name: string, type: string])[];
  readonly key: string;
  readonly index?: string;
}

function tablesOf(layout: ReportLayout): ReportTable[] {
  const { table } = layout;
  const changes = changesTable(layout);
  return [
    { name: table, columns: columnsOfRows(layout, CURRENT), key: primaryKey(layout, "") },
    {
      name: `${table}_history`,
      columns: columnsOfRows(layout, CLOSED),
      key: primaryKey(layout, ", known_from"),
    },
    {
      name: changes,
      columns: columnsOfChanges(layout),
      key: "",
      index: `CREATE INDEX ON ${changes} (ref)`,
    },
  ];
}

export async function prepareReport(
  sql: Sql,
  layout: ReportLayout,
  known: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<void> {
  for (const table of tablesOf(layout)) await prepareTable(sql, table, known.get(table.name));
}

async function prepareTable(
  sql: Sql,
  { name: table, columns, key, index }: ReportTable,
  there: ReadonlySet<string> | undefined,
): Promise<void> {
  if (there === undefined) {
    const lines = columns.map(([name, type]) => `"${name}" ${type}`);
    await sql.text(`CREATE TABLE ${table} (${lines.join(", ")}${key}) PARTITION BY RANGE (date)`);
    if (index !== undefined) await sql.text(index);
    return;
  }
  for (const [name, type] of columns) {
    if (there.has(name)) continue;
    await sql.text(`ALTER TABLE ${table} ADD COLUMN "${name}" ${type.replace(/ NOT NULL$/, "")}`);
  }
}

function primaryKey({ columns }: ReportLayout, more: string): string {
  const key = columns.filter((column) => column.key).map(({ name }) => `"${name}"`);
  return `, PRIMARY KEY (profile_id, ${key.join(", ")}, repeat${more})`;
}

function columnsOfRows(
  { columns }: ReportLayout,
  times: Readonly<Record<string, string>>,
): (readonly [string, string])[] {
  return [
    ["profile_id", PROFILE],
    ...columns.map((column) => [column.name, `${sqlType(column)}${column.key ? " NOT NULL" : ""}`] as const),
    ["extra", "json"],
    ["repeat", "bigint NOT NULL"],
    ...Object.entries(times),
  ];
}

function columnsOfChanges(layout: ReportLayout): (readonly [string, string])[] {
  const columns = versionColumns(layout).map((column) =>
    [column.name, column.name === "extra" ? "json" : sqlType(column)] as const
  );
  const isNumber = ([, type]: readonly [string, string]): boolean =>
    type === SQL_TYPES.integer || type === SQL_TYPES.real;
  return [
    ["ref", "bigint NOT NULL"],
    ["known_from", "bigint NOT NULL"],
    ["known_to", "bigint NOT NULL"],
    ...columns.filter(isNumber),
    ["date", "date NOT NULL"],
    ["profile_id", PROFILE],
    ...columns.filter((column) => !isNumber(column)),
    ["emptied", "text"],
  ];
}

const PROFILE = 'text COLLATE "C" NOT NULL';

function sqlType({ type }: { type: ColumnType }): string {
  return SQL_TYPES[type];
}
