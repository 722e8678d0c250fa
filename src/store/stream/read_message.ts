import { isObject } from "../../base/json/fields_of.ts";
import { parseJson } from "../../base/json/json.ts";
import { sha256 } from "../../base/text/sha256.ts";
import { type DatasetColumn, type DatasetLayout, datasetLayout } from "../model/dataset_layout.ts";
import type { RejectedMessage, StreamConfirmation } from "../model/stream_tables.ts";
import { canonicalJson } from "../../base/json/canonical_json.ts";
import { milliseconds } from "../../base/time/moment.ts";
import type { Cell } from "../model/encode_rows.ts";

/** A message, as delivered by a source. */
export interface StreamMessage {
  /** The queue's id of the message, or file and line. */
  readonly id: string;
  /** Its text. */
  readonly body: string;
}

interface MessageContents {
  readonly records: readonly (StreamRecord & { readonly layout: DatasetLayout })[];
  readonly rejected: readonly RejectedMessage[];
  readonly confirmations: readonly Omit<StreamConfirmation, "confirmedAt">[];
}

const MAX_DEPTH = 3;

/**
 * Accepts a record, a list of records, or a notification with either. Never throws; unreadable records are set aside
 * with the reason.
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
      if (confirmation === undefined) return reject("it requests a confirmation but has no address", text);
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

interface StreamRecord {
  readonly id: string;
  readonly advertiserId: string;
  readonly marketplaceId: string;
  readonly startsAt: number | null;
  readonly cells: readonly Cell[];
  readonly extra: string | null;
}

type Fields = Readonly<Record<string, unknown>>;

const COMMON = new Set([
  "idempotency_id",
  "dataset_id",
  "advertiser_id",
  "marketplace_id",
  "time_window_start",
]);

function readRecord(layout: DatasetLayout, fields: Fields): StreamRecord | string {
  const id = idOf(layout, fields);
  if (id === undefined) return "it has no idempotency_id";
  const advertiserId = textOf(fields["advertiser_id"]);
  if (advertiserId === null || advertiserId === "") return "it has no advertiser_id";
  const startsAt = layout.isHourly ? startOf(fields["time_window_start"]) : null;
  if (typeof startsAt === "string") return startsAt;
  const cells: Cell[] = [];
  for (const column of layout.columns) {
    const value = valueAt(fields, column.path);
    const cell = cellOf(value, column);
    if (cell === undefined) {
      const kind = column.type === "integer" ? "a whole number" : "a number";
      return `${column.path} is ${JSON.stringify(value)?.slice(0, 100)}, not ${kind}`;
    }
    cells.push(cell);
  }
  const marketplaceId = textOf(fields["marketplace_id"]) ?? "";
  return { id, advertiserId, marketplaceId, startsAt, cells, extra: extraOf(layout, fields) };
}

/** Returns the id of a record. Records without an id are identified by their content. */
function idOf(layout: DatasetLayout, fields: Fields): string | undefined {
  const given = textOf(fields["idempotency_id"]);
  if (given !== null && given.trim() !== "") return given;
  return layout.isHourly ? undefined : sha256(canonicalJson(fields));
}

function startOf(value: unknown): number | string {
  if (value === undefined || value === null || value === "") return "it has no time_window_start";
  try {
    return milliseconds(String(value));
  } catch {
    return `time_window_start is ${JSON.stringify(value)?.slice(0, 100)}, not a time`;
  }
}

function valueAt(fields: Fields, path: string): unknown {
  if (path in fields) return fields[path];
  if (!path.includes(".")) return undefined;
  let value: unknown = fields;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Fields)[name];
  }
  return value;
}

function cellOf(value: unknown, { type }: DatasetColumn): Cell | undefined {
  if (value === undefined || value === null) return null;
  if (type === "text") return textOf(value);
  if (type === "json") return textOf(JSON.stringify(value));
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) return value === "" ? null : undefined;
  return type === "real" || Number.isSafeInteger(number) ? number : undefined;
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const text = typeof value === "string"
    ? value
    : typeof value === "object"
    ? JSON.stringify(value)
    : `${value}`;
  return storable(text);
}

function extraOf({ columns }: DatasetLayout, fields: Fields): string | null {
  const known = new Set(columns.map(({ path }) => path.split(".")[0]));
  const others = Object.entries(fields).filter(([name]) =>
    !COMMON.has(name) && !known.has(name) && !columns.some(({ path }) => path === name)
  );
  return others.length === 0 ? null : storable(JSON.stringify(Object.fromEntries(others)));
}

export function storable(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes("\0") ? whole.replaceAll("\0", "\uFFFD") : whole;
}
