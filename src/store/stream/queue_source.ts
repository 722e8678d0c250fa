import type { StreamDelivery, StreamSource } from "./stream_source.ts";
import type { QueueClient, QueueMessage } from "./queue_client.ts";

/** Options for reading a queue. */
export interface QueueSourceOptions {
  /** Name of the queue, for messages and records. */
  readonly name: string;
  /** Number of concurrent receive requests, each for at most ten messages. @default 8 */
  readonly receivers?: number | undefined;
  /** Seconds for which received messages are hidden from others; extended while storing takes longer. @default 60 */
  readonly visibility?: number | undefined;
}

const [WAIT, WAIT_ONCE] = [20, 1];

/** Hides a message from other consumers until it is stored, then deletes it. */
export function queueSource(
  client: QueueClient,
  { name, receivers = 8, visibility = 60 }: QueueSourceOptions,
): StreamSource {
  return {
    name,
    async *deliveries({ signal, once = false }) {
      while (!signal?.aborted) {
        const begun = performance.now();
        const messages = await receive(client, { receivers, visibility, signal, once });
        if (messages.length > 0) yield delivery(client, messages, visibility);
        else if (once) return;
        // A service that does not wait for messages is not to be asked without a pause.
        else if (performance.now() - begun < 1000) await client.pause(1, signal);
      }
    },
  };
}

async function receive(
  client: QueueClient,
  { receivers, visibility, signal, once }: {
    receivers: number;
    visibility: number;
    signal: AbortSignal | undefined;
    once: boolean;
  },
): Promise<QueueMessage[]> {
  try {
    const first = await client.receive({ wait: once ? WAIT_ONCE : WAIT, visibility, signal });
    if (first.length < 10 || receivers === 1) return first;
    const others = await Promise.allSettled(
      Array.from({ length: receivers - 1 }, () => client.receive({ wait: 0, visibility, signal })),
    );
    return [first, ...others.flatMap((each) => each.status === "fulfilled" ? [each.value] : [])].flat();
  } catch (error) {
    if (signal?.aborted) return [];
    throw error;
  }
}

function delivery(
  client: QueueClient,
  messages: readonly QueueMessage[],
  visibility: number,
): StreamDelivery {
  const timer = setInterval(() => {
    // Should it fail, the messages may come again, which adds nothing.
    client.changeVisibility(messages, visibility).catch(() => {});
  }, visibility * 1000 / 3);
  return {
    messages,
    acknowledge: () => client.delete(messages),
    end: () => clearInterval(timer),
  };
}
