import type { DatabaseSync } from "node:sqlite";
import { ConfigurationError } from "../../errors.ts";
import { QueryError } from "../store_error.ts";
import type { QueryParameter, QueryResult } from "../store_driver.ts";

/** SQLite's numbers for what a statement does (sqlite3.h): selecting, reading a column, recursion, calling a function. */
const READING: ReadonlySet<number> = new Set([21, 20, 33]);
const FUNCTION = 31;
const [ALLOW, DENY] = [0, 1];
const FORBIDDEN_FUNCTIONS: ReadonlySet<string> = new Set(["load_extension", "fts3_tokenizer"]);

/** What newer runtimes' connections have besides; the types of older ones do not know it. */
interface Restrictable {
  setAuthorizer?(decide: (action: number, first: string | null, second: string | null) => number): void;
  readonly limits?: { length: number };
}

const ONLY_READS = "A query only reads: SELECT, WITH ... SELECT, VALUES or EXPLAIN";

/** Bytes of the longest text a query may make. */
const LONGEST_VALUE = 64 * 1024 * 1024;

/**
 * Makes a connection fit for queries from anywhere: SQLite asks before every step of a statement whether it may be
 * done, when the statement is prepared, and everything but reading is refused.
 *
 * @throws {ConfigurationError} where the runtime's SQLite cannot do that.
 */
export function restrictToReading(database: DatabaseSync): void {
  const connection = database as unknown as Restrictable;
  if (connection.setAuthorizer === undefined) {
    throw new ConfigurationError(
      "Cannot run queries here: they need Deno or Node 24, whose SQLite can refuse to write",
    );
  }
  if (connection.limits !== undefined) connection.limits.length = LONGEST_VALUE;
  connection.setAuthorizer((action, _first, second) => {
    const harmless = READING.has(action) ||
      action === FUNCTION && !FORBIDDEN_FUNCTIONS.has(String(second).toLowerCase());
    return harmless ? ALLOW : DENY;
  });
}

/**
 * Runs one statement on a connection that is restricted to reading.
 *
 * @throws {QueryError} when SQLite refuses it, when it is not one statement, or when it fails.
 */
export function runQuery(
  database: DatabaseSync,
  sql: string,
  options: { params: readonly QueryParameter[]; maxRows: number },
): QueryResult {
  const refused = (why: string, cause?: unknown): QueryError =>
    new QueryError(`Cannot run the query: ${why}`, { cause });
  let statement;
  try {
    statement = database.prepare(sql);
  } catch (error) {
    const { message } = error as Error;
    throw refused(
      /not authorized|prohibited/.test(message) ? `${message}. ${ONLY_READS}` : message,
      error,
    );
  }
  if (statement.sourceSQL === "") throw refused("there is no statement in it");
  if (!isBlank(sql.slice(sql.indexOf(statement.sourceSQL) + statement.sourceSQL.length))) {
    throw refused("there is more than one statement in it. Run them one by one");
  }
  const columns = statement.columns().map(({ name }) => name);
  // SQLite asks nobody before it prepares a VACUUM; but whatever reads has a column.
  if (columns.length === 0) throw refused(`it does not read. ${ONLY_READS}`);
  try {
    statement.setReadBigInts(true);
    const rows: Record<string, unknown>[] = [];
    for (const row of statement.iterate(...options.params)) {
      if (rows.length === options.maxRows) return { columns, rows, truncated: true };
      rows.push(plainRow(row));
    }
    return { columns, rows, truncated: false };
  } catch (error) {
    throw refused((error as Error).message, error);
  }
}

function isBlank(sql: string): boolean {
  return sql.replace(/--[^\n]*|\/\*[^]*?(?:\*\/|$)|[\s;]/g, "") === "";
}

function plainRow(row: Record<string, unknown>): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    plain[name] = typeof value !== "bigint"
      ? value
      : Number.isSafeInteger(Number(value))
      ? Number(value)
      : String(value);
  }
  return plain;
}
