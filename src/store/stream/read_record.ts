import { canonicalJson } from "../../internal/canonical_json.ts";
import { milliseconds } from "../../internal/moment.ts";
import { sha256 } from "../../internal/sha256.ts";
import type { Cell } from "../encode_row.ts";
import type { DatasetColumn, DatasetLayout } from "./dataset_layout.ts";

/** A record, laid out in cells. */
export interface StreamRecord {
  /** Id, unique in its dataset. */
  readonly id: string;
  readonly advertiserId: string;
  readonly marketplaceId: string;
  /** When the hour that it changes begins, milliseconds since the epoch; `null` for a dataset without hours. */
  readonly startsAt: number | null;
  /** A cell for each column of the dataset. */
  readonly cells: readonly Cell[];
  /** Fields that are not published, as JSON; `null` where there are none. */
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

/**
 * Lays a record out.
 *
 * @returns the record, or why it cannot be read.
 */
export function readRecord(layout: DatasetLayout, fields: Fields): StreamRecord | string {
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

/** Records of datasets without an id of their own are told apart by their content. */
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

/** The value as its column keeps it; `undefined` when it does not fit. */
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

/** Databases keep neither NUL characters nor halves of characters; U+FFFD takes their place. */
export function storable(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes("\0") ? whole.replaceAll("\0", "\uFFFD") : whole;
}
