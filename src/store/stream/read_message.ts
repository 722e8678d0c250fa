import { parseJson } from "../../internal/json.ts";
import { sha256 } from "../../internal/sha256.ts";
import { type DatasetLayout, datasetLayout } from "./dataset_layout.ts";
import { readRecord, storable, type StreamRecord } from "./read_record.ts";
import type { RejectedMessage, StreamConfirmation } from "./stream_tables.ts";

/** A message as a source hands it over. */
export interface StreamMessage {
  /** The queue's id of the message, or file and line. */
  readonly id: string;
  /** Its text. */
  readonly body: string;
}

export interface MessageContents {
  /** Its records; one in most messages. */
  readonly records: readonly (StreamRecord & { readonly layout: DatasetLayout })[];
  /** The message, or parts of it, that cannot be read. */
  readonly rejected: readonly RejectedMessage[];
  /** Requests to confirm a subscription. */
  readonly confirmations: readonly Omit<StreamConfirmation, "confirmedAt">[];
}

/** Messages inside messages that are looked into. */
const MAX_DEPTH = 3;

/**
 * Reads a message: a record, a list of records, or the envelope of a notification around either. Nothing throws: what
 * cannot be read is set aside with the reason.
 */
export function readMessage(message: StreamMessage): MessageContents {
  const contents = {
    records: [] as (StreamRecord & { layout: DatasetLayout })[],
    rejected: [] as RejectedMessage[],
    confirmations: [] as Omit<StreamConfirmation, "confirmedAt">[],
  };
  const reject = (reason: string, text: string): void => {
    contents.rejected.push(rejectedMessage(message, reason, text));
  };
  const read = (text: string, depth: number): void => {
    let value: unknown;
    try {
      value = parseJson(text);
    } catch {
      return reject("it is not JSON", text);
    }
    const list = Array.isArray(value) ? value : [value];
    for (const item of list) {
      const whole = list.length === 1 ? text : JSON.stringify(item);
      if (!isObject(item)) reject("it is not an object", whole);
      else readObject(item, whole, depth);
    }
  };
  const readObject = (item: Readonly<Record<string, unknown>>, text: string, depth: number): void => {
    const { Type: type, Message: inner } = item;
    if (type === "Notification" && typeof inner === "string" && depth < MAX_DEPTH) {
      return read(inner, depth + 1);
    }
    if (type === "SubscriptionConfirmation") {
      const confirmation = confirmationOf(item);
      if (confirmation === undefined) return reject("it asks for a confirmation and names no address", text);
      contents.confirmations.push(confirmation);
      return;
    }
    const dataset = item["dataset_id"];
    const layout = datasetLayout(dataset);
    if (layout === undefined) {
      return reject(
        dataset === undefined ? "it has no dataset_id" : `the dataset "${String(dataset)}" is not known`,
        text,
      );
    }
    const record = readRecord(layout, item);
    if (typeof record === "string") reject(record, text);
    else contents.records.push({ ...record, layout });
  };
  try {
    read(message.body, 0);
  } catch (error) {
    // Values that are nested without measure.
    if (!(error instanceof RangeError)) throw error;
    return {
      records: [],
      rejected: [rejectedMessage(message, "it is nested too deeply", message.body)],
      confirmations: [],
    };
  }
  return contents;
}

function rejectedMessage({ id }: StreamMessage, reason: string, text: string): RejectedMessage {
  const body = storable(text);
  return { id: sha256(body), messageId: storable(id), reason: storable(reason), body };
}

function confirmationOf(
  { TopicArn: topic, SubscribeURL: url, Timestamp: sentAt }: Readonly<Record<string, unknown>>,
): Omit<StreamConfirmation, "confirmedAt"> | undefined {
  if (typeof url !== "string") return undefined;
  const time = typeof sentAt === "string" ? Date.parse(sentAt) : NaN;
  return {
    topic: storable(String(topic ?? "")),
    url: storable(url),
    sentAt: Number.isNaN(time) ? "" : new Date(time).toISOString(),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
