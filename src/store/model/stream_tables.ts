import type { Cell } from "./encode_rows.ts";
import type { DatasetLayout } from "./dataset_layout.ts";

/** A profile, with the ids that identify it in records of the stream. */
export interface StreamAccount {
  /** The advertiser's id in records, which is the id of the profile's account. */
  readonly advertiserId: string;
  /** The marketplace's id in records. */
  readonly marketplaceId: string;
  /** The platform's id of the profile, digits as text. */
  readonly profileId: string;
  /** Country of the profile. */
  readonly countryCode: string;
  /** Time zone of its days. */
  readonly timeZone: string;
}

/** A message that cannot be read. */
export interface RejectedMessage {
  /** SHA-256 of the message's body, so that a redelivered message is kept only once. */
  readonly id: string;
  /** The queue's id of the message, or file and line. */
  readonly messageId: string;
  /** Reason, in a sentence. */
  readonly reason: string;
  /** The message as it was received. */
  readonly body: string;
}

/** A request to confirm a subscription, which was received as a message. */
export interface StreamConfirmation {
  /** Topic that sends messages after the confirmation. */
  readonly topic: string;
  /** When the request was sent, ISO 8601; the subscription can be confirmed within two days. */
  readonly url: string;
  /** When it was sent, ISO 8601; it can be confirmed within two days. */
  readonly sentAt: string;
  /** When the subscription was confirmed, ISO 8601; `null` until then. */
  readonly confirmedAt: string | null;
}

/** Records that go into one table. */
export interface DatasetRows {
  /** The dataset. */
  readonly layout: DatasetLayout;
  /** Cells in the order of {@linkcode streamColumns}. */
  readonly rows: readonly (readonly Cell[])[];
}

/** An object of a delivery stream that was read to its end. */
export interface ReadObject {
  /** Address: `s3://BUCKET/KEY`, or the path of a file. */
  readonly address: string;
  /** ETag, or length and time of the last change. */
  readonly version: string;
}

/** Records of one transaction. */
export interface StreamBatch {
  /** Source of the messages. */
  readonly source: string;
  /** Time of receipt, milliseconds since the epoch. */
  readonly receivedAt: number;
  /** Records, grouped by dataset. */
  readonly records: readonly DatasetRows[];
  /** Messages that cannot be read. */
  readonly rejected: readonly RejectedMessage[];
  /** Requests to confirm a subscription. */
  readonly confirmations: readonly Omit<StreamConfirmation, "confirmedAt">[];
  /** Objects whose last messages are in this batch. @default none */
  readonly objects?: readonly ReadObject[];
}

/** A range of addresses in byte order: those after `after`, up to and including `upTo`. */
export interface AddressRange {
  /** Address before the range. */
  readonly after: string;
  /** Last address. */
  readonly upTo: string;
}

/** The hours of a profile over some days, from a new report. */
export interface ReportedHours {
  /** The platform's id of the profile. */
  readonly profileId: string;
  /** First day. */
  readonly start: string;
  /** Last day. */
  readonly end: string;
  /** Records by keyword or target and hour, grouped by dataset; called again if the transaction is repeated. */
  readonly records: () => AsyncIterable<DatasetRows>;
}

/** Number of new records and messages in a transaction. */
export interface StreamWritten {
  /** Number of records that were not stored yet. */
  readonly stored: number;
  /** Number of rejected messages that were not stored yet. */
  readonly rejected: number;
}

/** Storage of the hourly stream in a database. Every method is one transaction. */
export interface StreamTables {
  /** Stores the new records of a batch; records with a stored id are skipped. */
  write(batch: StreamBatch): Promise<StreamWritten>;
  /**
   * Replaces the reported hours of a profile. Hours in which the stream has impressions are not overwritten.
   *
   * @returns how many records were stored.
   */
  putHours(hours: ReportedHours): Promise<number>;
  /** Known profiles with their ids in records. */
  accounts(): Promise<StreamAccount[]>;
  /** Adds or replaces profiles, and fills in profile, day and hour of their stored records. */
  putAccounts(accounts: readonly StreamAccount[]): Promise<void>;
  /** Versions of objects that were read, by address. */
  objects(addresses: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Forgets the objects in a range, except those that still exist. */
  forgetObjects(range: AddressRange, there: ReadonlySet<string>): Promise<void>;
  /** Requests to confirm a subscription, oldest first. */
  confirmations(): Promise<StreamConfirmation[]>;
  /**
   * Records that a subscription was confirmed.
   *
   * @param confirmedAt ISO 8601.
   */
  confirm(url: string, confirmedAt: string): Promise<void>;
}
