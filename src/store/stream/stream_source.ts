import type { StreamMessage } from "./read_message.ts";

/** Messages that are stored together. */
export interface StreamDelivery {
  /** At least one. */
  readonly messages: readonly StreamMessage[];
  /**
   * Says that they are stored.
   *
   * @returns how many of them will be delivered again all the same.
   */
  acknowledge(): Promise<number>;
  /** Called when nothing more is done with them, whether they were stored or not. */
  end(): void;
}

/** Source of messages of the hourly stream. */
export interface StreamSource {
  /** Name of the source, for messages and records; without secrets. */
  readonly name: string;
  /** Its messages, until the signal fires, or with `once` until it has none left. */
  deliveries(options: { signal?: AbortSignal | undefined; once?: boolean }): AsyncIterable<StreamDelivery>;
}
