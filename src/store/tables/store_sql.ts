import { chunks } from "../../base/lists/chunks.ts";

/** A value for a statement. */
export type SqlValue = string | number | null;

/** A row of a result. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** Runs one statement; each `?` takes the next value. */
export type RunSql = (text: string, values?: readonly SqlValue[]) => Promise<readonly SqlRow[]>;

/** A connection to the database of a store, for the tables that are written and read alike in both kinds. */
export interface StoreSql {
  /** Which kind of database it is. */
  readonly dialect: "SQLite" | "PostgreSQL";
  /** Runs a statement. */
  readonly run: RunSql;
}

/** Rows of one statement: SQLite takes some 32,000 values. */
const AT_ONCE = 1000;

/** The conditions that have a value, joined by AND, and these values in their order. */
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

/**
 * Inserts rows, many with one statement.
 *
 * @param into The table and its columns.
 * @param after Clauses after the rows.
 * @returns how many rows the statements gave back by `RETURNING`.
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

/** The clause that sorts a column of texts by their bytes. */
export function byBytes({ dialect }: StoreSql): string {
  return dialect === "SQLite" ? "COLLATE BINARY" : 'COLLATE "C"';
}
