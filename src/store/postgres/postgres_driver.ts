import { chunks } from "../../base/json/chunks.ts";
import type { Cell } from "../model/encode_rows.ts";
import type { EntityChanges, EntityPull, StoredEntity } from "../model/entity_pull.ts";
import type { LedgerEntry } from "../model/ledger_entry.ts";
import type { Maturity } from "../model/maturity_share.ts";
import type { ReportLayout } from "../model/report_layout.ts";
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
import { COMMON_COLUMNS } from "../model/dataset_layout.ts";
import type { DatasetRows, StreamTables } from "../model/stream_tables.ts";
import type { WorkflowTables } from "../model/workflow_tables.ts";
import { storedProfiles, writeMaturity } from "../tables/account_tables.ts";
import { entries, openEntry, putEntry } from "../tables/ledger_table.ts";
import { replaceMonths, storedMonths } from "../tables/months_table.ts";
import { storeSql } from "../tables/postgres_sql.ts";
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
import type { StoreSql } from "../tables/store_sql.ts";
import { runQuery } from "./ad_hoc_query.ts";
import { connect, type ConnectionOptions, storeLocation } from "./connection.ts";
import type { Database, Transaction } from "./database.ts";
import { Partitions } from "./partitions.ts";
import { retryWhileUnavailable, storeError } from "./postgres_error.ts";
import { checkReader, readerLogin, readerStatements } from "./reader_role.ts";
import { addReport, layoutsIn, migrate } from "./schema.ts";
import { STREAM_TYPES } from "./stream_schema.ts";
import { writeEntities } from "./write_entities.ts";
import { writeRows } from "./write_rows.ts";

/** Rows per fetch: a batch of twice as many outlives a young garbage collection, which costs memory. */
const AT_ONCE = 250;

export interface PostgresOptions extends ConnectionOptions {
  readonly queryTimeout?: number;
  /** Called after migrating a database of an older release. */
  readonly onNotice?: ((text: string) => void) | undefined;
}

type Guard = (sql: Transaction) => Promise<void>;

interface Parts {
  readonly address: string;
  readonly location: string;
  readonly database: Database;
  readonly queries: Database;
  reader?: Database;
  readonly partitions: Partitions;
  readonly reports: { layouts: readonly ReportLayout[] };
  readonly queryTimeout: number | undefined;
}

export class PostgresDriver implements StoreDriver {
  readonly dialect = "PostgreSQL";
  readonly stream: StreamTables;
  readonly workflows: WorkflowTables;
  readonly #parts: Parts;
  readonly #guard: Guard | undefined;

  private constructor(parts: Parts, guard?: Guard) {
    this.#parts = parts;
    this.#guard = guard;
    this.workflows = new SqlWorkflows({
      write: (work) => this.#write((sql) => work(storeSql(sql))),
      read: (work) => this.#select(work),
    });
    this.stream = new SqlStream({
      // A batch that was stored already brings nothing new: it may be written again when the server comes back.
      write: (work) => this.#write((sql) => work(storeSql(sql)), retryWhileUnavailable),
      read: (work) => this.#select(work),
      insert: insertRecords,
    });
  }

  /**
   * Opens the store at an address `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.
   *
   * @throws {ConfigurationError} for a wrong address, user, password or database.
   * @throws {StoreError} when the server does not respond, or the user may not create tables.
   */
  static async open(address: string, options: PostgresOptions = {}): Promise<PostgresDriver> {
    const location = storeLocation(address);
    const database = connect(address, options);
    const queries = connect(address, { ...options, max: 1 });
    let layouts: readonly ReportLayout[];
    try {
      layouts = await migrate(database, () =>
        options.onNotice?.(
          `The store at ${location} was made by an older release and is upgraded now; older releases can no longer ` +
            "use it. Make backups with pg_dump before upgrades",
        ));
    } catch (error) {
      await Promise.all([database.close(), queries.close()]);
      throw storeError(error, location);
    }
    const partitions = new Partitions(database);
    return new PostgresDriver({
      address,
      location,
      database,
      queries,
      partitions,
      reports: { layouts },
      queryTimeout: options.queryTimeout,
    });
  }

  get location(): string {
    return this.#parts.location;
  }

  get layouts(): readonly ReportLayout[] {
    return this.#parts.reports.layouts;
  }

  /** Compares the reports: all else is asked of the server each time. */
  async isUnchanged(): Promise<boolean> {
    const stored = await layoutsIn(this.#parts.database.sql);
    return stored.map(({ report }) => report).join() === this.layouts.map(({ report }) => report).join();
  }

  async addReport(layout: ReportLayout): Promise<void> {
    const { database, reports } = this.#parts;
    if (reports.layouts.some(({ report }) => report === layout.report)) return;
    await this.#read(() => addReport(database, layout));
    reports.layouts = await layoutsIn(database.sql);
  }

  get database(): Database {
    return this.#parts.database;
  }

  guarded(guard: Guard): PostgresDriver {
    return new PostgresDriver(this.#parts, guard);
  }

  async replace(pull: PullRecord, batches: AsyncIterable<readonly (readonly Cell[])[]>): Promise<number> {
    await this.#read(() => this.#parts.partitions.ensure(pull.layout, pull));
    return await this.#write(async (sql) => {
      const { profileId, layout } = pull;
      await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${profileId} ${layout.report}`}, 0))`;
      const tables = storeSql(sql);
      const before = pull.check === undefined ? [] : await storedDays(tables, pull);
      const known = await knownFrom(tables, pull);
      const written = await writeRows(sql, pull, { batches, known });
      pull.check?.(before);
      return await recordPull(tables, { ...pull, pulledAt: new Date(known).toISOString() }, written);
    });
  }

  async *rows(layout: ReportLayout, filter: RowFilter): AsyncGenerator<Record<string, unknown>> {
    const { text, values } = rowsQuery(layout, filter);
    const { database } = this.#parts;
    const client = await this.#say(() => database.pool.connect());
    const session = database.session(client);
    try {
      await session.text("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
      await storeSql(session).run(`DECLARE stored NO SCROLL CURSOR FOR ${text}`, values);
      const fetch = (): Promise<Record<string, unknown>[]> => {
        const batch = session.text(`FETCH ${AT_ONCE} FROM stored`);
        // A failure is thrown where the batch is awaited, unless its reader has left before.
        batch.catch(() => {});
        return batch;
      };
      // The next batch is on its way while one is read, so that a distant server does not cost a wait for each.
      for (let next = fetch();;) {
        const batch = await next;
        if (batch.length === 0) return;
        next = fetch();
        yield* batch;
      }
    } catch (error) {
      throw storeError(error, this.location);
    } finally {
      await session.text("ROLLBACK").catch(() => {});
      client.release();
    }
  }

  async query(
    sql: string,
    options: DriverQuery,
  ): Promise<QueryResult> {
    const { queries, location, queryTimeout } = this.#parts;
    const database = options.asReader ? await this.#reader() : queries;
    return await runQuery(sql, options, { database, location, timeout: queryTimeout });
  }

  async #reader(): Promise<Database> {
    const { address, database } = this.#parts;
    const login = readerLogin(address);
    await this.#read(() => checkReader(database.sql, login.role));
    return this.#parts.reader ??= connect(login.address, { max: 1 });
  }

  coveredRanges(filter: CoverageFilter = {}): Promise<CoveredRange[]> {
    return this.#select((sql) => selectCoveredRanges(sql, filter));
  }

  pruneHistory(layout: ReportLayout, before: number, dryRun: boolean): Promise<number> {
    return this.#write((sql) => pruneVersions(storeSql(sql), layout, { before, dryRun }));
  }

  replaceEntities(
    pull: EntityPull,
    entities: Iterable<StoredEntity>,
    gone?: readonly string[],
  ): Promise<EntityChanges> {
    return this.#write((sql) => writeEntities(sql, pull, { entities, gone }));
  }

  replaceMaturity(shares: readonly Maturity[], judgedAt: string): Promise<void> {
    return this.#write(async (sql) => {
      // All rows are deleted: two that do it at once would each leave the other's.
      await sql`LOCK TABLE maturity IN EXCLUSIVE MODE`;
      await writeMaturity(storeSql(sql), shares, judgedAt);
    });
  }

  grantReader(): Promise<void> {
    return this.#write(async (sql) => {
      const login = readerLogin(this.#parts.address);
      for (const statement of readerStatements(login)) await sql.text(statement);
      // Functions that a user without the rights of a superuser takes away stay, with no more than a warning.
      await checkReader(sql, login.role);
    });
  }

  replaceMonths(pull: MonthsPull, rows: () => AsyncIterable<StoredMonth>): Promise<number> {
    return this.#write((sql) => replaceMonths(storeSql(sql), pull, rows()));
  }

  storedMonths(profileId: string): Promise<ReadonlyMap<string, string>> {
    return this.#select((sql) => storedMonths(sql, profileId));
  }

  profiles(): Promise<StoredProfile[]> {
    return this.#select(storedProfiles);
  }

  /** Synchronously durable, because report ids must survive a server restart. */
  putLedger(entry: LedgerEntry): Promise<void> {
    return this.#write((sql) => putEntry(storeSql(sql), entry), retryWhileUnavailable);
  }

  openLedger(entry: LedgerEntry): Promise<LedgerEntry> {
    return this.#write((sql) => openEntry(storeSql(sql), entry), retryWhileUnavailable);
  }

  ledger(filter: LedgerFilter = {}): Promise<LedgerEntry[]> {
    return this.#select((sql) => entries(sql, filter));
  }

  async close(): Promise<void> {
    const { database, queries, reader } = this.#parts;
    await Promise.all([database.close(), queries.close(), reader?.close()]);
  }

  async #write<T>(
    work: (sql: Transaction) => Promise<T>,
    run: (transaction: () => Promise<T>) => Promise<T> = (transaction) => transaction(),
  ): Promise<T> {
    const transaction = (): Promise<T> =>
      this.#parts.database.transaction(async (sql) => {
        await this.#guard?.(sql);
        return await work(sql);
      });
    return await this.#say(() => run(transaction));
  }

  /** Retries while the server is unavailable; only for repeatable work. */
  #read<T>(work: () => Promise<T>): Promise<T> {
    return this.#say(() => retryWhileUnavailable(work));
  }

  #select<T>(work: (sql: StoreSql) => Promise<T>): Promise<T> {
    return this.#read(() => work(storeSql(this.#parts.database.sql)));
  }

  async #say<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw storeError(error, this.location);
    }
  }
}

const RECORDS_AT_ONCE = 5000;

export async function insertRecords({ run }: StoreSql, { layout, rows }: DatasetRows): Promise<number> {
  const columns = [
    ...COMMON_COLUMNS.map(([name, type]) => [name, STREAM_TYPES[type]] as const),
    ...layout.columns.map(({ name, type }) => [name, STREAM_TYPES[type]] as const),
    ["extra", "json"] as const,
  ];
  const names = columns.map(([name]) => `"${name}"`).join(", ");
  // Values come as lists: their names need not be sent with every row.
  const values = columns.map(([, type], index) =>
    `CAST(line.cells ->> ${index} AS ${type.replace(/ COLLATE.*/, "")})`
  );
  let stored = 0;
  for (const part of chunks(rows.toSorted(byId), RECORDS_AT_ONCE)) {
    const [row] = await run(
      `WITH fresh AS (
         INSERT INTO ${layout.table} (${names})
         SELECT ${
        values.join(", ")
      } FROM json_array_elements(CAST(? AS json)) WITH ORDINALITY AS line (cells, place)
         ORDER BY place ON CONFLICT (id) DO NOTHING RETURNING 1
       ) SELECT count(*) AS n FROM fresh`,
      [JSON.stringify(part)],
    );
    stored += Number(row?.["n"]);
  }
  return stored;
}

function byId([a]: readonly Cell[], [b]: readonly Cell[]): number {
  return String(a) < String(b) ? -1 : 1;
}
