import { QueryError } from "../../store_error.ts";
import type { DriverQuery, QueryResult } from "../../store_driver.ts";
import type { Database, Session } from "../database.ts";
import type { SqlValue } from "../sql.ts";
import { refuseFunctions } from "./refuse_functions.ts";
import { numberedPlaceholders } from "../placeholders.ts";
import { codeOf, storeError } from "../postgres_error.ts";

/** Milliseconds that a query may take. */
const MAX_TIME = 60_000;

const EXPLAIN = /^(?:\s|--[^\n\r]*[\n\r]|\/\*[^]*?\*\/)*explain\b/i;
const [READ_ONLY, CANCELED] = ["25006", "57014"];

/** Connection and limits of a query. */
export interface QueryWorld {
  /** Connections for queries alone, one at a time. */
  readonly database: Database;
  /** Location of the store, for messages. */
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
  options: DriverQuery,
  { database, location, timeout = MAX_TIME }: QueryWorld,
): Promise<QueryResult> {
  const text = numberedPlaceholders(sql, options.params.length).replace(/[\s;]+$/, "");
  if (text.trim() === "") throw new QueryError("Cannot run the query: there is no statement in it");
  refuseFunctions(text);
  if (text.includes("\0")) throw new QueryError("Cannot run the query: there is a NUL character in it");
  const values = options.params.map((value) => typeof value === "bigint" ? String(value) : value);
  const wanted = options.maxRows + 1;
  try {
    return await database.withSession(async (session) => {
      try {
        for (const view of options.views ?? []) {
          await session.text(`CREATE TEMPORARY VIEW ${view.name} AS ${view.sql}`);
        }
        await session.text("BEGIN READ ONLY");
        await session.text(`SET LOCAL statement_timeout = ${timeout}`);
        // All rows are wanted: a plan for the first few of a cursor would look each ended version up by itself.
        await session.text("SET LOCAL cursor_tuple_fraction = 1");
        const found = await find(session, { text, values, wanted });
        const columns = distinctNames(found.columns);
        const rows = found.rows.slice(0, options.maxRows);
        return {
          columns,
          rows: rows.map((cells) => Object.fromEntries(columns.map((name, index) => [name, cells[index]]))),
          truncated: found.rows.length === wanted,
        };
      } finally {
        await session.text("ROLLBACK").catch(() => {});
        await session.text("DISCARD ALL").catch(() => {});
      }
    });
  } catch (error) {
    throw queryError(error, location, timeout);
  }
}

async function find(
  session: Session,
  { text, values, wanted }: { text: string; values: readonly SqlValue[]; wanted: number },
): Promise<{ columns: readonly string[]; rows: readonly unknown[][] }> {
  if (EXPLAIN.test(text)) return await session.lists({ text, values });
  await session.lists({ text: `DECLARE found NO SCROLL CURSOR FOR ${text}`, values });
  return await session.lists({
    text: `FETCH ${wanted === Infinity ? "ALL" : wanted} FROM found`,
    values: [],
  });
}

/** Names of columns, those that come again with a number, as SQLite gives them: `x`, `x:1`. */
function distinctNames(names: readonly string[]): string[] {
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
  if (code === READ_ONLY || isNoSelect(code, message)) return refused(`${message}. ${hint}`);
  return refused([message, ...serverHint(error)].join(". "));
}

/** Suggestion of the server; it takes for granted that names with capitals must be quoted. */
function serverHint(error: unknown): string[] {
  const { hint: given } = error as { hint?: unknown };
  if (typeof given !== "string") return [];
  const quoted = /^Perhaps you meant .*"(?:\w+\.)?(\w*[A-Z]\w*)"/.exec(given)?.[1];
  const hint = given.replace(/\.$/, "");
  return quoted === undefined ? [hint] : [hint, `Names with capitals are quoted: "${quoted}"`];
}

/** True for PostgreSQL's error about a cursor on a statement that does not select. */
function isNoSelect(code: string, message: string): boolean {
  return code === "0A000" && /data-modifying|SELECT INTO/.test(message) ||
    code === "42601" &&
      /at or near "(?:insert|update|delete|merge|drop|create|alter|copy|set|truncate|grant|do|call|commit|begin|vacuum)/i
        .test(message);
}
