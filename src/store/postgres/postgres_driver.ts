import { eachDay } from "../../internal/calendar.ts";
import type { Cell } from "../encode_row.ts";
import type { LedgerEntry } from "../ledger_entry.ts";
import type { ReportLayout } from "../report_layout.ts";
import type {
  CoverageFilter,
  CoveredRange,
  LedgerFilter,
  PullRecord,
  QueryParameter,
  QueryResult,
  RowFilter,
  StoredProfile,
  StoreDriver,
} from "../store_driver.ts";
import { runQuery } from "./ad_hoc_query.ts";
import {
  connect,
  type ConnectionOptions,
  type Database,
  storeLocation,
  type Transaction,
} from "./connection.ts";
import { selectCoveredRanges } from "./covered_ranges.ts";
import { entries, openEntry, putEntry } from "./ledger_table.ts";
import { retryWhileUnavailable } from "./retry_while_unavailable.ts";
import { Partitions } from "./partitions.ts";
import { storeError } from "./postgres_error.ts";
import { clearDays, copyRows, selectRows, storedDays } from "./report_table.ts";
import { migrate } from "./schema.ts";

/** Rows that are fetched at once while a report is read. */
const AT_ONCE = 2000;

/** Options of {@linkcode PostgresDriver.open}. */
export interface PostgresOptions extends ConnectionOptions {
  /** Milliseconds that a query may take. @default 60000 */
  readonly queryTimeout?: number;
}

/** What is made sure at the beginning of every transaction that writes, and holds until its end. */
export type Guard = (sql: Transaction) => Promise<void>;

interface Parts {
  readonly location: string;
  readonly database: Database;
  readonly queries: Database;
  readonly partitions: Partitions;
  readonly queryTimeout: number | undefined;
}

/** The store in a PostgreSQL database. Any number of processes and machines may use it at once. */
export class PostgresDriver implements StoreDriver {
  readonly #parts: Parts;
  readonly #guard: Guard | undefined;

  private constructor(parts: Parts, guard?: Guard) {
    this.#parts = parts;
    this.#guard = guard;
  }

  /**
   * Opens the store in a database; its tables are made when there are none.
   *
   * @param address `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.
   * @throws {ConfigurationError} when the address, the user, the password or the database is wrong.
   * @throws {StoreError} when the server does not answer, or the user may not make the tables.
   */
  static async open(address: string, options: PostgresOptions = {}): Promise<PostgresDriver> {
    const location = storeLocation(address);
    const database = connect(address, options);
    const queries = connect(address, { ...options, max: 1 });
    try {
      await migrate(database);
    } catch (error) {
      await Promise.all([database.end(), queries.end()]);
      throw storeError(error, location);
    }
    const partitions = new Partitions(database);
    return new PostgresDriver({
      location,
      database,
      queries,
      partitions,
      queryTimeout: options.queryTimeout,
    });
  }

  /** Where the store is, without user and password. */
  get location(): string {
    return this.#parts.location;
  }

  /** The connections, for what else lives in the same database. */
  get database(): Database {
    return this.#parts.database;
  }

  /** The same store, on the same connections; nothing is written unless the guard lets it. */
  guarded(guard: Guard): PostgresDriver {
    return new PostgresDriver(this.#parts, guard);
  }

  /** Replaces the days of a report in one transaction. */
  async replace(pull: PullRecord, batches: AsyncIterable<readonly (readonly Cell[])[]>): Promise<number> {
    await this.#say(() => this.#parts.partitions.ensure(pull.layout, pull));
    return await this.#write(async (sql) => {
      const { profileId, layout } = pull;
      await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${profileId} ${layout.report}`}, 0))`;
      const before = pull.check === undefined ? [] : await storedDays(sql, pull);
      await clearDays(sql, pull);
      const perDay = await copyRows(sql, pull, batches);
      pull.check?.(before);
      return await recordPull(sql, pull, perDay);
    });
  }

  /** Rows of a report, oldest day first, as they were when the reading began. */
  async *rows(layout: ReportLayout, filter: RowFilter): AsyncGenerator<Record<string, unknown>> {
    const connection = await this.#say(() => this.#parts.database.reserve());
    const { text, params } = selectRows(layout, filter);
    try {
      await connection.unsafe("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
      for await (const batch of connection.unsafe(text, params).cursor(AT_ONCE)) yield* batch;
    } catch (error) {
      throw storeError(error, this.location);
    } finally {
      await connection.unsafe("ROLLBACK").catch(() => {});
      connection.release();
    }
  }

  /** Runs one statement that reads. */
  query(
    sql: string,
    options: { params: readonly QueryParameter[]; maxRows: number },
  ): Promise<QueryResult> {
    const { queries, location, queryTimeout } = this.#parts;
    return runQuery(sql, options, { database: queries, location, timeout: queryTimeout });
  }

  /** Covered days, joined where they follow each other. */
  coveredRanges(filter: CoverageFilter = {}): Promise<CoveredRange[]> {
    return this.#say(() => selectCoveredRanges(this.#parts.database, filter));
  }

  /** Profiles of the store. */
  profiles(): Promise<StoredProfile[]> {
    return this.#say(async () => {
      const rows = await this.#parts
        .database`SELECT profile_id, country_code FROM profiles ORDER BY country_code COLLATE "C", profile_id`;
      return rows.map((row) => ({
        profileId: row["profile_id"],
        countryCode: row["country_code"],
      }));
    });
  }

  /** Writes an entry of the ledger, also across a restart of the server: the id of a report must not be lost. */
  putLedger(entry: LedgerEntry): Promise<void> {
    return this.#write((sql) => putEntry(sql, entry), retryWhileUnavailable);
  }

  /** Writes a new entry unless an open one asks for the same. */
  openLedger(entry: LedgerEntry): Promise<LedgerEntry> {
    return this.#write((sql) => openEntry(sql, entry), retryWhileUnavailable);
  }

  /** Entries of the ledger, newest first. */
  ledger(filter: LedgerFilter = {}): Promise<LedgerEntry[]> {
    return this.#say(() => entries(this.#parts.database, filter));
  }

  /** Closes the connections. The client waits in vain for a statement whose connection was lost, hence the limit. */
  async close(): Promise<void> {
    await Promise.all([this.#parts.database.end({ timeout: 1 }), this.#parts.queries.end({ timeout: 1 })]);
  }

  async #write<T>(
    work: (sql: Transaction) => Promise<T>,
    run: (transaction: () => Promise<T>) => Promise<T> = (transaction) => transaction(),
  ): Promise<T> {
    const transaction = (): Promise<T> =>
      this.#parts.database.begin(async (sql) => {
        await this.#guard?.(sql);
        return await work(sql);
      }) as Promise<T>;
    return await this.#say(() => run(transaction));
  }

  async #say<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw storeError(error, this.location);
    }
  }
}

async function recordPull(
  sql: Transaction,
  pull: PullRecord,
  perDay: ReadonlyMap<string, number>,
): Promise<number> {
  const { profileId, countryCode, layout: { report }, start, end, reportIds, pulledAt, madeAt, ledgerId } =
    pull;
  const days = [...eachDay({ start, end })].map((date) => ({ date, rows: perDay.get(date) ?? 0 }));
  const rows = days.reduce((sum, day) => sum + day.rows, 0);
  const id = crypto.randomUUID();
  await sql`
    INSERT INTO profiles (profile_id, country_code) VALUES (${profileId}, ${countryCode})
    ON CONFLICT (profile_id) DO UPDATE SET country_code = excluded.country_code`;
  await sql`
    INSERT INTO pulls (profile_id, id, report, start_date, end_date, rows, report_ids, pulled_at)
    VALUES (${profileId}, ${id}, ${report}, ${start}, ${end}, ${rows}, ${
    JSON.stringify(reportIds)
  }, ${pulledAt})`;
  await sql`
    INSERT INTO days (profile_id, report, date, rows, pull_id, pulled_at, made_at)
    SELECT ${profileId}, ${report}, day.date, day.rows, ${id}::uuid, ${pulledAt}::timestamptz, ${madeAt}::timestamptz
    FROM json_to_recordset(${JSON.stringify(days)}::json) AS day (date date, rows bigint)
    ON CONFLICT (profile_id, report, date)
      DO UPDATE SET rows = excluded.rows, pull_id = excluded.pull_id, pulled_at = excluded.pulled_at,
        made_at = excluded.made_at`;
  if (ledgerId !== undefined) {
    await sql`
      UPDATE report_requests SET state = 'stored', changed_at = ${pulledAt}, rows = ${rows}, problem = NULL
      WHERE profile_id = ${profileId} AND id = ${ledgerId}`;
  }
  return rows;
}
