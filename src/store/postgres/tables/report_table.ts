import type { ReportLayout } from "../../report_layout.ts";
import type { PullRecord, RowFilter, StoredDay } from "../../store_driver.ts";
import type { Sql } from "../sql.ts";
import type { ColumnType } from "../../../reports/report_row.ts";
import { changesTable, versionColumns } from "../../views/kept_versions.ts";

/** Stored rows of a pull's covered days. */
export async function storedDays(
  sql: Sql,
  { layout, profileId, start, end }: PullRecord,
): Promise<StoredDay[]> {
  const cost = layout.columns.some(({ name }) => name === "cost") ? "sum(cost)" : "0";
  const rows = await sql.text(
    `SELECT days.date, days.rows, days.made_at, coalesce(costs.cost, 0) AS cost
     FROM days LEFT JOIN (
       SELECT date, ${cost} AS cost FROM ${layout.table}
       WHERE profile_id = $1 AND date BETWEEN $3::date AND $4::date GROUP BY date
     ) AS costs ON costs.date = days.date
     WHERE days.profile_id = $1 AND days.report = $2 AND days.date BETWEEN $3::date AND $4::date`,
    [profileId, layout.report, start, end],
  );
  return rows.map((row) => ({
    day: String(row["date"]),
    rows: Number(row["rows"]),
    cost: Number(row["cost"]),
    madeAt: row["made_at"] === null ? null : String(row["made_at"]),
  }));
}

/** The statement that reads the rows which pass the filter, oldest day first, and its parameters. */
export function selectRows(layout: ReportLayout, filter: RowFilter): { text: string; params: string[] } {
  const conditions: string[] = ["true"];
  const params: string[] = [];
  const narrow = (condition: string, value: string | undefined): void => {
    if (value === undefined) return;
    params.push(value);
    conditions.push(condition.replace("?", `$${params.length}`));
  };
  narrow("profiles.country_code = ?", filter.countryCode);
  narrow("rows.profile_id = ?", filter.profileId);
  narrow("rows.date >= ?::date", filter.start);
  narrow("rows.date <= ?::date", filter.end);
  const columns = layout.columns.map(({ name }) => `rows."${name}"`).join(", ");
  const key = layout.columns.filter((column) => column.key && column.name !== "date")
    .map(({ name }) => `rows."${name}"`).join(", ");
  const text = `
    SELECT profiles.country_code, rows.profile_id, ${columns}, rows.extra
    FROM ${layout.table} AS rows JOIN profiles ON profiles.profile_id = rows.profile_id
    WHERE ${conditions.join(" AND ")}
    ORDER BY rows.date, rows.profile_id, ${key}, rows.repeat`;
  return { text, params };
}

const SQL_TYPES: Readonly<Record<ColumnType, string>> = {
  date: "date",
  integer: "bigint",
  real: "double precision",
  text: `text COLLATE "C"`,
};

/** Columns besides the report's: when a row became known, and what its differences are found by. */
const CURRENT = { known_from: "bigint NOT NULL DEFAULT 0", ref: "bigint" };
/** When a version that is kept whole became known, and when it ended. */
const CLOSED = { known_from: "bigint NOT NULL DEFAULT 0", known_to: "bigint NOT NULL DEFAULT 0" };

/** Parts of one of the three tables of a report. */
interface ReportTable {
  readonly name: string;
  readonly columns: readonly (readonly [name: string, type: string])[];
  /** Clause after the columns: the key, where there is one. */
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

/** Adds the tables of a report, or the columns that they lack; `known` has the columns of each table that is there. */
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

/** Numbers come first: after a text they would be padded to eight bytes. */
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
