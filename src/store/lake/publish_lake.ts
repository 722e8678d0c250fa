import { ConfigurationError } from "../../errors.ts";
import { withPackages } from "../model/optional_packages.ts";
import { StoreError } from "../model/store_error.ts";
import { viewColumn } from "../views/view_columns.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { fileHash } from "./folder_place.ts";
import type { LakePlace } from "./lake_place.ts";
import { type LakeTable, TABLE_GROUPS } from "./lake_tables.ts";
import {
  type LakeFile,
  type LakeManifest,
  type LakeTableFiles,
  MANIFEST,
  partitionKey,
  readManifest,
} from "./manifest.ts";
import { partitionRows } from "./partition_rows.ts";
import {
  type LakePartition,
  ownerFolders,
  ownerId,
  partitionsOf,
  profilesOf,
  type ProfileSources,
  profileSources,
} from "./partitions.ts";
import { chosenTables, resultPartitions } from "./result_tables.ts";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";

export interface DueFile {
  readonly table: LakeTable;
  readonly partition: LakePartition;
}

interface WriterParts {
  readonly work: string;
  readonly signal: AbortSignal | undefined;
  readonly writeParquet: typeof import("./parquet_file.ts").writeParquet;
}

/** Files whose rows are already in the lake are not written again. */
class LakeWriter {
  readonly written = new Map<string, LakeFile>();
  readonly unfit: Record<string, number> = {};

  readonly #store: Warehouse;
  readonly #place: LakePlace;
  readonly #parts: WriterParts;

  private constructor(store: Warehouse, place: LakePlace, parts: WriterParts) {
    this.#store = store;
    this.#place = place;
    this.#parts = parts;
  }

  static async open(
    store: Warehouse,
    place: LakePlace,
    signal: AbortSignal | undefined,
  ): Promise<LakeWriter> {
    const { writeParquet } = await withPackages(
      "a lake of Parquet files",
      "hyparquet-writer",
      () => import("./parquet_file.ts"),
    );
    return new LakeWriter(store, place, { work: await place.workFolder(), signal, writeParquet });
  }

  async write(due: DueFile): Promise<LakeFile> {
    const { table: { name }, partition: { owner, month, source } } = due;
    const key = [name, ownerId(owner), month, source].join(" ");
    const made = this.written.get(key);
    if (made !== undefined) return made;
    const path = join(this.#parts.work, `${crypto.randomUUID()}.parquet`);
    try {
      const file = await this.#put(due, { path, rows: await this.#fill(path, due) });
      this.written.set(key, file);
      return file;
    } finally {
      await rm(path, { force: true });
    }
  }

  async #fill(path: string, { table, partition }: DueFile): Promise<number> {
    const { signal, writeParquet } = this.#parts;
    const batches = partitionRows(this.#store, table, partition);
    let count = 0;
    async function* counted(): AsyncGenerator<readonly Readonly<Record<string, unknown>>[]> {
      for await (const rows of batches) {
        signal?.throwIfAborted();
        count += rows.length;
        yield rows;
      }
    }
    await writeParquet(counted(), {
      path,
      types: new Map(table.columns.map(({ name, type }) => [name, type])),
      extra: false,
      columnOf: viewColumn,
      onUnfit: (column) => {
        const name = `${table.name}.${column}`;
        this.unfit[name] = (this.unfit[name] ?? 0) + 1;
      },
    });
    return count;
  }

  async #put(
    { table, partition: { owner, month, source } }: DueFile,
    { path, rows }: { path: string; rows: number },
  ): Promise<LakeFile> {
    const empty = { ...owner, month, source };
    if (rows === 0) return { ...empty, path: null, rows: 0, bytes: 0, sha256: "" };
    const [sha256, { size: bytes }] = [await fileHash(path), await stat(path)];
    // Named by its content, so that no file is ever written over by another.
    const folders = [table.name, ...ownerFolders(owner)];
    if (month !== null) folders.push(`month=${month}`);
    const file = {
      ...empty,
      path: [...folders, `${sha256.slice(0, 16)}.parquet`].join("/"),
      rows,
      bytes,
      sha256,
    };
    await this.#place.put(file.path, { path, bytes, sha256 });
    return file;
  }
}

/** Options of {@linkcode publishLake}. */
export interface PublishOptions {
  /** Groups (`marts`, `days`, `entities`, `changes`, `results`) and names of tables. @default all groups */
  readonly tables?: readonly string[] | undefined;
  /**
   * Only this country code or profile id, without results of clean rooms and DSP advertisers. A result whose columns
   * have changed is written for all profiles.
   *
   * @default all that are stored
   */
  readonly market?: string | undefined;
  /**
   * First month, for example `2026-09`; earlier ones stay unchanged, except those of a result whose columns have changed.
   *
   * @default all of them
   */
  readonly since?: string | undefined;
  /** True to rewrite every file, including unchanged ones. @default false */
  readonly full?: boolean | undefined;
  /** Called before each file. */
  readonly onProgress?: ((progress: PublishProgress) => void) | undefined;
  /** Stops between two files; the files published before are kept. */
  readonly signal?: AbortSignal | undefined;
  /** Current time in milliseconds since the epoch. @default the clock */
  readonly now?: (() => number) | undefined;
}

/** Progress of a publication. */
export interface PublishProgress {
  /** Table of the next file to write. */
  readonly table: string;
  /** Number of files written so far. */
  readonly done: number;
  /** Number of files to write. */
  readonly total: number;
}

/** Result of a publication. */
export interface PublishResult {
  /** Number of files written. */
  readonly written: number;
  /** Number of files whose rows had not changed. */
  readonly unchanged: number;
  /** Number of rows in the written files. */
  readonly rows: number;
  /** Total size of the written files, in bytes. */
  readonly bytes: number;
  /** Number of values that do not fit their column, by table and column; these are empty in the files. */
  readonly unfit: Readonly<Record<string, number>>;
}

const KEPT = 24 * 3_600_000;
/** Maximum conflicting publications between reading and replacing the manifest. */
const TRIES = 5;

/**
 * Publishes a store to a lake: Parquet files by table, marketplace, profile and month. Writes only files with rows that
 * changed in the store since the last publication. The manifest is replaced last, so its readers always see one
 * complete publication, even if this process is killed; files that it no longer lists are kept for a day.
 *
 * @throws {ConfigurationError} for unknown tables, or a month that has not begun, before anything is written.
 * @throws {StoreError} when the lake cannot be read or written. The last publication stays.
 *
 * @example
 * ```ts
 * import { openLake, publishLake, type Warehouse } from "@platform/ads/store";
 *
 * async function publish(store: Warehouse): Promise<number> {
 *   const { written } = await publishLake(store, await openLake("lake"), { tables: ["marts", "days"] });
 *   return written;
 * }
 * ```
 */
export async function publishLake(
  store: Warehouse,
  place: LakePlace,
  options: PublishOptions = {},
): Promise<PublishResult> {
  checkSince(options);
  const writer = await LakeWriter.open(store, place, options.signal);
  for (let attempt = 1;; attempt++) {
    const before = await readManifest(place);
    // Results may have got other columns since the last try.
    const tables = await chosenTables(store, options.tables ?? TABLE_GROUPS, options.market);
    const { due, fresh } = await changed(store, { tables, options, manifest: before.manifest });
    const files = new Map<string, LakeFile[]>();
    for (const [done, one] of due.entries()) {
      options.signal?.throwIfAborted();
      options.onProgress?.({ table: one.table.name, done, total: due.length });
      const list = files.get(one.table.name) ?? [];
      files.set(one.table.name, list);
      list.push(await writer.write(one));
    }
    const now = (options.now ?? Date.now)();
    const after = withFiles(before.manifest, { tables, files, now });
    const gone = after.retired.filter(({ at }) => now - Date.parse(at) >= KEPT);
    const manifest = { ...after, retired: after.retired.filter((one) => !gone.includes(one)) };
    if (due.length > 0 || before.version === undefined || gone.length > 0) {
      const text = `${JSON.stringify(manifest)}\n`;
      if (!await place.replaceText(MANIFEST, text, before.version)) {
        if (attempt < TRIES) continue;
        throw new StoreError(
          `Cannot publish to ${place.address}: others published ${TRIES} times meanwhile. Try again`,
        );
      }
    }
    await writeLists(place, manifest);
    await place.remove(gone.map(({ path }) => path));
    const all = [...writer.written.values()];
    return {
      written: all.length,
      unchanged: fresh,
      rows: all.reduce((sum, { rows }) => sum + rows, 0),
      bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
      unfit: writer.unfit,
    };
  }
}

function checkSince({ since, now = Date.now }: PublishOptions): void {
  if (since === undefined) return;
  if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(since)) {
    throw new ConfigurationError(`Cannot publish since "${since}": expected a month such as 2026-09`);
  }
  // The first time zone is 14 hours ahead.
  if (since > new Date(now() + 14 * 3_600_000).toISOString().slice(0, 7)) {
    throw new ConfigurationError(`Cannot publish since ${since}: the month has not begun`);
  }
}

async function changed(
  store: Warehouse,
  { tables, options: { market, since, full }, manifest }: {
    tables: readonly LakeTable[];
    options: PublishOptions;
    manifest: LakeManifest;
  },
): Promise<{ due: DueFile[]; fresh: number }> {
  const wanted = await profilesOf(store, market);
  if (wanted.length === 0 && !tables.some(({ result }) => result !== undefined)) {
    throw new StoreError("Cannot publish: nothing is stored. Fetch it with sync()");
  }
  const sources: ProfileSources[] = [];
  for (const profile of wanted) sources.push(await profileSources(store, profile));
  const due: DueFile[] = [];
  let fresh = 0;
  for (const table of tables) {
    const { columns, files = [] } = manifest.tables[table.name] ?? {};
    const known = new Map(files.map((file) => [partitionKey(file), file.source]));
    const { result } = table;
    // All files of a result have the columns of the manifest, so with other columns all are written.
    const isWhole = result !== undefined && columns !== undefined && !haveColumns({ columns }, table);
    const partitions = result === undefined
      ? sources.flatMap((source) => partitionsOf(table, source))
      : await resultPartitions(
        store,
        { ...table, result },
        market === undefined || isWhole ? undefined : wanted,
      );
    for (const partition of partitions) {
      const { month, owner, source } = partition;
      if (!isWhole && since !== undefined && month !== null && month < since) continue;
      const key = partitionKey({ ...owner, month });
      if (full !== true && known.get(key) === source) fresh++;
      else due.push({ table, partition });
    }
  }
  return { due, fresh };
}

async function writeLists(place: LakePlace, { tables }: LakeManifest): Promise<void> {
  for (const [name, { files }] of Object.entries(tables)) {
    const path = `_files/${name}.txt`;
    const text = files.flatMap((file) => file.path === null ? [] : [`${place.address}/${file.path}\n`]).join(
      "",
    );
    if ((await place.readText(path))?.text !== text) await place.writeText(path, text);
  }
}

function withFiles(
  manifest: LakeManifest,
  { tables, files, now }: {
    tables: readonly LakeTable[];
    files: ReadonlyMap<string, readonly LakeFile[]>;
    now: number;
  },
): LakeManifest {
  const at = new Date(now).toISOString();
  const found: Record<string, LakeTableFiles> = { ...manifest.tables };
  const replaced: string[] = [];
  for (const table of tables) {
    const { name, columns } = table;
    const fresh = files.get(name);
    if (fresh === undefined) continue;
    const { files: old = [], schema_version: version = 0, columns: former = [] } = manifest.tables[name] ??
      {};
    const keys = new Set(fresh.map(partitionKey));
    const isSame = haveColumns({ columns: former }, table);
    found[name] = {
      schema_version: isSame ? version : version + 1,
      columns,
      files: [...old.filter((file) => !keys.has(partitionKey(file))), ...fresh].sort(inOrder),
    };
    replaced.push(
      ...old.flatMap((file) => keys.has(partitionKey(file)) && file.path !== null ? [file.path] : []),
    );
  }
  const live = new Set(Object.values(found).flatMap((table) => table.files.map(({ path }) => path)));
  const retired = [...manifest.retired, ...replaced.map((path) => ({ path, at }))];
  return {
    ...manifest,
    published_at: at,
    tables: found,
    retired: retired.filter(({ path }) => !live.has(path)),
  };
}

function haveColumns(
  former: Pick<LakeTableFiles, "columns">,
  { columns }: Pick<LakeTable, "columns">,
): boolean {
  return JSON.stringify(former.columns) === JSON.stringify(columns);
}

function inOrder(one: LakeFile, other: LakeFile): number {
  const [a, b] = [one, other].map((file) => `${file.country_code ?? ""} ${partitionKey(file)}`) as [
    string,
    string,
  ];
  return a < b ? -1 : a > b ? 1 : 0;
}
