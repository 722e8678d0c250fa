import type { StreamMessage } from "../read_message.ts";
import type { StreamDelivery, StreamSource } from "../stream_source.ts";
import { splitMessages } from "./split_messages.ts";

/** Messages that are stored in one transaction. */
const AT_ONCE = 1000;

/**
 * Messages of the hourly stream from a text: JSON values, one a line.
 *
 * @param name What it is, for messages and records.
 *
 * @example
 * ```ts
 * import { consumeStream, textSource, type Warehouse } from "@platform/ads/store";
 *
 * async function consume(store: Warehouse, lines: string): Promise<number> {
 *   return (await consumeStream(store, textSource(lines, "export.jsonl"))).stored;
 * }
 * ```
 */
export function textSource(
  text: string | Iterable<string> | AsyncIterable<string>,
  name = "text",
): StreamSource {
  return {
    name,
    deliveries: ({ signal }) =>
      deliveriesOf(
        async function* () {
          for await (const part of typeof text === "string" ? [text] : text) {
            for (const { line, body } of splitMessages(part)) yield { id: `${name}:${line}`, body };
          }
        },
        signal,
      ),
  };
}

/** Messages that nobody waits for an acknowledgement of, in deliveries. */
export async function* deliveriesOf(
  messages: () => AsyncIterable<StreamMessage>,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamDelivery> {
  let batch: StreamMessage[] = [];
  for await (const message of messages()) {
    if (signal?.aborted) return;
    batch.push(message);
    if (batch.length < AT_ONCE) continue;
    yield delivery(batch);
    batch = [];
  }
  if (batch.length > 0 && !signal?.aborted) yield delivery(batch);
}

function delivery(messages: readonly StreamMessage[]): StreamDelivery {
  return { messages, acknowledge: () => Promise.resolve(0), end: () => {} };
}
