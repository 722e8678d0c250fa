import type { Sleep } from "../../base/time/clock.ts";
import { withPackages } from "../model/optional_packages.ts";
import type { StreamSource } from "./stream_source.ts";
import { type QueueAddress, queueAddress, type QueueSettings } from "./queue_address.ts";
import type { QueueCounts, QueueCredentials } from "./queue_client.ts";
import { queueSource, type QueueSourceOptions } from "./queue_source.ts";

/** Address, credentials and retries of a queue. */
export interface OpenQueueOptions extends QueueSettings, Omit<QueueSourceOptions, "name"> {
  /** Credentials for receiving and deleting its messages. */
  readonly credentials: QueueCredentials;
  /** Sends requests. @default the runtime's */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Waits between retries. @default real time */
  readonly sleep?: Sleep | undefined;
}

/** A queue that the hourly stream is delivered to. */
export interface StreamQueue {
  /** URL and ARN of the queue. */
  readonly address: QueueAddress;
  /** Source of its messages. */
  readonly source: StreamSource;
  /** Counts its messages. */
  counts(signal?: AbortSignal): Promise<QueueCounts>;
}

/**
 * Opens a queue with the protocol of SQS. Nothing is sent yet.
 *
 * @param queue Its address, or its ARN.
 * @throws {ConfigurationError} for what is neither, or when the package `aws4fetch` is not installed.
 *
 * @example
 * ```ts
 * import { consumeStream, openQueue, type Warehouse } from "@platform/ads/store";
 *
 * async function consume(store: Warehouse, accessKeyId: string, secretAccessKey: string): Promise<number> {
 *   const credentials = { accessKeyId, secretAccessKey };
 *   const { source } = await openQueue("arn:aws:sqs:us-east-1:123456789012:hourly", { credentials });
 *   return (await consumeStream(store, source, { once: true })).stored;
 * }
 * ```
 */
export async function openQueue(queue: string, options: OpenQueueOptions): Promise<StreamQueue> {
  const address = queueAddress(queue, options);
  const { QueueClient } = await withPackages("a queue", "aws4fetch", () => import("./queue_client.ts"));
  const { credentials, fetch, sleep, receivers, visibility } = options;
  const client = new QueueClient({ address, credentials, fetch, sleep });
  return {
    address,
    source: queueSource(client, { name: address.arn, receivers, visibility }),
    counts: (signal) => client.counts(signal),
  };
}
