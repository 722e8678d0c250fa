import type { ReadObject, StreamTables } from "../model/stream_tables.ts";
import type { StreamMessage } from "./read_message.ts";

/** Objects of a delivery stream that were not read, by reason. */
export interface ObjectCounts {
  /** Read before, and not again. */
  readonly known: number;
  /** Still growing or replaced while they were read: they are read again the next time. */
  readonly unfinished: number;
  /** Deleted before they could be read. */
  readonly gone: number;
  /** In an archive, from which they must be restored: they are tried again the next time. */
  readonly archived: number;
}

/** Messages that are stored together. */
export interface StreamDelivery {
  /** Messages in the order in which they were read. */
  readonly messages: readonly StreamMessage[];
  /** Objects whose last messages are among these, or in earlier deliveries. @default none */
  readonly objects?: readonly ReadObject[];
  /** Other objects since the last delivery. @default none */
  readonly counts?: ObjectCounts;
  /**
   * Acknowledges that they are stored.
   *
   * @returns the number of messages that will be redelivered anyway.
   */
  acknowledge(): Promise<number>;
  /** Called when processing has ended, whether or not they were stored. */
  end(): void;
}

/** Options for reading a source. */
export interface DeliveryOptions {
  /** Ends the reading. */
  readonly signal?: AbortSignal | undefined;
  /** True to end when there are no more messages. @default false */
  readonly once?: boolean | undefined;
  /** Remembers which objects were read. @default none: all are read */
  readonly memory?: ObjectMemory | undefined;
}

/** Memory of the objects that were read. */
export type ObjectMemory = Pick<StreamTables, "objects" | "forgetObjects">;

/** Source of messages of the hourly stream. */
export interface StreamSource {
  /** Name of the source, for messages and records; without secrets. */
  readonly name: string;
  /** Its messages, until the signal fires, or with `once` until it has none left. */
  deliveries(options: DeliveryOptions): AsyncIterable<StreamDelivery>;
}
