import type { DatabaseSync, StatementSync } from "node:sqlite";
import { ConfigurationError } from "../../errors.ts";
import { QueryError } from "../model/store_error.ts";
import type { DriverQuery, QueryResult } from "../model/store_driver.ts";

const SELECTING = 21;
const READING: ReadonlySet<number> = new Set([SELECTING, 20, 33]);
const [PRAGMA, FUNCTION] = [19, 31];
const LISTS: ReadonlySet<string> = new Set([
  "table_list",
  "table_info",
  "table_xinfo",
  "index_list",
  "index_info",
  "index_xinfo",
]);
const [ALLOW, DENY] = [0, 1];
const FORBIDDEN_FUNCTIONS: ReadonlySet<string> = new Set(["load_extension", "fts3_tokenizer"]);

interface Restrictable {
  setAuthorizer?(decide: (action: number, first: string | null, second: string | null) => number): void;
  readonly limits?: { length: number };
}

const MAX_VALUE = 64 * 1024 * 1024;
const MAX_RESULT = 64 * 1024 * 1024;
const WITHIN_BOUNDS = "platform_ads_within_bounds";

/** SQLite's authorizer rejects everything but reading when a statement is prepared. */
export class QueryConnection {
  readonly #database: DatabaseSync;
  #selects = false;
  #bytes = 0;
  #hasBlob = false;
  #isOwn = false;

  constructor(database: DatabaseSync) {
    this.#database = database;
    const connection = database as unknown as Restrictable;
    if (connection.setAuthorizer === undefined) {
      throw new ConfigurationError(
        "Cannot run queries here: they need Deno or Node 24, whose SQLite can refuse to write",
      );
    }
    if (connection.limits !== undefined) connection.limits.length = MAX_VALUE;
    // It must not throw: Deno would go on stepping for ever. A row past the bound is left out, and then all of them.
    database.function(WITHIN_BOUNDS, { varargs: true }, (bytes, blobs) => {
      this.#bytes += Number(bytes);
      this.#hasBlob ||= Number(blobs) > 0;
      return this.#bytes > MAX_RESULT || this.#hasBlob ? 0 : 1;
    });
    connection.setAuthorizer((action, first, second) => {
      if (this.#isOwn) return ALLOW;
      const lists = action === PRAGMA && LISTS.has(String(first).toLowerCase());
      if (action === SELECTING || lists) this.#selects = true;
      const harmless = READING.has(action) || lists ||
        action === FUNCTION && !FORBIDDEN_FUNCTIONS.has(String(second).toLowerCase());
      return harmless ? ALLOW : DENY;
    });
  }

  /** @throws {QueryError} when the statement fails, does not only read, or is not a single one. */
  run(sql: string, options: DriverQuery): QueryResult {
    const { views = [] } = options;
    try {
      for (const view of views) this.#own(`CREATE TEMP VIEW ${view.name} AS ${view.sql}`);
      return this.#read(sql, options);
    } finally {
      for (const { name } of views) this.#own(`DROP VIEW IF EXISTS temp.${name}`);
    }
  }

  close(): void {
    this.#database.close();
  }

  #own(sql: string): void {
    this.#isOwn = true;
    try {
      this.#database.exec(sql);
    } finally {
      this.#isOwn = false;
    }
  }

  #read(sql: string, { maxRows, params }: DriverQuery): QueryResult {
    const statement = this.#bounded(sql, maxRows);
    const problem = placeholderProblem(sql, params.length);
    if (problem !== undefined) throw refused(problem);
    try {
      statement.setReadBigInts(true);
      const columns = statement.columns().map(({ name }) => name);
      this.#bytes = 0;
      this.#hasBlob = false;
      // Not iterate(): under Deno it ends without a word where a row cannot be computed.
      const rows = statement.all(...params).map(plainRow);
      if (this.#hasBlob) throw new Error("it returns binary data. Select hex(...) of the column");
      if (this.#bytes > MAX_RESULT) throw new Error(`${TOO_LARGE}. Select fewer columns or rows`);
      return { columns, rows: rows.slice(0, maxRows), truncated: rows.length > maxRows };
    } catch (error) {
      throw refused((error as Error).message, error);
    }
  }

  #bounded(sql: string, maxRows: number): StatementSync {
    if (isBlank(sql)) throw refused("there is no statement in it");
    if (sql.includes("\0")) throw refused("there is a NUL character in it");
    this.#selects = false;
    const given = this.#prepare(sql);
    const { sourceSQL } = given;
    if (!isBlank(sql.slice(sql.indexOf(sourceSQL) + sourceSQL.length))) {
      throw refused("there is more than one statement in it. Run them one by one");
    }
    if (!this.#selects) throw refused(`it is not a query. ${WHAT_READS}`);
    const isPlain = havePlainNames(given);
    if (WHOLE.test(sourceSQL) || maxRows === Infinity && isPlain) return given;
    const whole = `SELECT * FROM (\n${sourceSQL.replace(/^[\s;]+|[\s;]+$/g, "")}\n)`;
    if (maxRows === Infinity) return this.#prepare(whole);
    // Plain names are those of the columns inside too; asking SQLite takes as long as preparing the statement did.
    const named = isPlain ? given : this.#prepare(whole);
    const columns = named.columns().map(({ name }) => `"${name.replaceAll('"', '""')}"`);
    const bytes = sumOf(columns.map((column) => `coalesce(octet_length(${column}), 0)`));
    const blobs = sumOf(columns.map((column) => `(typeof(${column}) = 'blob')`));
    // The bound of rows stands inside, so that only rows that are returned are counted.
    return this.#prepare(
      `SELECT * FROM (${whole} LIMIT ${maxRows + 1}) WHERE ${WITHIN_BOUNDS}(${bytes}, ${blobs})`,
    );
  }

  #prepare(sql: string): StatementSync {
    try {
      return this.#database.prepare(sql);
    } catch (error) {
      const { message } = error as Error;
      throw refused(/not authorized|prohibited/.test(message) ? `${message}. ${WHAT_READS}` : message, error);
    }
  }
}

function havePlainNames(statement: StatementSync): boolean {
  const names = statement.columns().map(({ name }) => name.toLowerCase());
  return new Set(names).size === names.length &&
    names.every((name) => /^[a-z_]\w*$/.test(name) && name !== "true" && name !== "false");
}

function sumOf(parts: readonly string[]): string {
  const middle = parts.length >> 1;
  if (middle === 0) return parts[0] ?? "0";
  return `(${sumOf(parts.slice(0, middle))} + ${sumOf(parts.slice(middle))})`;
}

const TOO_LARGE = "its rows hold more than 64 MiB";
const WHAT_READS =
  "A query only reads: SELECT, WITH ... SELECT, VALUES, EXPLAIN, or PRAGMA table_list and table_info";
const WHOLE = /^(?:\s|;|--[^\n]*\n|\/\*[^]*?\*\/)*(?:explain|pragma)\b/i;

function refused(why: string, cause?: unknown): QueryError {
  return new QueryError(`Cannot run the query: ${why}`, { cause });
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

const TOKENS =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[^]*?(?:\*\/|$)|\?(\d*)|([:@$]\w+)/g;

/** SQLite binds NULL to a missing value, which would select other rows. */
export function placeholderProblem(sql: string, values: number): string | undefined {
  let wanted = 0;
  for (const [, number, name] of sql.matchAll(TOKENS)) {
    if (name !== undefined) return `the placeholder ${name} has a name. Write ? and give the values in order`;
    if (number !== undefined) wanted = number === "" ? wanted + 1 : Math.max(wanted, Number(number));
  }
  if (wanted === values) return undefined;
  return `it has ${wanted} placeholder${wanted === 1 ? "" : "s"}, and ${values} value${
    values === 1 ? " is" : "s are"
  } given`;
}
