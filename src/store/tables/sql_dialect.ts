import type { ColumnType } from "../../client/reports/file/report_row.ts";
import { marketOf, MARKETPLACES } from "../../base/markets/markets.ts";
import { SCHEMA } from "./postgres_sql.ts";
import type { StoreDriver } from "../model/store_driver.ts";

export type JsonType = "text" | "number" | "boolean";

/** SQL that differs between the databases. */
export interface SqlDialect {
  /** A table of the store, ignoring views of the session. */
  table(name: string): string;
  /** ISO 8601 of epoch milliseconds. */
  time(milliseconds: string): string;
  /** A missing time. */
  readonly noTime: string;
  /** Field of a JSON column by dotted path; NULL if it has another type. */
  json(column: string, path: string, type: JsonType): string;
  /** Monday of a day's week. */
  week(day: string): string;
  /** Month of a day, `YYYY-MM`. */
  month(day: string): string;
  /** End of a day in UTC, epoch milliseconds. */
  endOfDay(day: string): string;
  /** Whole days from a day to a time of `days`. */
  age(time: string, day: string): string;
  /** Time of `days` for epoch milliseconds. */
  moment(milliseconds: number): string;
  day(text: string): string;
  /** True where a text contains a part; NULL without text. */
  contains(text: string, part: string): string;
  /** Value of a column's type, also in comparisons. */
  typed(value: string, type: ColumnType): string;
  /** True for a difference of a row. */
  changeOf(change: string, row: string): string;
  /** True for a difference of these days, where differences have days; otherwise for all. */
  changeWithin(change: string, first: string, last: string): string;
  wholeSum(sum: string): string;
  /** Sum of amounts without rounding noise. */
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

export function sqlDialect(name: StoreDriver["dialect"]): SqlDialect {
  return name === "SQLite" ? SQLITE : POSTGRESQL;
}

/** Currency of a country column; NULL if unknown. */
export function currencySql(country: string): string {
  const cases = MARKETPLACES.map((code) => `WHEN '${code}' THEN '${marketOf(code)?.currency}'`);
  return `CASE ${country} ${cases.join(" ")} END`;
}

/** Ratio; NULL where the whole is 0. */
export function ratioSql(part: string, whole: string): string {
  return `CAST(${part} AS double precision) / nullif(${whole}, 0)`;
}
