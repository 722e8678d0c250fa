import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { fieldsOf } from "../../../base/json/fields_of.ts";
import { QueryError } from "../../../store/model/store_error.ts";
import { mayNotStart } from "../../../store/warehouse/query_in_subprocess.ts";
import type { ConsoleContext } from "../http/console_context.ts";
import { withStore } from "./open_store.ts";

const SECONDS = 30;

interface PersonQuery {
  readonly sql: string;
  readonly maxRows: number;
  /** ISO 8601; `undefined` for current data. */
  readonly asOf: string | undefined;
  readonly signal: AbortSignal;
}

/** Rows are arrays, because several columns may have the same name. */
export interface FoundRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly truncated: boolean;
}

/**
 * Uses a subprocess if possible, because a SQLite query blocks its thread and cannot be stopped.
 *
 * @throws {QueryError} when the query is rejected, fails or times out.
 */
export async function runQuery(query: PersonQuery, context: ConsoleContext): Promise<FoundRows> {
  const { program } = context;
  if (program !== undefined) {
    try {
      return await inProcess(program, query, context.storePlace);
    } catch (error) {
      if (!mayNotStart(error)) throw error;
    }
  }
  const { sql, maxRows, asOf } = query;
  return await withStore(context, async (store) => {
    const { columns, rows, truncated } = await store.query(sql, [], { maxRows, asOf });
    return { columns, rows: rows.map((row) => columns.map((name) => row[name])), truncated };
  });
}

async function inProcess(
  [command = "", ...first]: readonly string[],
  { sql, maxRows, asOf, signal }: PersonQuery,
  storePlace: string,
): Promise<FoundRows> {
  const tooLong = AbortSignal.timeout(SECONDS * 1000);
  // One row more than is shown tells that there are more.
  const args = ["query", "-", "--store", storePlace, "--json", "--max-rows", String(maxRows + 1)];
  const child = spawn(command, [...first, ...args, ...(asOf === undefined ? [] : ["--as-of", asOf])], {
    stdio: ["pipe", "pipe", "pipe"],
    signal: AbortSignal.any([signal, tooLong]),
    killSignal: "SIGKILL",
  });
  const ended = new Promise<number | null>((done, fail) => child.once("error", fail).once("close", done));
  child.stdin.on("error", () => {});
  child.stdin.end(sql);
  try {
    const [output, complaint, code] = await Promise.all([textOf(child.stdout), textOf(child.stderr), ended]);
    if (code !== 0) throw new QueryError(messageOf(complaint));
    const rows: unknown = JSON.parse(output);
    const list = Array.isArray(rows) ? rows.map(fieldsOf) : [];
    const columns = Object.keys(list[0] ?? {});
    const shown = list.slice(0, maxRows).map((row) => columns.map((name) => row[name]));
    return { columns, rows: shown, truncated: list.length > maxRows };
  } catch (error) {
    signal.throwIfAborted();
    if (!tooLong.aborted) throw error;
    throw new QueryError(`Cannot run the query: it was stopped after ${SECONDS} s. Ask for less at a time`);
  }
}

function messageOf(complaint: string): string {
  try {
    const { error } = fieldsOf(JSON.parse(complaint));
    const { message } = fieldsOf(error);
    if (typeof message === "string") return message;
  } catch {
    // Not JSON: the text is all there is.
  }
  return complaint.trim() || "Cannot run the query";
}

async function textOf(stream: Readable): Promise<string> {
  let text = "";
  for await (const part of stream.setEncoding("utf8")) text += part;
  return text;
}
