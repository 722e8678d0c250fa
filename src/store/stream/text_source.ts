import { abortable } from "../../base/time/clock.ts";
import type { StreamMessage } from "./read_message.ts";
import type { StreamDelivery, StreamSource } from "./stream_source.ts";
import { MessageSplitter, type SplitMessage } from "./message_splitter.ts";

const AT_ONCE = 1000;
const AT_LATEST = 250;

/**
 * Messages of the hourly stream from text: JSON values, one or more per line, over several lines, or in a list.
 *
 * Text in pieces may be endless, such as from a pipe: messages are delivered as they arrive, up to a thousand at once
 * or after a quarter of a second, and the next piece is requested after they are stored. When the signal fires,
 * everything received is delivered, including an incomplete message.
 *
 * @param text The text, or its pieces, which may end anywhere.
 * @param name Name of the source, for messages and records.
 *
 * @example
 * ```ts
 * import { consumeStream, textSource, type Warehouse } from "@platform/ads/store";
 *
 * async function consume(store: Warehouse, lines: AsyncIterable<string>): Promise<number> {
 *   return (await consumeStream(store, textSource(lines, "pipe"))).stored;
 * }
 * ```
 */
export function textSource(
  text: string | Iterable<string> | AsyncIterable<string>,
  name = "text",
): StreamSource {
  const pieces = typeof text === "string" ? [text] : text;
  // The rest of a text that is there already can be read again.
  const keepsRest = typeof text !== "string" && Symbol.asyncIterator in text;
  return {
    name,
    deliveries: ({ signal }) => deliveriesOf(messagesIn(pieces, { name, keepsRest, signal })),
  };
}

/** Ends with the text or the signal. With `keepsRest`, an incomplete message is returned at the signal. */
export async function* messagesIn(
  pieces: Iterable<string> | AsyncIterable<string>,
  { name, keepsRest = false, signal }: {
    name: string;
    keepsRest?: boolean;
    signal?: AbortSignal | undefined;
  },
): AsyncGenerator<StreamMessage[]> {
  const splitter = new MessageSplitter();
  const named = ({ line, body }: SplitMessage): StreamMessage => ({ id: `${name}:${line}`, body });
  for await (const piece of untilFired(pieces, signal)) yield splitter.push(piece).map(named);
  if (keepsRest || !signal?.aborted) yield splitter.end().map(named);
}

export async function* deliveriesOf(
  messages: AsyncGenerator<StreamMessage[]>,
): AsyncGenerator<StreamDelivery> {
  let waiting: StreamMessage[] = [];
  let since = performance.now();
  let next = messages.next();
  try {
    for (;;) {
      const late = Math.max(0, since + AT_LATEST - performance.now());
      const result = waiting.length === 0 ? await next : await unlessLate(next, late);
      if (result === undefined) {
        yield delivery(waiting);
        waiting = [];
        continue;
      }
      if (result.done === true) break;
      if (waiting.length === 0) since = performance.now();
      waiting = waiting.concat(result.value);
      while (waiting.length >= AT_ONCE) yield delivery(waiting.splice(0, AT_ONCE));
      next = messages.next();
    }
    if (waiting.length > 0) yield delivery(waiting);
  } finally {
    // Closes the text of a reader who stops. Not waited for: it may stay silent for ever.
    next.then(() => messages.return(undefined)).catch(() => {});
  }
}

function delivery(messages: readonly StreamMessage[]): StreamDelivery {
  return { messages, acknowledge: () => Promise.resolve(0), end: () => {} };
}

async function unlessLate<T>(work: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function* untilFired<T>(
  items: Iterable<T> | AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  try {
    for (;;) {
      const { done, value } = await abortable(Promise.resolve(iterator.next()), signal);
      if (done === true) return;
      yield value;
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    // Not waited for: it may end only with the next item, which may never come.
    Promise.resolve(iterator.return?.()).catch(() => {});
  }
}
