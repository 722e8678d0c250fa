import { chunks } from "../../base/json/chunks.ts";
import type { DatabaseSync } from "node:sqlite";

export function sqliteSql(database: DatabaseSync): StoreSql {
  return {
    dialect: "SQLite",
    run: (text, values = []) => Promise.resolve(database.prepare(text).all(...values)),
  };
}

export type SqlValue = string | number | null;

export type SqlRow = Readonly<Record<string, unknown>>;

export type RunSql = (text: string, values?: readonly SqlValue[]) => Promise<readonly SqlRow[]>;

export interface StoreSql {
  readonly dialect: "SQLite" | "PostgreSQL";
  readonly run: RunSql;
}

/** Rows per statement: SQLite takes about 32,000 values. */
const AT_ONCE = 1000;

export function where(
  conditions: Readonly<Record<string, SqlValue | undefined>>,
): { text: string; values: SqlValue[] } {
  const given = Object.entries(conditions).flatMap(([text, value]) =>
    value === undefined ? [] : [{ text, value }]
  );
  return {
    text: given.length === 0 ? "true" : given.map(({ text }) => text).join(" AND "),
    values: given.map(({ value }) => value),
  };
}

/** Condition for {@linkcode where} that a column has one of these values; `undefined` matches everything. */
export function oneOf(
  column: string,
  wanted: string | readonly string[] | undefined,
): { text: string; values: readonly string[] } {
  if (wanted === undefined) return { text: "true", values: [] };
  const values = [wanted].flat();
  if (values.length === 0) return { text: "false", values };
  return {
    text: values.length === 1 ? `${column} = ?` : `${column} IN (${values.map(() => "?").join(", ")})`,
    values,
  };
}

/**
 * Returns the number of rows returned by `RETURNING`.
 *
 * @param after Clauses after the rows.
 */
export async function insertRows(
  { run }: StoreSql,
  { into, after = "" }: { readonly into: string; readonly after?: string },
  rows: readonly (readonly SqlValue[])[],
): Promise<number> {
  let returned = 0;
  for (const part of chunks(rows, AT_ONCE)) {
    const places = part.map((row) => `(${row.map(() => "?").join(", ")})`).join(", ");
    returned += (await run(`INSERT INTO ${into} VALUES ${places} ${after}`, part.flat())).length;
  }
  return returned;
}

export function byBytes({ dialect }: StoreSql): string {
  return dialect === "SQLite" ? "COLLATE BINARY" : 'COLLATE "C"';
}
