import { ConfigurationError } from "../../errors.ts";
import { queryRows } from "../sqlite/query_rows.ts";
import { QueryError } from "../model/store_error.ts";
import { Warehouse } from "./warehouse.ts";
import type { FoundRows, QueryQuestion, QueryReply } from "../model/query_question.ts";

const MAX_REPLY = 100_000_000;

export async function answerQuery(question: string): Promise<string> {
  const reply = JSON.stringify(await replyTo(JSON.parse(question) as QueryQuestion));
  return reply.length > MAX_REPLY ? JSON.stringify(tooLong(reply.length)) : reply;
}

function tooLong(length: number): QueryReply {
  const millions = Math.round(length / 1e6);
  return {
    refused: `Cannot run the query: its result has ${millions} million characters, and ${
      MAX_REPLY / 1e6
    } is the maximum. Select fewer rows or columns`,
  };
}

async function replyTo(
  { store, rows, sql, params, maxRows, asOf, conversion, asReader = true }: QueryQuestion,
): Promise<QueryReply> {
  if (rows !== undefined) return refusable(() => queryRows(rows, sql, { params, maxRows }));
  const warehouse = await Warehouse.open(store);
  try {
    return await refusable(() => warehouse.query(sql, params, { maxRows, asOf, conversion, asReader }));
  } finally {
    await warehouse.close();
  }
}

async function refusable(
  run: () => FoundRows | Promise<FoundRows>,
): Promise<QueryReply> {
  try {
    const { columns, rows, truncated } = await run();
    return { columns, rows, truncated };
  } catch (error) {
    // Rates that lack a currency are a mistake in the question too.
    if (error instanceof QueryError || error instanceof ConfigurationError) return { refused: error.message };
    throw error;
  }
}
