import { QueryError } from "../model/store_error.ts";
import type { DriverQuery, QueryResult } from "../model/store_driver.ts";
import type { Database, Session } from "./database.ts";
import type { SqlValue } from "../tables/postgres_sql.ts";
import { codeOf, storeError } from "./postgres_error.ts";

const MAX_TIME = 60_000;

const EXPLAIN = /^(?:\s|--[^\n\r]*[\n\r]|\/\*[^]*?\*\/)*explain\b/i;
const [READ_ONLY, CANCELED] = ["25006", "57014"];

export interface QueryWorld {
  readonly database: Database;
  readonly location: string;
  /** Time limit in milliseconds. @default 60000 */
  readonly timeout?: number | undefined;
}

/**
 * Runs a query as a cursor, which PostgreSQL allows only for SELECT, in a read-only transaction that is rolled back.
 * Session changes are discarded.
 *
 * @throws {QueryError} when the query is rejected, is not a single statement, fails or times out.
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
        // A program that is killed says no goodbye. Servers before PostgreSQL 14, or on Windows, cannot look for it.
        await session.text("SET client_connection_check_interval = 1000").catch(() => {});
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

function serverHint(error: unknown): string[] {
  const { hint: given } = error as { hint?: unknown };
  if (typeof given !== "string") return [];
  const quoted = /^Perhaps you meant .*"(?:\w+\.)?(\w*[A-Z]\w*)"/.exec(given)?.[1];
  const hint = given.replace(/\.$/, "");
  return quoted === undefined ? [hint] : [hint, `Names with capitals are quoted: "${quoted}"`];
}

function isNoSelect(code: string, message: string): boolean {
  return code === "0A000" && /data-modifying|SELECT INTO/.test(message) ||
    code === "42601" &&
      /at or near "(?:insert|update|delete|merge|drop|create|alter|copy|set|truncate|grant|do|call|commit|begin|vacuum)/i
        .test(message);
}

/**
 * Functions that access files, sessions, servers or large objects, change the session, or execute SQL text. A second
 * barrier besides the role.
 */
const REFUSED =
  /^(?:pg_(?:read_\w*file|\w*advisory\w*|stat_reset\w*|log_\w+|ls_\w+|stat_file|current_logfile|file_\w+|terminate_backend|cancel_backend|reload_conf|rotate_logfile|switch_wal|promote|wal_replay_\w+|backup_\w+|start_backup|stop_backup|create_\w+|drop_\w+|copy_\w+|logical_\w+|replication_\w+|export_snapshot|notify|import_system_collations|execute_server_program)|set_config|lo_\w+|loread|lowrite|dblink\w*|postgres_fdw_\w+|(?:query|cursor|table|schema|database)_to_xml\w*|ts_stat|ts_rewrite|crosstab\w*|xpath_table|connectby|normal_rand)$/i;

const PARTS = new RegExp(
  [
    String.raw`--[^\n\r]*`,
    String.raw`/\*[^]*?\*/`,
    String.raw`\$([A-Za-z_\u0080-\uffff]\w*)?\$[^]*?\$\1\$`,
    String.raw`[uU]&"`,
    // Its escapes hold in the pieces that continue it as well.
    String.raw`[eE]'(?:[^'\\]|''|\\[^])*'(?:(?:\s|--[^\n\r]*)+'(?:[^'\\]|''|\\[^])*')*`,
    String.raw`'(?:[^']|'')*'`,
    String.raw`"((?:[^"]|"")*)"`,
    String.raw`([A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)`,
  ].join("|"),
  "g",
);

/**
 * Rejects forbidden functions regardless of the role's privileges.
 *
 * @throws {QueryError} naming the function.
 */
export function refuseFunctions(sql: string): void {
  for (const [part, , quoted, word] of sql.matchAll(PARTS)) {
    if (part.startsWith("/*") && part.includes("/*", 2)) {
      throw new QueryError("Cannot run the query: nested comments are not allowed");
    }
    if (/^u&"/i.test(part)) {
      throw new QueryError("Cannot run the query: names with Unicode escapes are not allowed");
    }
    const name = quoted ?? word;
    if (name !== undefined && REFUSED.test(name)) {
      throw new QueryError(`Cannot run the query: it may not call ${name}`);
    }
  }
}

const TOKENS =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$(?:[A-Za-z_]\w*)?\$)[^]*?\1|--[^\n\r]*|\/\*[^]*?\*\/|(\?)|(\$\d+)/g;

/**
 * Converts `?` placeholders to `$1`, `$2` ... Statements that already use those, or have no parameters, are unchanged.
 */
export function numberedPlaceholders(sql: string, count: number): string {
  if (count === 0) return sql;
  let next = 0;
  let numbered = false;
  const text = sql.replace(TOKENS, (token, _tag, mark, number) => {
    if (number !== undefined) numbered = true;
    return mark === undefined ? token : `$${++next}`;
  });
  return numbered ? sql : text;
}
