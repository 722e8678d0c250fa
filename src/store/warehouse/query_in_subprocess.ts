import process from "node:process";
import {
  type FoundRows,
  type ProgramCommand,
  QUERY_ARGUMENT,
  type QueryQuestion,
  type QueryReply,
  type StoreQuery,
} from "../model/query_question.ts";
import { QueryError } from "../model/store_error.ts";
import { spawn } from "node:child_process";
import type { Readable } from "node:stream";

/** Memory limit of a query, where the runtime has such a flag. */
const HEAP = "--max-old-space-size=1024";

export function thisProgram(): ProgramCommand {
  return { command: process.execPath, args: ownArguments() };
}

function ownArguments(): string[] {
  const deno = (globalThis as { Deno?: { build: { standalone?: boolean } } }).Deno;
  if (deno?.build.standalone) return [];
  const script = process.argv[1]!;
  if (deno === undefined) return [...process.execArgv, HEAP, script];
  const may = ["--no-prompt", "--allow-read", "--allow-write", "--allow-env", "--allow-net", "--allow-sys"];
  return ["run", "--quiet", ...may, `--v8-flags=${HEAP}`, script];
}

export const MAX_QUERIES = 2;

const SECONDS = 30;

export async function queryInSubprocess(
  program: ProgramCommand,
  store: string,
  { signal, ...query }: StoreQuery,
): Promise<FoundRows> {
  signal.throwIfAborted();
  const tooLong = AbortSignal.timeout(SECONDS * 1000);
  const child = spawn(program.command, [...program.args, QUERY_ARGUMENT], {
    stdio: ["pipe", "pipe", "pipe"],
    signal: AbortSignal.any([signal, tooLong]),
    killSignal: "SIGKILL",
  });
  const ended = new Promise<void>((done, fail) => child.once("error", fail).once("close", () => done()));
  // A query that is killed may have left its input unread.
  child.stdin.on("error", () => {});
  child.stdin.end(JSON.stringify({ store, ...query } satisfies QueryQuestion));
  try {
    const [output, complaint] = await Promise.all([textOf(child.stdout), textOf(child.stderr), ended]);
    const reply = parsed(output);
    if (reply === undefined) throw new QueryError(`Cannot run the query: ${whyNone(complaint)}`);
    if ("refused" in reply) throw new QueryError(reply.refused);
    return reply;
  } catch (error) {
    signal.throwIfAborted();
    if (!tooLong.aborted) throw error;
    throw new QueryError(`Cannot run the query: it was stopped after ${SECONDS} s. Ask for less at a time`);
  }
}

/**
 * Queries in a subprocess with bounded memory, which can be killed: a SQLite query cannot be stopped from inside, and
 * a value of PostgreSQL may exceed this process's memory.
 *
 * @param inProcess Used where no subprocess can be started: a query that takes too long is a smaller harm than none.
 * @throws {QueryError} when the query is rejected, fails or times out.
 */
export async function runStoreQuery(
  program: ProgramCommand | undefined,
  store: string,
  { query, inProcess }: { readonly query: StoreQuery; readonly inProcess: () => Promise<FoundRows> },
): Promise<FoundRows> {
  if (program === undefined) return await inProcess();
  try {
    return await queryInSubprocess(program, store, query);
  } catch (error) {
    if (!mayNotStart(error)) throw error;
    return await inProcess();
  }
}

/** True if the system or the runtime refuses to start the program. */
function mayNotStart(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  return error.name === "NotCapable" || ["EPERM", "EACCES", "ENOENT"].includes(code);
}

function whyNone(complaint: string): string {
  if (/out of memory|Invalid string length/i.test(complaint)) {
    return "it needs more memory than a query may use. Select fewer rows or columns";
  }
  return complaint.trim().split("\n")[0] || "no response";
}

async function textOf(stream: Readable): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return new TextDecoder().decode(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}

function parsed(text: string): QueryReply | undefined {
  try {
    return JSON.parse(text) as QueryReply;
  } catch {
    return undefined;
  }
}
