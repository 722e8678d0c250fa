import { nearest } from "../../base/text/nearest.ts";
import type { SchemaTable } from "../model/schema_table.ts";
import type { QueryResult } from "../model/store_driver.ts";
import { QueryError } from "../model/store_error.ts";
import type { RenamedStatement } from "../views/view_columns.ts";

type Row = Readonly<Record<string, unknown>>;

/** Removes binary rounding errors: 28.74 instead of 28.740000000000002. */
export function tidyRows(rows: readonly Row[]): readonly Row[] {
  return rows.map((row) => {
    let tidied: Record<string, unknown> | undefined;
    for (const name in row) {
      const value = row[name];
      if (typeof value !== "number" || Number.isInteger(value) || !Number.isFinite(value)) continue;
      // Most values are amounts, and need no text.
      if (Math.round(value * 10_000) / 10_000 === value) continue;
      const tidy = Number(value.toPrecision(15));
      if (tidy !== value) (tidied ??= { ...row })[name] = tidy;
    }
    return tidied ?? row;
  });
}

function withFields(result: QueryResult, fields: RenamedStatement["fields"]): QueryResult {
  if (fields.size === 0) return result;
  // The second column of a name is told apart by a number: `keyword_id:1`.
  const named = (column: string): string => column.replace(/^[^:]+/, (name) => fields.get(name) ?? name);
  return {
    ...result,
    columns: result.columns.map(named),
    rows: result.rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [named(name), value]))
    ),
  };
}

const MEANT = 3;

export async function readableQuery(
  { sql, fields }: RenamedStatement,
  run: () => Promise<QueryResult>,
  schema: () => readonly SchemaTable[],
): Promise<QueryResult> {
  try {
    const result = await run();
    return withFields({ ...result, rows: tidyRows(result.rows) }, fields);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const [, sqlite, postgres] =
      /no such column: (?:\w+\.)?"?(\w+)"?|column "?(?:\w+\.)?(\w+)"? does not exist/.exec(error.message) ??
        [];
    const unknown = sqlite ?? postgres;
    // PostgreSQL suggests some columns itself.
    if (unknown === undefined || /Perhaps you meant/.test(error.message)) throw error;
    const named = schema().filter(({ name }) => new RegExp(`\\b${name}\\b`, "i").test(sql));
    const names = [...new Set(named.flatMap(({ columns }) => columns.map(({ name }) => name)))];
    const near = nearest(unknown, names);
    const meant = near === undefined
      ? names.filter((name) => name.startsWith(`${unknown.toLowerCase()}_`)).slice(0, MEANT)
      : [near];
    if (meant.length === 0) throw error;
    throw new QueryError(`${error.message}. Did you mean ${meant.map((name) => `"${name}"`).join(" or ")}?`, {
      cause: error,
    });
  }
}
