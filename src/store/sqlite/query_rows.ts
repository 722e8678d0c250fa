import { quotedName } from "../../base/text/sql_name.ts";
import { DatabaseSync } from "node:sqlite";
import type { QueryParameter, QueryResult } from "../model/store_driver.ts";
import { QueryConnection } from "./query_connection.ts";

const MAX_COLUMNS = 500;

export function queryRows(
  rows: readonly Readonly<Record<string, unknown>>[],
  sql: string,
  options: { params: readonly QueryParameter[]; maxRows: number },
): QueryResult {
  const database = new DatabaseSync(":memory:");
  try {
    const columns = columnsOf(rows);
    // Without a type, a column keeps texts as texts and numbers as numbers.
    database.exec(`CREATE TABLE rows (${columns.map(quotedName).join(", ") || `"empty"`})`);
    const insert = database.prepare(
      `INSERT INTO rows VALUES (${(columns.length === 0 ? [""] : columns).map(() => "?").join(", ")})`,
    );
    database.exec("BEGIN");
    for (const row of rows) if (columns.length > 0) insert.run(...columns.map((name) => cell(row[name])));
    database.exec("COMMIT");
    return new QueryConnection(database).run(sql, options);
  } finally {
    database.close();
  }
}

function columnsOf(rows: readonly Readonly<Record<string, unknown>>[]): string[] {
  const names = new Map<string, string>();
  for (const row of rows) {
    for (const name of Object.keys(row)) {
      const key = name.replaceAll("\0", "").toLowerCase();
      if (!names.has(key) && names.size < MAX_COLUMNS) names.set(key, name);
    }
  }
  return [...names.values()];
}

function cell(value: unknown): string | number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "string" || typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  return JSON.stringify(value);
}
