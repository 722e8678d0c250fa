import { QueryError } from "../store_error.ts";
import type { QueryParameter, QueryResult } from "../store_driver.ts";
import type { RowList, UnsafeQueryOptions } from "postgres";
import type { Database, Transaction } from "./connection.ts";
import { numberedPlaceholders } from "./placeholders.ts";
import { codeOf, storeError } from "./postgres_error.ts";

/** Milliseconds that a query may take. */
const LONGEST = 60_000;

const EXPLAIN = /^(?:\s|--[^\n]*\n|\/\*[^]*?\*\/)*explain\b/i;
const TAKE_BACK = new Error("The transaction of a query is taken back");
const [READ_ONLY, CANCELED] = ["25006", "57014"];

/** What a query runs on, and how long it may take. */
export interface QueryWorld {
  /** Connections for queries alone, one at a time. */
  readonly database: Database;
  /** Where the store is; for messages. */
  readonly location: string;
  /** Milliseconds that the query may take. @default 60000 */
  readonly timeout?: number | undefined;
}

/**
 * Runs one statement. It is declared as a cursor, which PostgreSQL does for statements that select alone, inside of a
 * transaction that only reads and is taken back at the end; whatever it did to its session is forgotten.
 *
 * @throws {QueryError} when PostgreSQL refuses it, when it is not one statement, fails or takes too long.
 */
export async function runQuery(
  sql: string,
  options: { params: readonly QueryParameter[]; maxRows: number },
  { database, location, timeout = LONGEST }: QueryWorld,
): Promise<QueryResult> {
  const text = numberedPlaceholders(sql, options.params.length).replace(/[\s;]+$/, "");
  if (text.trim() === "") throw new QueryError("Cannot run the query: there is no statement in it");
  if (text.includes("\0")) throw new QueryError("Cannot run the query: there is a NUL character in it");
  const params = [...options.params] as string[];
  const wanted = options.maxRows + 1;
  let found: QueryResult | undefined;
  try {
    await database.begin("read only", async (transaction) => {
      await transaction.unsafe(`SET LOCAL statement_timeout = ${timeout}`);
      const rows = await ask(transaction, { text, params, wanted });
      const columns = toldApart(rows.columns.map(({ name }) => name));
      found = {
        columns,
        rows: rows.slice(0, options.maxRows).map((cells) =>
          Object.fromEntries(columns.map((name, index) => [name, cells[index]]))
        ),
        truncated: rows.length === wanted,
      };
      throw TAKE_BACK;
    });
  } catch (error) {
    if (error !== TAKE_BACK) throw queryError(error, location, timeout);
  } finally {
    await database.unsafe("DISCARD ALL").catch(() => {});
  }
  return found!;
}

/** The extended protocol takes one statement, also where there are no parameters. */
async function ask(
  transaction: Transaction,
  { text, params, wanted }: { text: string; params: string[]; wanted: number },
): Promise<RowList<unknown[][]>> {
  const asked = (sql: string): Promise<RowList<unknown[][]>> =>
    transaction.unsafe(sql, params, { simple: false } as UnsafeQueryOptions).values() as Promise<
      RowList<unknown[][]>
    >;
  if (EXPLAIN.test(text)) return await asked(text);
  await asked(`DECLARE asked NO SCROLL CURSOR FOR ${text}`);
  return await transaction.unsafe(`FETCH ${wanted} FROM asked`).values() as RowList<unknown[][]>;
}

/** Names of columns, those that come again with a number, as SQLite gives them: `x`, `x:1`. */
function toldApart(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let number = 1; taken.has(own); number++) own = `${name}:${number}`;
    taken.add(own);
    return own;
  });
}

function queryError(error: unknown, location: string, timeout: number): unknown {
  const code = codeOf(error);
  const { message } = error as Error;
  if (code === undefined || !/^[0-9A-Z]{5}$/.test(code) || /^(?:57P|08(?!P01)|53)/.test(code)) {
    return storeError(error, location);
  }
  const refused = (why: string): QueryError =>
    new QueryError(`Cannot run the query: ${why}`, { cause: error });
  const hint = "A query only reads: SELECT, WITH ... SELECT, VALUES or EXPLAIN";
  if (code === CANCELED) {
    return refused(`it took longer than ${timeout / 1000} s. Narrow it, for example by profile_id and date`);
  }
  if (/cannot insert multiple commands/.test(message)) {
    return refused("there is more than one statement in it. Run them one by one");
  }
  return refused(code === READ_ONLY || isNoSelect(code, message) ? `${message}. ${hint}` : message);
}

/** What PostgreSQL says to a cursor for a statement that does not select. */
function isNoSelect(code: string, message: string): boolean {
  return code === "0A000" && /data-modifying|SELECT INTO/.test(message) ||
    code === "42601" &&
      /at or near "(?:insert|update|delete|merge|drop|create|alter|copy|set|truncate|grant|do|call|commit|begin|vacuum)/i
        .test(message);
}
