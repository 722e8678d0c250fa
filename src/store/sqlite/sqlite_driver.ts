import type { DatabaseSync } from "node:sqlite";
import { ConfigurationError } from "../../errors.ts";
import { eachDay } from "../../internal/calendar.ts";
import type { Cell } from "../encode_rows.ts";
import type { EntityChanges, EntityPull, StoredEntity } from "../entities/entity_pull.ts";
import type { LedgerEntry } from "../ledger_entry.ts";
import type { Maturity } from "../history/maturity_share.ts";
import { type ReportLayout, storedLayouts } from "../report_layout.ts";
import type { StreamTables } from "../stream/stream_tables.ts";
import type {
  CoverageFilter,
  CoveredRange,
  DriverQuery,
  LedgerFilter,
  PullRecord,
  QueryResult,
  RowFilter,
  StoredProfile,
  StoreDriver,
} from "../store_driver.ts";
import { QueryConnection } from "./query_connection.ts";
import { entries, openEntry, putEntry, selectCoveredRanges } from "./tables/ledger_table.ts";
import { keepCopy, openDatabase, openReader, readingAddress } from "./open_database.ts";
import { knownFrom, selectRows, storedDays } from "./tables/report_table.ts";
import { RowWriter } from "./row_writer.ts";
import { addReport, isCurrent, migrate, SCHEMA_VERSION, schemaVersion, typedReports } from "./schema.ts";
import { writeEntities, writeMaturity } from "./tables/entity_table.ts";
import { storeError, Transactions } from "./transactions.ts";
import { SqliteStream } from "./stream/sqlite_stream.ts";
import { changesTable } from "../views/kept_versions.ts";

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
  #layouts: readonly ReportLayout[] = [];
  readonly #address: string | URL;
  readonly #writer: DatabaseSync;
  readonly #transactions: Transactions;
  #reader: DatabaseSync | undefined;
  #queries: QueryConnection | undefined;
  #closed = false;

  private constructor(path: string, address: string | URL, writer: DatabaseSync) {
    this.location = path;
    this.#address = address;
    this.#writer = writer;
    this.#transactions = new Transactions(writer, path);
    this.stream = new SqliteStream({
      write: (work) => this.#write(work),
      read: async (work) => {
        await this.#transactions.idle();
        return work(this.#reading());
      },
    });
  }

  /**
   * Opens the store in a file, which is made when there is none.
   *
   * A file of an older release is copied to `PATH.vN.backup` before its schema is changed.
   *
   * @param options.maxPages Bounds the file, in pages of 8 KiB: what a full disk does can be tried with it.
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
      return driver;
    } catch (error) {
      writer.close();
      throw storeError(error, path);
    }
  }

  /** How the reports that it holds are laid out. */
  get layouts(): readonly ReportLayout[] {
    return this.#layouts;
  }

  /** Adds the table and views of a report that has none. */
  async addReport(layout: ReportLayout): Promise<void> {
    if (this.#layouts.some(({ report }) => report === layout.report)) return;
    await this.#write((database) => addReport(database, layout));
    this.#layouts = await storedLayouts(typedReports(this.#writer));
  }

  /** Replaces the days of a report in one transaction. */
  replace(pull: PullRecord, batches: AsyncIterable<readonly (readonly Cell[])[]>): Promise<number> {
    return this.#write(async (database) => {
      const before = pull.check === undefined ? [] : storedDays(database, pull);
      const known = knownFrom(database, pull);
      const writer = new RowWriter(database, pull, known);
      for await (const batch of batches) for (const cells of batch) writer.add(cells);
      writer.finish();
      pull.check?.(before);
      recordPull(database, { ...pull, pulledAt: new Date(known).toISOString() }, writer);
      return writer.rows;
    });
  }

  /** Rows of a report, oldest day first, as they were when the reading began. */
  async *rows(layout: ReportLayout, filter: RowFilter): AsyncGenerator<Record<string, unknown>> {
    await this.#transactions.idle();
    const snapshot = this.#connect();
    try {
      yield* selectRows(snapshot, layout, filter);
    } finally {
      snapshot.close();
    }
  }

  /** Runs one statement that reads. */
  async query(sql: string, options: DriverQuery): Promise<QueryResult> {
    await this.#transactions.idle();
    this.#queries ??= new QueryConnection(this.#connect());
    return this.#queries.run(sql, options);
  }

  /** Covered days, joined where they follow each other. */
  async coveredRanges(
    filter: CoverageFilter = {},
  ): Promise<CoveredRange[]> {
    await this.#transactions.idle();
    return selectCoveredRanges(this.#reading(), filter);
  }

  /** Deletes versions that ended before a moment. */
  pruneHistory(layout: ReportLayout, before: number, dryRun: boolean): Promise<number> {
    return this.#write((database) => {
      const counts = [`${layout.table}_history`, changesTable(layout)].map((table) => {
        const where = `FROM ${table} WHERE known_to < ?`;
        if (dryRun) return Number(database.prepare(`SELECT count(*) AS n ${where}`).get(before)?.["n"]);
        return Number(database.prepare(`DELETE ${where}`).run(before).changes);
      });
      return counts.reduce((sum, count) => sum + count, 0);
    });
  }

  /** Brings the entities of a kind in a profile to what was read. */
  replaceEntities(
    pull: EntityPull,
    entities: readonly StoredEntity[],
    gone?: readonly string[],
  ): Promise<EntityChanges> {
    return this.#write((database) => writeEntities(database, pull, { entities, gone }));
  }

  /** Replaces what is known of the maturity of reports. */
  replaceMaturity(shares: readonly Maturity[], judgedAt: string): Promise<void> {
    return this.#write((database) => writeMaturity(database, shares, judgedAt));
  }

  /** Profiles of the store. */
  async profiles(): Promise<StoredProfile[]> {
    await this.#transactions.idle();
    const rows = this.#reading().prepare(
      "SELECT profile_id, country_code FROM profiles ORDER BY country_code, profile_id",
    ).all();
    return rows.map((row) => ({
      profileId: String(row["profile_id"]),
      countryCode: String(row["country_code"]),
    }));
  }

  /** Writes an entry of the ledger. */
  putLedger(entry: LedgerEntry): Promise<void> {
    return this.#write((database) => putEntry(database, entry));
  }

  /** Writes a new entry unless an open one asks for the same. */
  openLedger(entry: LedgerEntry): Promise<LedgerEntry> {
    return this.#write((database) => openEntry(database, entry));
  }

  /** Entries of the ledger, newest first. */
  async ledger(filter: LedgerFilter = {}): Promise<LedgerEntry[]> {
    await this.#transactions.idle();
    return entries(this.#reading(), filter);
  }

  /** Closes the file. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#transactions.idle();
    this.#queries?.close();
    this.#reader?.close();
    this.#writer.close();
  }

  async #prepare(onNotice: ((text: string) => void) | undefined): Promise<void> {
    this.#layouts = await storedLayouts(typedReports(this.#writer));
    this.#writer.exec("PRAGMA busy_timeout = 30000; PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 0");
    if (isCurrent(this.#writer, this.#layouts)) return;
    if (typeof this.#address !== "string") {
      throw new ConfigurationError(
        `Cannot open store "${this.location}": an older release made it. Open it once where it can be written`,
      );
    }
    const version = schemaVersion(this.#writer);
    const copy = version > 0 && version < SCHEMA_VERSION
      ? keepCopy(this.#writer, { path: this.location, version })
      : undefined;
    await this.#write((database) => migrate(database, this.#layouts));
    if (copy !== undefined) {
      onNotice?.(
        `Store "${this.location}" was made by an older release and is changed now. A copy is in "${copy}"`,
      );
    }
  }

  #write<T>(work: (database: DatabaseSync) => T | Promise<T>): Promise<T> {
    return this.#transactions.run(() => work(this.#writer));
  }

  #reading(): DatabaseSync {
    return this.#reader ??= this.#connect();
  }

  #connect(): DatabaseSync {
    const database = openReader(this.#address);
    database.exec("PRAGMA cache_size = -32000");
    return database;
  }
}

function recordPull(database: DatabaseSync, pull: PullRecord, inserted: RowWriter): void {
  const { profileId, countryCode, layout, start, end, reportIds, pulledAt, madeAt, reporting, ledgerId } =
    pull;
  database.prepare("INSERT OR REPLACE INTO profiles (profile_id, country_code) VALUES (?, ?)")
    .run(profileId, countryCode);
  const { lastInsertRowid } = database.prepare(
    `INSERT INTO pulls (profile_id, report, start_date, end_date, rows, report_ids, pulled_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  ).run(profileId, layout.report, start, end, inserted.rows, JSON.stringify(reportIds), pulledAt);
  const cover = database.prepare(
    `INSERT INTO days (profile_id, report, date, rows, pull_id, pulled_at, made_at, first_pulled_at, reporting)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?6, ?8)
     ON CONFLICT (profile_id, report, date) DO UPDATE SET rows = excluded.rows, pull_id = excluded.pull_id,
       pulled_at = excluded.pulled_at, made_at = excluded.made_at, reporting = excluded.reporting,
       reporting_since = CASE WHEN days.reporting IS excluded.reporting THEN days.reporting_since
         ELSE excluded.pulled_at END`,
  );
  for (const day of eachDay({ start, end })) {
    cover.run(
      profileId,
      layout.report,
      day,
      inserted.rowsOn(day),
      lastInsertRowid,
      pulledAt,
      madeAt,
      reporting ?? null,
    );
  }
  if (ledgerId !== undefined) {
    database.prepare(
      "UPDATE report_requests SET state = 'stored', changed_at = ?, rows = ?, problem = NULL WHERE id = ?",
    ).run(pulledAt, inserted.rows, ledgerId);
  }
}
