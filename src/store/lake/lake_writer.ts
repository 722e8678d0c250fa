import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { viewColumn } from "../views/view_columns.ts";
import { withPackages } from "../model/optional_packages.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { fileHash } from "./folder_place.ts";
import { ownerFolders, ownerId } from "./lake_owner.ts";
import type { LakePlace } from "./lake_place.ts";
import type { LakeTable } from "./lake_tables.ts";
import type { LakeFile } from "./manifest.ts";
import { partitionRows } from "./partition_rows.ts";
import type { LakePartition } from "./partitions.ts";

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
export class LakeWriter {
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
