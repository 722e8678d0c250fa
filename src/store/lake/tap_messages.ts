import { sha256 } from "../../base/text/sha256.ts";
import { quotedName } from "../../base/text/sql_name.ts";
import { endOfMonth } from "../../base/time/calendar.ts";
import { ConfigurationError } from "../../errors.ts";
import type { QueryParameter, StoredProfile } from "../model/store_driver.ts";
import type { StoredRun } from "../model/workflow_tables.ts";
import { viewColumn } from "../views/view_columns.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import {
  type LakeOwner,
  type LakePartition,
  ownerId,
  partitionsOf,
  profilesOf,
  type ProfileSources,
  profileSources,
} from "./partitions.ts";
import type { LakeResult, LakeTable } from "./lake_tables.ts";
import { partitionRows } from "./partition_rows.ts";
import { ownersOf, resultRows } from "./result_tables.ts";
import { tapKey, type TapSchema, tapSchema, tapTables } from "./tap_catalog.ts";

type Row = Readonly<Record<string, unknown>>;

/** Bookmarks of a tap: for each stream and partition, the state of the store that was sent. */
export interface TapState {
  /** Bookmarks by stream, then by profile and month; by stored run for results. */
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
  /** Groups (`days`, `entities`, `changes`, `results`) and names of tables. @default all four groups */
  readonly tables?: readonly string[] | undefined;
  /** Only this country code or profile id, without results of clean rooms and DSP advertisers. @default all that are stored */
  readonly market?: string | undefined;
  /** State at the end of the last run. @default none, which sends everything */
  readonly state?: TapState | undefined;
  /** Current time in milliseconds since the epoch. @default the clock */
  readonly now?: (() => number) | undefined;
}

const STATE_EVERY = 50_000;

/**
 * Messages that update a warehouse to the state of the store: the rows of every month, or window of a result, that
 * changed since the last run, and the keys of removed rows with `_sdc_deleted_at`. An interrupted run continues from its last state.
 *
 * @throws {ConfigurationError} for unknown tables, for sums, because their rows have no key, and for the state of
 * another tap.
 * @throws {StoreError} when nothing is stored of the market.
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
  const chosen = await tapTables(store, tables, market);
  await checkState(store, state);
  const profiles = await profilesOf(store, market);
  const sources: ProfileSources[] = [];
  for (const profile of profiles) sources.push(await profileSources(store, profile));
  const bookmarks: Record<string, Record<string, string>> = {};
  for (const [stream, sent] of Object.entries(state?.bookmarks ?? {})) bookmarks[stream] = { ...sent };
  for (const table of chosen) {
    const { name: stream } = table;
    const sent = bookmarks[stream] ??= {};
    const { result } = table;
    const due = result === undefined
      ? duePartitions(store, table, { sources, sent })
      : await dueRuns(store, { ...table, result }, {
        sent,
        profiles: market === undefined ? undefined : profiles,
        now,
      });
    if (due.length === 0) continue;
    yield {
      type: "SCHEMA",
      stream,
      schema: tapSchema(table),
      key_properties: tapKey(table),
      bookmark_properties: [],
    };
    let records = 0;
    for (const { owner, gone, rows, bookmark: [key, mark] } of due) {
      const time_extracted = new Date(now()).toISOString();
      for await (const row of gone()) {
        yield { type: "RECORD", stream, record: { ...owner, ...row }, time_extracted };
        records++;
      }
      for await (const row of rows()) {
        yield { type: "RECORD", stream, record: { ...owner, ...row, _sdc_deleted_at: null }, time_extracted };
        records++;
      }
      if (mark === undefined) delete sent[key];
      else sent[key] = mark;
      if (records >= STATE_EVERY) {
        yield { type: "STATE", value: structuredClone({ bookmarks }) };
        records = 0;
      }
    }
    yield { type: "STATE", value: structuredClone({ bookmarks }) };
  }
}

/** Throws for a state without a stream of this store: everything would be sent as if it were new. */
async function checkState(store: Warehouse, state: TapState | undefined): Promise<void> {
  const streams = Object.keys(state?.bookmarks ?? {});
  if (streams.length === 0) return;
  const known = new Set((await tapTables(store)).map(({ name }) => name));
  if (streams.some((stream) => known.has(stream))) return;
  throw new ConfigurationError(
    `Cannot use the state: the store has none of its streams (${
      streams.slice(0, 5).join(", ")
    }). Leave it out to send everything`,
  );
}

function duePartitions(
  store: Warehouse,
  table: LakeTable,
  { sources, sent }: { sources: readonly ProfileSources[]; sent: Readonly<Record<string, string>> },
): DuePart[] {
  return sources.flatMap((source) => partitionsOf(table, source)).flatMap((partition): DuePart[] => {
    const { owner, month, source } = partition;
    const key = month === null ? ownerId(owner) : `${ownerId(owner)} ${month}`;
    if (sent[key] === source) return [];
    const isKnown = sent[key] !== undefined;
    return [{
      owner,
      bookmark: [key, source],
      gone: () => isKnown ? goneRows(store, table, partition) : noRows(),
      rows: () => columnRows(partitionRows(store, table, partition)),
    }];
  });
}

async function* columnRows(
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Row> {
  const names = new Map<string, string>();
  for await (const rows of batches) {
    for (const row of rows) {
      const shown: Record<string, unknown> = {};
      for (const [name, value] of Object.entries(row)) {
        let column = names.get(name);
        if (column === undefined) names.set(name, column = viewColumn(name));
        shown[column] = value;
      }
      yield shown;
    }
  }
}

async function* goneRows(
  store: Warehouse,
  { name, key, day, columns }: LakeTable,
  { owner, month }: LakePartition,
): AsyncGenerator<Row> {
  // Versions stay: what is a history itself loses no rows.
  if (key.includes("known_from")) return;
  const keys = key.map(quotedName);
  const isSame = keys.map((each) => `v.${each} = h.${each}`).join(" AND ");
  const during = day === undefined || month === null ? "" : `AND h.${quotedName(day)} BETWEEN ? AND ?`;
  const params: QueryParameter[] = month === null
    ? [ownerId(owner)]
    : [ownerId(owner), `${month}-01`, endOfMonth(`${month}-01`)];
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

/** A part of a stream that changed since the last run. */
interface DuePart {
  readonly owner: LakeOwner;
  /** Key of the bookmark, and its value afterwards; `undefined` removes it. */
  readonly bookmark: readonly [key: string, mark: string | undefined];
  readonly gone: () => AsyncIterable<Row>;
  readonly rows: () => AsyncIterable<Row>;
}

/**
 * Returns the runs of a result that are new or stored anew since the last bookmarks, and those that the view no longer
 * shows, because another version replaced their window.
 */
async function dueRuns(
  store: Warehouse,
  table: LakeTable & { readonly result: LakeResult },
  { sent, profiles, now }: {
    readonly sent: Readonly<Record<string, string>>;
    readonly profiles: readonly StoredProfile[] | undefined;
    readonly now: () => number;
  },
): Promise<DuePart[]> {
  const owners = await ownersOf(store, table.result, profiles);
  return (await store.workflows.allRuns(table.result.workflowId)).flatMap((run): DuePart[] => {
    const owner = owners(run);
    const mark = run.isShown && owner !== undefined ? markOf(run, table, owner) : undefined;
    if (owner === undefined || sent[run.id] === mark) return [];
    const from = run.isShown ? run.rows : 0;
    return [{
      owner,
      bookmark: [run.id, mark],
      gone: () => goneResultRows(table, run.id, { from, to: rowsIn(sent[run.id]), at: now() }),
      rows: () => run.isShown ? resultRows(store, table, run) : noRows(),
    }];
  });
}

/** Time, number of rows, and a digest of what else the rows are made of. */
function markOf({ storedAt, rows }: StoredRun, { columns }: LakeTable, owner: LakeOwner): string {
  return `${storedAt} ${rows} ${sha256(JSON.stringify([owner, columns])).slice(0, 16)}`;
}

function rowsIn(mark: string | undefined): number {
  const count = Number(mark?.split(" ")[1]);
  return Number.isSafeInteger(count) ? count : 0;
}

async function* noRows(): AsyncGenerator<never> {}

/** Yields the keys of rows that were sent and are no longer there. */
async function* goneResultRows(
  { columns }: LakeTable,
  run: string,
  { from, to, at }: { from: number; to: number; at: number },
): AsyncGenerator<Row> {
  const empty = Object.fromEntries(columns.map(({ name }) => [name, null]));
  const deleted = new Date(at).toISOString();
  for (let number = from + 1; number <= to; number++) {
    yield { ...empty, run_id: run, row_number: number, _sdc_deleted_at: deleted };
  }
}
