import type { Readable, Writable } from "node:stream";
import { QueryError } from "../../store/store_error.ts";
import { Warehouse } from "../../store/warehouse.ts";
import type { QueryQuestion, QueryReply } from "./query_apart.ts";

/** Answers the one query that stands on the input; the other side of {@linkcode queryApart}. */
export async function answerQuery(input: Readable, output: Writable): Promise<void> {
  let text = "";
  for await (const chunk of input.setEncoding("utf8")) text += chunk;
  const reply = JSON.stringify(await replyTo(JSON.parse(text) as QueryQuestion));
  await new Promise<void>((done) => output.write(reply, () => done()));
}

async function replyTo({ store, sql, params, maxRows }: QueryQuestion): Promise<QueryReply> {
  const warehouse = await Warehouse.open(store);
  try {
    const { rows, truncated } = await warehouse.query(sql, params, { maxRows });
    return { rows, truncated };
  } catch (error) {
    if (error instanceof QueryError) return { refused: error.message };
    throw error;
  } finally {
    await warehouse.close();
  }
}
