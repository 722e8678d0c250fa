import { statSync } from "node:fs";
import { ConfigurationError } from "../../errors.ts";
import type { Cell } from "../model/encode_rows.ts";
import type { EntityChanges, EntityPull, StoredEntity } from "../model/entity_pull.ts";
import type { LedgerEntry } from "../model/ledger_entry.ts";
import type { Maturity } from "../model/maturity_share.ts";
import { type ReportLayout, storedLayouts } from "../model/report_layout.ts";
import type {
  CoverageFilter,
  CoveredRange,
  DriverQuery,
  LedgerFilter,
  MonthsPull,
  PullRecord,
  QueryResult,
  RowFilter,
  StoredMonth,
  StoredProfile,
  StoreDriver,
} from "../model/store_driver.ts";
import { StoreError } from "../model/store_error.ts";
import { streamColumns } from "../model/dataset_layout.ts";
import type { DatasetRows, StreamTables } from "../model/stream_tables.ts";
import type { WorkflowTables } from "../model/workflow_tables.ts";
import { storedProfiles, writeMaturity } from "../tables/account_tables.ts";
import { entries, openEntry, putEntry } from "../tables/ledger_table.ts";
import { replaceMonths, storedMonths } from "../tables/months_table.ts";
import {
  knownFrom,
  pruneVersions,
  recordPull,
  selectCoveredRanges,
  storedDays,
} from "../tables/pulls_table.ts";
import { rowsQuery } from "../tables/report_rows.ts";
import { SqlStream } from "../tables/sql_stream.ts";
import { SqlWorkflows } from "../tables/sql_workflows.ts";
import { sqliteSql, type StoreSql } from "../tables/store_sql.ts";
import { keepCopy, openDatabase, openReader, READ_TIMEOUT, readingAddress } from "./open_database.ts";
import { QueryConnection } from "./query_connection.ts";
import { RowWriter } from "./row_writer.ts";
import { addReport, isCurrent, migrate, SCHEMA_VERSION, schemaVersion, typedReports } from "./schema.ts";
import { storeError, Transactions } from "./transactions.ts";
import { writeEntities } from "./write_entities.ts";
import type { DatabaseSync } from "node:sqlite";

/**
 * The store in one SQLite file. Several processes may use it at once.
 *
 * @example
 * ```ts
 * import { SqliteDriver, Warehouse } from "@platform/ads/store";
 *
 * // What `Warehouse.open("ads.sqlite")` does.
 * async function open(): Promise<Warehouse> {
 *   return new Warehouse(await SqliteDriver.open("ads.sqlite"));
 * }
 * ```
 */
export class SqliteDriver implements StoreDriver {
  /** Path of the file. */
  readonly location: string;
  /** SQL dialect of its queries. */
  readonly dialect = "SQLite";
  /** Tables of the hourly stream. */
  readonly stream: StreamTables;
  /** Tables of clean-room results. */
  readonly workflows: WorkflowTables;
  #layouts: readonly ReportLayout[] = [];
  readonly #address: string | URL;
  readonly #writer: DatabaseSync;
  readonly #transactions: Transactions;
  #queries: QueryConnection | undefined;
  #closed = false;
  /** State of the file when it was opened. */
  #seen = "";

  private constructor(path: string, address: string | URL, writer: DatabaseSync) {
    this.location = path;
    this.#address = address;
    this.#writer = writer;
    this.#transactions = new Transactions(writer, path);
    this.workflows = new SqlWorkflows({
      write: (work) => this.#write(work),
      read: (work) => this.#read(work),
    });
    this.stream = new SqlStream({
      write: (work) => this.#write(work),
      read: (work) => this.#read(work),
      insert: (_sql, records) => Promise.resolve(insertRecords(writer, records)),
    });
  }

  /**
   * Opens the store in a file, which is created if missing. A file of an older release is copied to `PATH.vN.backup`
   * before its schema is changed.
   *
   * @param options.maxPages Maximum size of the file, in pages of 8 KiB; simulates a full disk.
   * @param options.onNotice Gets a sentence about a change of the schema, with the path of the copy.
   * @throws {ConfigurationError} when the path is a folder, a file of another program, or of a newer release.
   */
  static async open(
    path: string,
    { maxPages = 0, onNotice }: { maxPages?: number; onNotice?: ((text: string) => void) | undefined } = {},
  ): Promise<SqliteDriver> {
    const address = readingAddress(path);
    const writer = openDatabase(path, address);
    const driver = new SqliteDriver(path, address, writer);
    try {
      await driver.#prepare(onNotice);
      // SQLite leaves its own bound where it is 0.
      writer.exec(`PRAGMA max_page_count = ${maxPages}`);
      driver.#seen = driver.#state();
      return driver;
    } catch (error) {
      writer.close();
      throw storeError(error, path);
    }
  }

  /** Layouts of its reports. */
  get layouts(): readonly ReportLayout[] {
    return this.#layouts;
  }

  /** Returns whether no other connection has written to the file, and it is still at its path. */
  // deno-lint-ignore require-await -- It rejects where the file cannot be read.
  async isUnchanged(): Promise<boolean> {
    return !this.#closed && this.#seen === this.#state();
  }

  /** Adds the table and views of a report that has none. */
  async addReport(layout: ReportLayout): Promise<void> {
    if (this.#layouts.some(({ report }) => report === layout.report)) return;
    await this.#write(() => addReport(this.#writer, layout));
    this.#layouts = await storedLayouts(typedReports(this.#writer));
  }

  /** Replaces the days of a report in one transaction. */
  replace(pull: PullRecord, batches: AsyncIterable<readonly (readonly Cell[])[]>): Promise<number> {
    return this.#write(async (sql) => {
      const before = pull.check === undefined ? [] : await storedDays(sql, pull);
      const known = await knownFrom(sql, pull);
      const writer = new RowWriter(this.#writer, pull, known);
      for await (const batch of batches) for (const cells of batch) writer.add(cells);
      writer.finish();
      pull.check?.(before);
      return await recordPull(sql, { ...pull, pulledAt: new Date(known).toISOString() }, writer);
    });
  }

  /** Yields the rows of a report as of the start of reading, oldest day first. */
  async *rows(layout: ReportLayout, filter: RowFilter): AsyncGenerator<Record<string, unknown>> {
    await this.#transactions.idle();
    const snapshot = this.#connect();
    try {
      yield* selectRows(snapshot, layout, filter);
    } finally {
      snapshot.close();
    }
  }

  /** Runs one read-only statement. */
  async query(sql: string, options: DriverQuery): Promise<QueryResult> {
    await this.#transactions.idle();
    this.#queries ??= new QueryConnection(this.#connect());
    return this.#queries.run(sql, options);
  }

  /** Returns covered days, with consecutive ones joined. */
  coveredRanges(filter: CoverageFilter = {}): Promise<CoveredRange[]> {
    return this.#read((sql) => selectCoveredRanges(sql, filter));
  }

  /** Deletes versions that ended before a moment. */
  pruneHistory(layout: ReportLayout, before: number, dryRun: boolean): Promise<number> {
    return this.#write((sql) => pruneVersions(sql, layout, { before, dryRun }));
  }

  /** Replaces the entities of a kind in a profile with the pulled ones. */
  replaceEntities(
    pull: EntityPull,
    entities: Iterable<StoredEntity>,
    gone?: readonly string[],
  ): Promise<EntityChanges> {
    return this.#write((sql) => writeEntities({ sql, database: this.#writer }, pull, { entities, gone }));
  }

  /** Replaces the stored maturity of reports. */
  replaceMaturity(shares: readonly Maturity[], judgedAt: string): Promise<void> {
    return this.#write((sql) => writeMaturity(sql, shares, judgedAt));
  }

  /** Replaces months of a profile. */
  replaceMonths(pull: MonthsPull, rows: () => AsyncIterable<StoredMonth>): Promise<number> {
    return this.#write((sql) => replaceMonths(sql, pull, rows()));
  }

  /** Returns the pull time of each stored month of a profile. */
  storedMonths(profileId: string): Promise<ReadonlyMap<string, string>> {
    return this.#read((sql) => storedMonths(sql, profileId));
  }

  /** Profiles of the store. */
  profiles(): Promise<StoredProfile[]> {
    return this.#read(storedProfiles);
  }

  /** Writes an entry of the ledger. */
  putLedger(entry: LedgerEntry): Promise<void> {
    return this.#write((sql) => putEntry(sql, entry));
  }

  /** Writes a new entry, unless there is an open one with the same request. */
  openLedger(entry: LedgerEntry): Promise<LedgerEntry> {
    return this.#write((sql) => openEntry(sql, entry));
  }

  /** Entries of the ledger, newest first. */
  ledger(filter: LedgerFilter = {}): Promise<LedgerEntry[]> {
    return this.#read((sql) => entries(sql, filter));
  }

  /** Closes the file. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#transactions.idle();
    this.#queries?.close();
    this.#writer.close();
  }

  async #prepare(onNotice: ((text: string) => void) | undefined): Promise<void> {
    // Another process may hold a new file for a moment while it begins its log.
    this.#writer.exec("PRAGMA busy_timeout = 30000; PRAGMA journal_mode = WAL");
    this.#layouts = await storedLayouts(typedReports(this.#writer));
    const isReady = isCurrent(this.#writer, this.#layouts);
    this.#writer.exec("PRAGMA busy_timeout = 0");
    if (isReady) return;
    if (typeof this.#address !== "string") {
      throw new ConfigurationError(
        `Cannot open store "${this.location}": an older release made it. Open it once with write access`,
      );
    }
    const version = schemaVersion(this.#writer);
    const copy = version > 0 && version < SCHEMA_VERSION
      ? keepCopy(this.#writer, { path: this.location, version })
      : undefined;
    await this.#write(() => migrate(this.#writer, this.#layouts));
    if (copy !== undefined) {
      onNotice?.(
        `Store "${this.location}" was made by an older release and has been upgraded. A copy is in "${copy}"`,
      );
    }
  }

  #write<T>(work: (sql: StoreSql) => T | Promise<T>): Promise<T> {
    return this.#transactions.run(() => work(sqliteSql(this.#writer)));
  }

  /** Reads on the writing connection, because a new one takes longer to read the schema than most queries. */
  #read<T>(work: (sql: StoreSql) => Promise<T>): Promise<T> {
    return this.#transactions.between(async () => {
      // Another process may be making its log anew, which takes a moment.
      this.#writer.exec(`PRAGMA busy_timeout = ${READ_TIMEOUT}`);
      try {
        return await work(sqliteSql(this.#writer));
      } finally {
        this.#writer.exec("PRAGMA busy_timeout = 0");
      }
    });
  }

  /** Changes when another connection writes, or when another file takes the place of this one. */
  #state(): string {
    const { dev, ino } = statSync(this.location, { throwIfNoEntry: false }) ?? {};
    return `${dev} ${ino} ${this.#writer.prepare("PRAGMA data_version").get()?.["data_version"]}`;
  }

  #connect(): DatabaseSync {
    const database = openReader(this.#address);
    database.exec("PRAGMA cache_size = -32000");
    return database;
  }
}

function insertRecords(database: DatabaseSync, { layout, rows }: DatasetRows): number {
  const names = streamColumns(layout);
  const insert = database.prepare(
    `INSERT INTO ${layout.table} (${names.map((name) => `"${name}"`).join(", ")})
     VALUES (${names.map(() => "?").join(", ")}) ON CONFLICT (id) DO NOTHING`,
  );
  let stored = 0;
  for (const row of rows) stored += Number(insert.run(...row).changes);
  return stored;
}

/**
 * Yields the stored rows that match the filter, oldest day first, all from one database snapshot.
 *
 * @throws {StoreError} after the last row, when fewer rows were read than were stored.
 */
export function* selectRows(
  database: DatabaseSync,
  layout: ReportLayout,
  filter: RowFilter,
): Generator<Record<string, unknown>> {
  const { text, condition, values } = rowsQuery(layout, filter);
  const statement = database.prepare(text);
  const counting = database.prepare(
    `SELECT coalesce(sum(rows.rows), 0) AS n
     FROM days AS rows JOIN profiles ON profiles.profile_id = rows.profile_id
     WHERE ${condition} AND rows.report = ?`,
  );
  database.exec("BEGIN");
  const expected = Number(counting.get(...values, layout.report)!["n"]);
  let read = 0;
  for (const row of statement.iterate(...values)) {
    read++;
    yield row;
  }
  if (read !== expected) {
    throw new StoreError(
      `Cannot read all of ${layout.report}: got ${read} of ${expected} rows. The file is damaged`,
    );
  }
}
