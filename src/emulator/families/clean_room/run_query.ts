import type { DatabaseSync } from "node:sqlite";
import { isObject, type JsonObject, objectsIn } from "../../core/json.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { NEEDED_USERS, PUBLISHED_TABLES } from "./published_tables.ts";
import { type OutputColumn, QueryProblem, scopeQuery, sqlTokens, USERS } from "./sql_scopes.ts";
import { tableRows, type TimeWindow } from "./table_rows.ts";

export interface QueryRequest {
  readonly profile: ProfileState;
  readonly seed: string;
  readonly workflow: JsonObject;
  readonly parameterValues: JsonObject;
  readonly window: TimeWindow;
  readonly asOf: number;
  readonly dryRun: boolean;
}

export type Cell = string | number | null;

export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

type Value = string | number;

const DAY = 86_400_000;

/**
 * Runs the query in an in-memory database with the published tables of the time window, then filters rows by their
 * number of shoppers.
 *
 * @throws {QueryProblem} when the platform would not compile the query.
 */
export async function runQuery(request: QueryRequest): Promise<QueryResult> {
  const { workflow, dryRun } = request;
  const { sql, values } = withParameters(request);
  const { sql: plain, tables } = withTables(sql, request.window);
  const query = scopeQuery(plain);
  const used = usedWords(sql);
  checkOutputColumns(workflow, query.columns);
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(":memory:");
  try {
    for (const [name, { table, window }] of tables) {
      fill(database, { name, used }, dryRun ? [] : tableRows(table, { ...request, window }));
    }
    const rows = select(database, query.sql, values);
    return filtered(rows, query.columns, workflow);
  } finally {
    database.close();
  }
}

function withParameters(
  { workflow, parameterValues, window }: QueryRequest,
): { sql: string; values: Record<string, Value> } {
  const sql = sqlOf(workflow);
  const declared = new Map(
    (objectsIn(workflow.inputParameters) ?? []).map((parameter) => [String(parameter.name), parameter]),
  );
  const undeclared = Object.keys(parameterValues).find((name) => !declared.has(name));
  if (undeclared !== undefined) {
    throw new QueryProblem(`Parameter "${undeclared}" is not declared in the workflow`);
  }
  const values: Record<string, Value> = {};
  const parts: string[] = [];
  const tokens = sqlTokens(sql);
  let at = 0;
  tokens.forEach((token, index) => {
    const [open, name, close] = tokens.slice(index + 1, index + 4);
    const isCall = token.text === "CUSTOM_PARAMETER" || token.text === "BUILT_IN_PARAMETER";
    if (!isCall || open?.text !== "(" || name?.kind !== "text" || close?.text !== ")") {
      if (isCall) throw new QueryProblem(`${token.text} takes the name of a parameter in quotes`);
      return;
    }
    const word = name.text.slice(1, -1);
    const key = `p${parts.length}`;
    values[key] = token.text === "CUSTOM_PARAMETER"
      ? valueOf(word, declared.get(word), parameterValues[word])
      : builtIn(word, window);
    parts.push(`${sql.slice(at, token.start)}:${key}`);
    at = close.end;
  });
  return { sql: parts.join("") + sql.slice(at), values };
}

function sqlOf({ sqlQuery, query }: JsonObject): string {
  if (typeof sqlQuery === "string" && sqlQuery.trim() !== "") return sqlQuery;
  const lines = Array.isArray(query) ? query.map((line) => atob(String(line))) : [];
  if (lines.length === 0) throw new QueryProblem("The workflow has no query");
  return lines.join("\n");
}

const NUMBERS = ["BYTE", "DECIMAL", "DOUBLE", "FLOAT", "INTEGER", "LONG", "SHORT"];

function valueOf(name: string, declared: JsonObject | undefined, given: unknown): Value {
  if (declared === undefined) throw new QueryProblem(`Parameter "${name}" is not declared in the workflow`);
  const value = given ?? declared.defaultValue;
  if (value === undefined || value === null) throw new QueryProblem(`Parameter "${name}" has no value`);
  const type = String(declared.dataType ?? "STRING");
  const text = String(value);
  const isWrong = (NUMBERS.includes(type) && (text.trim() === "" || Number.isNaN(Number(text)))) ||
    (type === "DATE" && !/^\d{4}-\d\d-\d\d$/.test(text)) ||
    (type === "BOOLEAN" && !/^(true|false)$/i.test(text));
  if (isWrong) throw new QueryProblem(`Parameter "${name}" is not of type ${type}: ${text}`);
  if (type === "BOOLEAN") return text.toLowerCase() === "true" ? 1 : 0;
  return NUMBERS.includes(type) ? Number(text) : text;
}

function builtIn(name: string, { start, end }: TimeWindow): string {
  const moment = { TIME_WINDOW_START: start, TIME_WINDOW_END: end }[name];
  if (moment === undefined) throw new QueryProblem(`Built-in parameter "${name}" is not known`);
  return new Date(moment).toISOString().slice(0, 19).replace("T", " ");
}

interface NamedTable {
  readonly table: string;
  readonly window: TimeWindow;
}

const EXTENDED = /(TABLE\s*\(\s*)?EXTEND_TIME_WINDOW\s*\(\s*'(\w+)'\s*,\s*'P(\d+)D'\s*,\s*'P(\d+)D'\s*\)/gi;

function withTables(sql: string, window: TimeWindow): { sql: string; tables: Map<string, NamedTable> } {
  const tables = new Map<string, NamedTable>();
  const plain = sql.replace(
    EXTENDED,
    (_, wrapped: string | undefined, table: string, before: string, after: string) => {
      const name = `${table}_${before}_${after}`;
      const known = PUBLISHED_TABLES.find(({ dataSourceId }) => dataSourceId === table.toLowerCase());
      if (known === undefined) throw new QueryProblem(`Data source "${table}" is not known`);
      const start = window.start - Number(before) * DAY;
      tables.set(name, {
        table: known.dataSourceId,
        window: { start, end: window.end + Number(after) * DAY },
      });
      return wrapped === undefined ? name : `(SELECT * FROM ${name}`;
    },
  );
  const words = new Set(sqlTokens(plain).map(({ text }) => plainWord(text)));
  for (const { dataSourceId } of PUBLISHED_TABLES) {
    if (words.has(dataSourceId)) tables.set(dataSourceId, { table: dataSourceId, window });
  }
  return { sql: plain, tables };
}

/** Words of a query, including the columns it reads; `undefined` if it selects `*`. */
function usedWords(sql: string): ReadonlySet<string> | undefined {
  const tokens = sqlTokens(sql);
  const readsAll = tokens.some(({ text }, at) => text === "*" && tokens[at - 1]?.text !== "(");
  return readsAll ? undefined : new Set(tokens.map(({ text }) => plainWord(text)));
}

function plainWord(text: string): string {
  return text.toLowerCase().replace(/^["`]|["`]$/g, "");
}

function fill(
  database: DatabaseSync,
  { name, used }: { readonly name: string; readonly used: ReadonlySet<string> | undefined },
  rows: Iterable<Readonly<Record<string, Cell>>>,
): void {
  const table = PUBLISHED_TABLES.find(({ dataSourceId }) => name.startsWith(dataSourceId));
  const columns = table?.columns.map((column) => column.name) ?? [];
  const quoted = (names: readonly string[]): string => names.map((column) => `"${column}"`).join(", ");
  database.exec(`CREATE TABLE "${name}" (${quoted([...columns, USERS])})`);
  const filled = columns.filter((column) => used?.has(column) ?? true);
  const insert = database.prepare(
    `INSERT INTO "${name}" (${quoted([...filled, USERS])}) VALUES (${
      [...filled, USERS].map(() => "?").join(", ")
    })`,
  );
  database.exec("BEGIN");
  for (const row of rows) {
    insert.run(...filled.map((column) => row[column] ?? null), row["user_id"] ?? null);
  }
  database.exec("COMMIT");
}

interface CountedRow {
  readonly cells: readonly Cell[];
  readonly users: ReadonlySet<string>;
}

function select(database: DatabaseSync, sql: string, values: Record<string, Value>): CountedRow[] {
  try {
    return database.prepare(sql).all(values).map(({ [USERS]: users, ...row }) => ({
      cells: Object.values(row).map(cellOf),
      users: new Set(String(users ?? "").split(",").filter((user) => user !== "")),
    }));
  } catch (problem) {
    const reason = problem instanceof Error ? problem.message : String(problem);
    throw new QueryProblem(`The query cannot be compiled: ${reason}`);
  }
}

function cellOf(value: unknown): Cell {
  return value === null || typeof value === "number" ? value : String(value);
}

function checkOutputColumns({ outputColumns }: JsonObject, columns: readonly OutputColumn[]): void {
  const twice = columns.find(({ name }, at) => columns.findIndex((one) => one.name === name) < at);
  if (twice !== undefined) throw new QueryProblem(`Column "${twice.name}" is selected twice`);
  const named = objectsIn(outputColumns)?.map(({ name }) => String(name)) ?? [];
  if (named.length === 0) return;
  const actual = columns.map(({ name }) => name);
  if (named.length === actual.length && named.every((name, at) => name === actual[at])) return;
  throw new QueryProblem(`outputColumns are ${named.join(", ")}, and the query gives ${actual.join(", ")}`);
}

/** Rows below the threshold are dropped, or lose values and are aggregated if there is a discriminator. */
function filtered(
  rows: readonly CountedRow[],
  columns: readonly OutputColumn[],
  workflow: JsonObject,
): QueryResult {
  const needs = columns.map(({ privacy }) => NEEDED_USERS[privacy]);
  const most = Math.max(1, ...needs.map((need, at) => columns[at]?.privacy === "VERY_HIGH" ? 1 : need));
  const names = columns.map(({ name }) => name);
  const discriminator = workflow.filteredMetricsDiscriminatorColumn;
  const keepsRows = typeof discriminator === "string" ||
    workflow.privacyFilteringBehavior === "REMOVE_VALUES";
  const enough = rows.filter(({ users }) => users.size >= most).map(({ cells }) => cells);
  if (!keepsRows) return { columns: names, rows: enough };
  const merged = new Map<string, { cells: Cell[]; users: Set<string> }>();
  for (const { cells, users } of rows.filter((row) => row.users.size < most)) {
    const shown = cells.map((cell, at) =>
      !columns[at]?.isMetric && (needs[at] ?? 1) > users.size ? null : cell
    );
    const key = JSON.stringify(shown.filter((_, at) => !columns[at]?.isMetric));
    const known = merged.get(key);
    if (known === undefined) merged.set(key, { cells: [...shown], users: new Set(users) });
    else {
      known.cells = known.cells.map((cell, at) =>
        columns[at]?.isMetric ? sum(cell, shown[at] ?? null) : cell
      );
      for (const user of users) known.users.add(user);
    }
  }
  const withheld = [...merged.values()].map(({ cells, users }) =>
    cells.map((cell, at) => columns[at]?.isMetric && (needs[at] ?? 1) > users.size ? null : cell)
  );
  if (typeof discriminator !== "string") return { columns: names, rows: [...enough, ...withheld] };
  return {
    columns: [...names, discriminator],
    rows: [...enough.map((cells) => [...cells, "FALSE"]), ...withheld.map((cells) => [...cells, "TRUE"])],
  };
}

function sum(one: Cell, other: Cell): Cell {
  return one === null ? other : other === null ? one : Number(one) + Number(other);
}

/** Quotes within text are escaped with a backslash. */
export function resultFile({ columns, rows }: QueryResult, { outputFormat }: JsonObject): string {
  const format = isObject(outputFormat) ? outputFormat : {};
  const character = (name: string, otherwise: string): string => String(format[name] ?? otherwise);
  const [separator, quote, escape] = [
    character("separatorCharacter", ","),
    character("quoteCharacter", '"'),
    character("escapeCharacter", "\\"),
  ];
  const written = (cell: Cell): string => {
    const text = String(cell ?? "");
    if (![separator, quote, escape, "\n", "\r"].some((mark) => text.includes(mark))) return text;
    const escaped = text.replaceAll(escape, escape + escape).replaceAll(quote, escape + quote);
    return quote + escaped + quote;
  };
  return [columns, ...rows].map((cells) => `${cells.map(written).join(separator)}\n`).join("");
}
