import type { ColumnType } from "../../client/reports/file/report_row.ts";
import { marketOf, MARKETPLACES } from "../../base/markets/markets.ts";
import { SCHEMA } from "./postgres_sql.ts";
import type { StoreDriver } from "../model/store_driver.ts";

/** Type of a field inside of stored JSON. */
export type JsonType = "text" | "number" | "boolean";

/** The parts of SQL that the databases of stores write differently. */
export interface SqlDialect {
  /** A table of the store, whatever views of the session hide it. */
  table(name: string): string;
  /** ISO 8601 time of a column of milliseconds since the epoch. */
  time(milliseconds: string): string;
  /** A time that is missing. */
  readonly noTime: string;
  /** A field of a JSON column, its path parted by dots; nothing where it has another type. */
  json(column: string, path: string, type: JsonType): string;
  /** Monday of the week of a day. */
  week(day: string): string;
  /** Month of a day, `YYYY-MM`. */
  month(day: string): string;
  /** Milliseconds since the epoch at which a day ends, in UTC. */
  endOfDay(day: string): string;
  /** Whole days from a day to a time as `days` keeps it. */
  age(time: string, day: string): string;
  /** A time as `days` keeps it, of a moment in milliseconds since the epoch. */
  moment(milliseconds: number): string;
  day(text: string): string;
  /** True where a text has a part in it; nothing where there is no text. */
  contains(text: string, part: string): string;
  /** A value of a column's type, also when it is compared by readers of a view. */
  typed(value: string, type: ColumnType): string;
  /** True for a difference of a row: both are named. */
  changeOf(change: string, row: string): string;
  /** True for a difference of a row of these days, where differences have a day; else for all of them. */
  changeWithin(change: string, first: string, last: string): string;
  wholeSum(sum: string): string;
  /** A sum of amounts without the noise of its last digits. */
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

/** How a database writes SQL. */
export function sqlDialect(name: StoreDriver["dialect"]): SqlDialect {
  return name === "SQLite" ? SQLITE : POSTGRESQL;
}

/** The currency of a column of countries; nothing for a country that is not known. */
export function currencySql(country: string): string {
  const cases = MARKETPLACES.map((code) => `WHEN '${code}' THEN '${marketOf(code)?.currency}'`);
  return `CASE ${country} ${cases.join(" ")} END`;
}

/** A part of a whole; nothing where the whole is 0. */
export function ratioSql(part: string, whole: string): string {
  return `CAST(${part} AS double precision) / nullif(${whole}, 0)`;
}
