import type { CustomTypesConfig } from "pg";
import type { StoreSql } from "./store_sql.ts";

export type SqlValue = string | number | boolean | null | undefined;

export type SqlRow = Record<string, unknown>;

export interface Statement {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

export interface Sql {
  (strings: TemplateStringsArray, ...values: readonly SqlValue[]): Promise<SqlRow[]>;
  text(text: string, values?: readonly SqlValue[]): Promise<SqlRow[]>;
}

export function sqlOver(run: (statement: Statement) => Promise<SqlRow[]>): Sql {
  const template = (strings: TemplateStringsArray, ...values: readonly SqlValue[]): Promise<SqlRow[]> =>
    run({ text: strings.reduce((text, part, index) => `${text}$${index}${part}`), values });
  const text = (text: string, values: readonly SqlValue[] = []): Promise<SqlRow[]> => run({ text, values });
  return Object.assign(template, { text });
}

export function storeSql(sql: Sql): StoreSql {
  return {
    dialect: "PostgreSQL",
    run: (text, values = []) => {
      let at = 0;
      return sql.text(text.replaceAll("?", () => `$${++at}`), values);
    },
  };
}

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
 * Parsers of results: integers up to 2^53 - 1 as numbers, larger ones, days and JSON as text, times as ISO 8601. Set per
 * statement, since the queue uses its own.
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

/** Sums of integers arrive as `numeric`. */
function anyNumber(text: string): number | string {
  return /^-?\d+$/.test(text) ? wholeNumber(text) : Number(text);
}

function isoTime(text: string): string {
  const time = Date.parse(text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00"));
  return Number.isNaN(time) ? text : new Date(time).toISOString();
}

export const SCHEMA = "platform_ads";
