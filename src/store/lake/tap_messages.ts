import { endOfMonth } from "../../base/time/calendar.ts";
import type { QueryParameter } from "../model/store_driver.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { LakeTable } from "./lake_tables.ts";
import { quotedName } from "../../base/text/sql_name.ts";
import { partitionRows } from "./partition_rows.ts";
import {
  type LakePartition,
  partitionsOf,
  profilesOf,
  type ProfileSources,
  profileSources,
} from "./partitions.ts";
import { type TapSchema, tapSchema, tapTables } from "./tap_catalog.ts";

/** Bookmarks of a tap: for each stream and partition, the state of the store that was sent. */
export interface TapState {
  /** Bookmarks by stream, then by profile and month. */
  readonly bookmarks: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A message of the Singer protocol. */
export type TapMessage =
  | {
    readonly type: "SCHEMA";
    readonly stream: string;
    readonly schema: TapSchema;
    readonly key_properties: readonly string[];
    readonly bookmark_properties: readonly string[];
  }
  | {
    readonly type: "RECORD";
    readonly stream: string;
    readonly record: Readonly<Record<string, unknown>>;
    readonly time_extracted: string;
  }
  | { readonly type: "STATE"; readonly value: TapState };

/** Options of {@linkcode tapMessages}. */
export interface TapOptions {
  /** Groups (`days`, `entities`, `changes`) and names of tables. @default all three groups */
  readonly tables?: readonly string[] | undefined;
  /** Only this country code or profile id. @default all that are stored */
  readonly market?: string | undefined;
  /** State at the end of the last run. @default none, which sends everything */
  readonly state?: TapState | undefined;
  /** Current time in milliseconds since the epoch. @default the clock */
  readonly now?: (() => number) | undefined;
}

const STATE_EVERY = 50_000;

/**
 * Messages that update a warehouse to the state of the store: the rows of every month that changed since the last run,
 * and the keys of removed rows with `_sdc_deleted_at`. An interrupted run continues from its last state.
 *
 * @throws {ConfigurationError} for unknown tables, and for sums, because their rows have no key.
 *
 * @example
 * ```ts
 * import { type TapMessage, tapMessages, type Warehouse } from "@platform/ads/store";
 *
 * async function send(store: Warehouse, write: (message: TapMessage) => void): Promise<void> {
 *   for await (const message of tapMessages(store, { tables: ["days"] })) write(message);
 * }
 * ```
 */
export async function* tapMessages(
  store: Warehouse,
  { tables, market, state, now = Date.now }: TapOptions = {},
): AsyncGenerator<TapMessage> {
  const sources: ProfileSources[] = [];
  for (const profile of await profilesOf(store, market)) sources.push(await profileSources(store, profile));
  const bookmarks: Record<string, Record<string, string>> = {};
  for (const [stream, sent] of Object.entries(state?.bookmarks ?? {})) bookmarks[stream] = { ...sent };
  for (const table of tapTables(tables, store.layouts)) {
    const { name } = table;
    const sent = bookmarks[name] ??= {};
    const due = sources.flatMap((source) => partitionsOf(table, source))
      .filter((partition) => sent[bookmarkOf(partition)] !== partition.source);
    if (due.length === 0) continue;
    yield {
      type: "SCHEMA",
      stream: name,
      schema: tapSchema(table),
      key_properties: ["profile_id", ...table.key],
      bookmark_properties: [],
    };
    let records = 0;
    for (const partition of due) {
      const { profileId: profile_id, countryCode: country_code } = partition;
      const time_extracted = new Date(now()).toISOString();
      const isKnown = sent[bookmarkOf(partition)] !== undefined;
      for await (const row of isKnown ? goneRows(store, table, partition) : []) {
        yield { type: "RECORD", stream: name, record: { profile_id, country_code, ...row }, time_extracted };
        records++;
      }
      for await (const row of partitionRows(store, table, partition)) {
        const record = { profile_id, country_code, ...row, _sdc_deleted_at: null };
        yield { type: "RECORD", stream: name, record, time_extracted };
        records++;
      }
      sent[bookmarkOf(partition)] = partition.source;
      if (records >= STATE_EVERY) {
        yield { type: "STATE", value: structuredClone({ bookmarks }) };
        records = 0;
      }
    }
    yield { type: "STATE", value: structuredClone({ bookmarks }) };
  }
}

function bookmarkOf({ profileId, month }: LakePartition): string {
  return month === null ? profileId : `${profileId} ${month}`;
}

async function* goneRows(
  store: Warehouse,
  { name, key, day, columns }: LakeTable,
  { profileId, month }: LakePartition,
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  // Versions stay: what is a history itself loses no rows.
  if (key.includes("known_from")) return;
  const keys = key.map(quotedName);
  const isSame = keys.map((each) => `v.${each} = h.${each}`).join(" AND ");
  const during = day === undefined || month === null ? "" : `AND h.${quotedName(day)} BETWEEN ? AND ?`;
  const params: QueryParameter[] = month === null
    ? [profileId]
    : [profileId, `${month}-01`, endOfMonth(`${month}-01`)];
  const { rows } = await store.query(
    `SELECT ${keys.map((each) => `h.${each}`).join(", ")}, max(h.known_to) AS _sdc_deleted_at
     FROM ${quotedName(`${name}_history`)} AS h
     WHERE h.profile_id = ? ${during} AND h.known_to IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM ${quotedName(name)} AS v WHERE v.profile_id = h.profile_id AND ${isSame})
     GROUP BY ${keys.map((each) => `h.${each}`).join(", ")}`,
    params,
    { maxRows: Infinity },
  );
  const empty = Object.fromEntries(columns.map((column) => [column.name, null]));
  for (const row of rows) yield { ...empty, ...row };
}
