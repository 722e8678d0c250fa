import type { StreamMessage } from "./read_message.ts";

/** Messages that are stored together. */
export interface StreamDelivery {
  /** At least one. */
  readonly messages: readonly StreamMessage[];
  /**
   * Acknowledges that they are stored.
   *
   * @returns the number of messages that will be redelivered anyway.
   */
  acknowledge(): Promise<number>;
  /** Called when processing has ended, whether or not they were stored. */
  end(): void;
}

/** Source of messages of the hourly stream. */
export interface StreamSource {
  /** Name of the source, for messages and records; without secrets. */
  readonly name: string;
  /** Its messages, until the signal fires, or with `once` until it has none left. */
  deliveries(options: { signal?: AbortSignal | undefined; once?: boolean }): AsyncIterable<StreamDelivery>;
}
