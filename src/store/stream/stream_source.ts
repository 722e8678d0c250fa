import type { ReadObject, StreamTables } from "../model/stream_tables.ts";
import type { StreamMessage } from "./read_message.ts";

/** Objects of a delivery stream that were not read, by reason. */
export interface ObjectCounts {
  /** Number of objects that were skipped because they were read before. */
  readonly known: number;
  /** Number of objects that were still growing or were replaced while being read; they are read again next time. */
  readonly unfinished: number;
  /** Number of objects that were deleted before they could be read. */
  readonly gone: number;
  /** Number of archived objects, which must be restored first; they are tried again next time. */
  readonly archived: number;
}

/** Messages that are stored together. */
export interface StreamDelivery {
  /** Messages in the order in which they were read. */
  readonly messages: readonly StreamMessage[];
  /** Objects whose last messages are in this delivery or in earlier ones. @default none */
  readonly objects?: readonly ReadObject[];
  /** Counts of objects that were not read, since the last delivery. @default none */
  readonly counts?: ObjectCounts;
  /**
   * Acknowledges that the messages are stored.
   *
   * @returns the number of messages that will be redelivered anyway.
   */
  acknowledge(): Promise<number>;
  /** Called when processing has ended, whether or not the messages were stored. */
  end(): void;
}

/** Options for reading a source. */
export interface DeliveryOptions {
  /** Stops reading. */
  readonly signal?: AbortSignal | undefined;
  /** True to end when there are no more messages. @default false */
  readonly once?: boolean | undefined;
  /** Record of the objects that were read. @default none: all are read */
  readonly memory?: ObjectMemory | undefined;
}

/** Record of the objects that were read. */
export type ObjectMemory = Pick<StreamTables, "objects" | "forgetObjects">;

/** Source of messages of the hourly stream. */
export interface StreamSource {
  /** Name of the source, to show and to store with its records; contains no secrets. */
  readonly name: string;
  /** Yields its messages until the signal fires or, with `once`, until there are none left. */
  deliveries(options: DeliveryOptions): AsyncIterable<StreamDelivery>;
}
