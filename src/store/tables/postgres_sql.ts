import type { CustomTypesConfig } from "pg";
import type { StoreSql } from "./store_sql.ts";

/** A value for a statement. */
export type SqlValue = string | number | boolean | null | undefined;

/** A row of a result. */
export type SqlRow = Record<string, unknown>;

/** A statement and the values for its places `$1`, `$2` ... */
export interface Statement {
  readonly text: string;
  /** The value of `$1`, then of `$2` ... */
  readonly values: readonly SqlValue[];
}

/** Runs statements: a template whose values are sent apart from the text, or a text with places. */
export interface Sql {
  (strings: TemplateStringsArray, ...values: readonly SqlValue[]): Promise<SqlRow[]>;
  /** Runs a text; without values it may be several statements. */
  text(text: string, values?: readonly SqlValue[]): Promise<SqlRow[]>;
}

export function sqlOver(run: (statement: Statement) => Promise<SqlRow[]>): Sql {
  const template = (strings: TemplateStringsArray, ...values: readonly SqlValue[]): Promise<SqlRow[]> =>
    run({ text: strings.reduce((text, part, index) => `${text}$${index}${part}`), values });
  const text = (text: string, values: readonly SqlValue[] = []): Promise<SqlRow[]> => run({ text, values });
  return Object.assign(template, { text });
}

/** A connection to PostgreSQL, for the tables that are the same in SQLite. */
export function storeSql(sql: Sql): StoreSql {
  return {
    dialect: "PostgreSQL",
    run: (text, values = []) => {
      let at = 0;
      return sql.text(text.replaceAll("?", () => `$${++at}`), values);
    },
  };
}

/** PostgreSQL's numbers of types (pg_type.dat). */
const TYPES = {
  int8: 20,
  json: 114,
  date: 1082,
  timestamp: 1114,
  timestamptz: 1184,
  numeric: 1700,
  jsonb: 3802,
};

/**
 * How values of results are read: whole numbers as numbers up to 2^53 - 1 and as text past it, days and JSON as text,
 * times as ISO 8601. Given with every statement of the store; the queue reads its own as it is used to.
 */
export function resultTypes(others: (type: number) => (text: string) => unknown): CustomTypesConfig {
  const parsers = new Map<number, (text: string) => unknown>([
    [TYPES.int8, wholeNumber],
    [TYPES.numeric, anyNumber],
    [TYPES.json, String],
    [TYPES.jsonb, String],
    [TYPES.date, String],
    [TYPES.timestamp, String],
    [TYPES.timestamptz, isoTime],
  ]);
  return { getTypeParser: (type: number) => parsers.get(type) ?? others(type) };
}

function wholeNumber(text: string): number | string {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}

/** A sum of whole numbers comes as `numeric`. */
function anyNumber(text: string): number | string {
  return /^-?\d+$/.test(text) ? wholeNumber(text) : Number(text);
}

function isoTime(text: string): string {
  const time = Date.parse(text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00"));
  return Number.isNaN(time) ? text : new Date(time).toISOString();
}

/** Schema of the database that holds the store. */
export const SCHEMA = "platform_ads";
