import type { ColumnType } from "../../client/reports/file/report_row.ts";
import { marketOf, MARKETPLACES } from "../../base/markets/markets.ts";
import { SCHEMA } from "./postgres_sql.ts";
import type { StoreDriver } from "../model/store_driver.ts";

export type JsonType = "text" | "number" | "boolean";

export interface SqlDialect {
  table(name: string): string;
  time(milliseconds: string): string;
  readonly noTime: string;
  json(column: string, path: string, type: JsonType): string;
  week(day: string): string;
  month(day: string): string;
  /** End of a day in UTC, epoch milliseconds. */
  endOfDay(day: string): string;
  age(time: string, day: string): string;
  /** Number of days from the first to the last. */
  days(first: string, last: string): string;
  moment(milliseconds: number): string;
  day(text: string): string;
  contains(text: string, part: string): string;
  typed(value: string, type: ColumnType): string;
  changeOf(change: string, row: string): string;
  changeWithin(change: string, first: string, last: string): string;
  wholeSum(sum: string): string;
  amountSum(sum: string): string;
}

export const SQLITE_TYPES: Readonly<Record<ColumnType, string>> = {
  date: "TEXT",
  text: "TEXT",
  integer: "INTEGER",
  real: "REAL",
};

const SQLITE: SqlDialect = {
  table: (name) => `main.${name}`,
  time: (column) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch')`,
  noTime: "NULL",
  json: (column, path, type) => {
    const field = `${column} ->> '$.${path}'`;
    if (type === "text") return field;
    const is = `json_type(${column}, '$.${path}')`;
    return type === "number"
      ? `CASE WHEN ${is} IN ('integer', 'real') THEN ${field} END`
      : `CASE ${is} WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' END`;
  },
  week: (day) => `date(${day}, 'weekday 0', '-6 days')`,
  month: (day) => `substr(${day}, 1, 7)`,
  endOfDay: (day) => `CAST(strftime('%s', ${day}, '+1 day') AS INTEGER) * 1000`,
  age: (time, day) => `CAST(julianday(substr(${time}, 1, 10)) - julianday(${day}) AS INTEGER)`,
  days: (first, last) => `CAST(julianday(${last}) - julianday(${first}) + 1 AS INTEGER)`,
  moment: (milliseconds) => `'${new Date(milliseconds).toISOString()}'`,
  day: (text) => `'${text}'`,
  contains: (text, part) => `instr(${text}, '${part}') > 0`,
  typed: (value, type) => `CAST(${value} AS ${SQLITE_TYPES[type]})`,
  changeOf: (change, row) => `${change}.ref = ${row}.ref`,
  changeWithin: () => "TRUE",
  wholeSum: (sum) => sum,
  // Adding 0 makes 0 of -0.
  amountSum: (sum) => `round(${sum}, 6) + 0.0`,
};

const POSTGRESQL: SqlDialect = {
  table: (name) => `${SCHEMA}.${name}`,
  time: (column) => `to_timestamp(${column} / 1000.0)`,
  noTime: "NULL::timestamptz",
  json: (column, path, type) => {
    const at = `'{${path.replaceAll(".", ",")}}'`;
    if (type !== "number") return `${column} #>> ${at}`;
    return `CASE WHEN json_typeof(${column} #> ${at}) = 'number' THEN CAST(${column} #>> ${at} AS double precision) END`;
  },
  week: (day) => `CAST(date_trunc('week', ${day}) AS date)`,
  month: (day) => `to_char(${day}, 'YYYY-MM')`,
  endOfDay: (day) => `CAST(extract(epoch FROM CAST(${day} + 1 AS timestamp)) AS bigint) * 1000`,
  age: (time, day) => `(CAST(${time} AT TIME ZONE 'UTC' AS date) - ${day})`,
  days: (first, last) => `(${last} - ${first} + 1)`,
  moment: (milliseconds) => `TIMESTAMPTZ '${new Date(milliseconds).toISOString()}'`,
  day: (text) => `DATE '${text}'`,
  contains: (text, part) => `strpos(${text}, '${part}') > 0`,
  typed: (value) => value,
  // The number alone would do; by the others, whole partitions are left out.
  changeOf: (change, row) =>
    ["ref", "date", "profile_id"].map((name) => `${change}.${name} = ${row}.${name}`).join(" AND "),
  changeWithin: (change, first, last) => `${change}.date BETWEEN DATE '${first}' AND DATE '${last}'`,
  wholeSum: (sum) => `CAST(${sum} AS bigint)`,
  amountSum: (sum) => `CAST(round(CAST(${sum} AS numeric), 6) AS double precision)`,
};

export function sqlDialect(name: StoreDriver["dialect"]): SqlDialect {
  return name === "SQLite" ? SQLITE : POSTGRESQL;
}

export function currencySql(country: string): string {
  const cases = MARKETPLACES.map((code) => `WHEN '${code}' THEN '${marketOf(code)?.currency}'`);
  return `CASE ${country} ${cases.join(" ")} END`;
}

export function ratioSql(part: string, whole: string): string {
  return `CAST(${part} AS double precision) / nullif(${whole}, 0)`;
}
