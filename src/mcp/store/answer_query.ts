import type { Readable, Writable } from "node:stream";
import { queryRows } from "../../store/sqlite/query_rows.ts";
import type { FoundRows, QueryQuestion, QueryReply } from "./query_in_subprocess.ts";
import { QueryError } from "../../store/store_error.ts";
import { Warehouse } from "../../store/warehouse.ts";

/** Most characters of a reply: the server reads it whole. */
const MAX_REPLY = 100_000_000;

/** Answers the one query that stands on the input; the other side of {@linkcode queryInSubprocess}. */
export async function answerQuery(input: Readable, output: Writable): Promise<void> {
  let text = "";
  for await (const chunk of input.setEncoding("utf8")) text += chunk;
  const whole = JSON.stringify(await replyTo(JSON.parse(text) as QueryQuestion));
  const reply = whole.length > MAX_REPLY ? JSON.stringify(tooLong(whole.length)) : whole;
  await new Promise<void>((done) => output.write(reply, () => done()));
}

function tooLong(length: number): QueryReply {
  const millions = Math.round(length / 1e6);
  return {
    refused: `Cannot run the query: its result has ${millions} million characters, and ${
      MAX_REPLY / 1e6
    } are the most. Ask for less at a time`,
  };
}

async function replyTo({ store, rows, sql, params, maxRows, asOf }: QueryQuestion): Promise<QueryReply> {
  if (rows !== undefined) return refusable(() => queryRows(rows, sql, { params, maxRows }));
  const warehouse = await Warehouse.open(store);
  try {
    return await refusable(() => warehouse.query(sql, params, { maxRows, asOf, asReader: true }));
  } finally {
    await warehouse.close();
  }
}

/** The rows of a query, or why it was refused. */
async function refusable(
  run: () => FoundRows | Promise<FoundRows>,
): Promise<QueryReply> {
  try {
    const { rows, truncated } = await run();
    return { rows, truncated };
  } catch (error) {
    if (error instanceof QueryError) return { refused: error.message };
    throw error;
  }
}
