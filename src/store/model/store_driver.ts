import type { DayRange } from "../../base/time/calendar.ts";
import type { Cell, DayFigures } from "./encode_rows.ts";
import type { LedgerEntry } from "./ledger_entry.ts";
import type { ReportingApi } from "../../client/reports/requests/report_configuration.ts";
import type { ReportLayout } from "./report_layout.ts";
import type { ReportName } from "../../client/reports/requests/named_report.ts";
import type { EntityChanges, EntityPull, StoredEntity } from "./entity_pull.ts";
import type { Maturity } from "./maturity_share.ts";
import type { StreamTables } from "./stream_tables.ts";
import type { WorkflowTables } from "./workflow_tables.ts";
import type { StoreView } from "./store_view.ts";

/** A pull: the days of a report to replace, and the origin of their rows. */
export interface PullRecord extends StoredProfile, DayRange {
  /** Layout of the rows. */
  readonly layout: ReportLayout;
  /** The platform's ids of the reports. */
  readonly reportIds: readonly string[];
  /** Time of the pull, ISO 8601. */
  readonly pulledAt: string;
  /** When the platform made the report, ISO 8601; `null` if unknown. */
  readonly madeAt: string | null;
  /** The reporting API that the rows are from. @default null, for rows from elsewhere such as a file */
  readonly reporting?: ReportingApi | null | undefined;
  /** Id of the ledger entry that the pull marks as `stored`. */
  readonly ledgerId?: string | undefined;
  /** Called with the previously stored days once all rows are in; throwing rolls back the transaction. */
  readonly check?: ((before: readonly StoredDay[]) => void) | undefined;
}

/** A covered day, with the number of its stored rows and their cost. */
export interface StoredDay extends DayFigures {
  /** Day, `YYYY-MM-DD`. */
  readonly day: string;
  /** When the platform made the report of this day, ISO 8601; `null` if unknown. */
  readonly madeAt: string | null;
}

/** A profile whose reports or entities are stored. */
export interface StoredProfile {
  /** The platform's id of the profile, digits as text. */
  readonly profileId: string;
  /** Country of the profile. */
  readonly countryCode: string;
}

/** Filter for rows; omitted fields match everything. */
export interface RowFilter {
  /** Country, in the platform's spelling. */
  readonly countryCode?: string | undefined;
  /** Only rows of this profile. */
  readonly profileId?: string | undefined;
  /** First day. */
  readonly start?: string | undefined;
  /** Latest day of the rows, included. */
  readonly end?: string | undefined;
}

/** Consecutive days that are completely stored. */
export interface CoveredRange extends StoredProfile, DayRange {
  /** Name of the preset, for example `sp_placement`. */
  readonly report: ReportName;
  /** Number of rows of these days. */
  readonly rows: number;
  /** When the newest of these days was pulled, ISO 8601. */
  readonly lastPull: string;
  /** Number of these days stored from the new reports. @default 0 */
  readonly fromReporting1?: number | undefined;
}

/** Filter for covered days; omitted fields match everything. */
export interface CoverageFilter {
  /** Only days of this profile, or of any of these profiles. */
  readonly profileId?: string | readonly string[] | undefined;
  /** Only days of this report, for example `sp_placement`, or of any of these reports. */
  readonly report?: ReportName | readonly ReportName[] | undefined;
  /** Days whose newest pull was at this time or later, ISO 8601. */
  readonly pulledSince?: string | undefined;
  /** Days that are stored from this reporting API. */
  readonly reporting?: ReportingApi | undefined;
}

/** Filter for ledger entries; omitted fields match everything. */
export interface LedgerFilter {
  /** Only entries of this profile. */
  readonly profileId?: string | undefined;
  /** Only entries of this report, for example `sp_placement`. */
  readonly report?: ReportName | undefined;
  /** True for entries that are not `stored`, false for those that are. */
  readonly unfinished?: boolean | undefined;
  /** Maximum number of entries, newest first. */
  readonly limit?: number | undefined;
}

/** Figures of a campaign in a month; amounts in its currency. */
export interface StoredMonth {
  /** First day of the month, `YYYY-MM-01`. */
  readonly month: string;
  /** Ad product, for example `SPONSORED_PRODUCTS`. */
  readonly adProduct: string;
  /** The platform's id of the campaign. */
  readonly campaignId: string;
  /** ISO 4217 code of its amounts. */
  readonly currency: string;
  /** Times that its ads were shown. */
  readonly impressions: number;
  /** Clicks on its ads. */
  readonly clicks: number;
  /** Cost of the clicks. */
  readonly cost: number;
  /** Purchases attributed to the campaign. */
  readonly orders: number;
  /** Sales attributed to the campaign. */
  readonly sales: number;
}

/** Months of a profile to replace. */
export interface MonthsPull extends StoredProfile {
  /** First days of the months, including those without rows. */
  readonly months: readonly string[];
  /** Time of the pull, milliseconds since the epoch. */
  readonly pulledAt: number;
}

/** A value for a placeholder of a query. */
export type QueryParameter = string | number | bigint | null;

/** Parameters and limits of a query. */
export interface DriverQuery {
  /** Values for the placeholders. */
  readonly params: readonly QueryParameter[];
  /** Maximum number of rows to return; `Infinity` for all. */
  readonly maxRows: number;
  /** Views that replace the store's for this query; each comes after the views that it reads. @default none */
  readonly views?: readonly StoreView[] | undefined;
  /**
   * True to run the query as the role made by `grantReader`, and to fail if there is no such role; ignored by a
   * database without roles.
   */
  readonly asReader?: boolean | undefined;
}

/** Columns and rows that a query found. */
export interface QueryResult {
  /** Names of the columns, in order. */
  readonly columns: readonly string[];
  /** Rows; integers past 2^53 - 1 are text. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** True if there are more rows than `maxRows`. */
  readonly truncated: boolean;
}

/**
 * Operations of a database for the store. Code that is independent of the database (sync plans, report requests, row
 * layout) is elsewhere and shared by all. README.md in `src/store` describes the contract; `tests/store/contract.ts`
 * tests it.
 */
export interface StoreDriver {
  /** Location of the store, without secrets; for messages. */
  readonly location: string;
  /** Layouts of the store's reports: all presets, and the types added to them. */
  readonly layouts: readonly ReportLayout[];
  /** Adds the table and views of a report that has none. */
  addReport(layout: ReportLayout): Promise<void>;
  /** Returns whether its connection still describes the store, or another one has changed it since. */
  isUnchanged(): Promise<boolean>;
  /** SQL dialect of its queries. */
  readonly dialect: "SQLite" | "PostgreSQL";
  /**
   * Replaces the days of a report in one transaction: rows, the covered days with their counts, the record of the
   * pull, the profile's country and the ledger entry change together or not at all, even if the process is killed or a
   * batch cannot be read. Rows with the same key on the same day are all kept.
   *
   * @param batches Cells in the order of the layout's columns, then `extra`.
   * @returns how many rows were stored.
   */
  replace(pull: PullRecord, batches: AsyncIterable<readonly (readonly Cell[])[]>): Promise<number>;
  /**
   * Yields the rows of a report as of the start of reading, oldest day first, then by profile and key: `country_code`,
   * `profile_id`, the layout's columns and `extra`.
   */
  rows(layout: ReportLayout, filter: RowFilter): AsyncIterable<Record<string, unknown>>;
  /**
   * Runs one read-only statement. The database itself refuses everything else.
   *
   * @throws {QueryError} when it is refused or fails.
   */
  query(sql: string, options: DriverQuery): Promise<QueryResult>;
  /** Returns covered days, with consecutive ones joined, by country, profile, report and day. */
  coveredRanges(filter: CoverageFilter): Promise<CoveredRange[]>;
  /**
   * Deletes the versions of a report's rows that ended before a time, in milliseconds since the epoch.
   *
   * @returns their number; `dryRun` only counts them.
   */
  pruneHistory(layout: ReportLayout, before: number, dryRun: boolean): Promise<number>;
  /**
   * Replaces the entities of a kind in a profile with the pulled ones, in one transaction. Unchanged entities are not
   * touched; versions of changed and removed ones are closed and kept in the history.
   *
   * @param gone Ids of removed entities; all other stored ones are kept. Omit it if `entities` is complete.
   */
  replaceEntities(
    pull: EntityPull,
    entities: Iterable<StoredEntity>,
    gone?: readonly string[],
  ): Promise<EntityChanges>;
  /**
   * Replaces the stored maturity of reports.
   *
   * @param judgedAt ISO 8601.
   */
  replaceMaturity(shares: readonly Maturity[], judgedAt: string): Promise<void>;
  /** Tables of the hourly stream. */
  readonly stream: StreamTables;
  /** Tables of clean-room results. */
  readonly workflows: WorkflowTables;
  /**
   * Replaces consecutive months of a profile in one transaction.
   *
   * @returns how many rows were stored.
   */
  replaceMonths(pull: MonthsPull, rows: () => AsyncIterable<StoredMonth>): Promise<number>;
  /** Returns the pull time of each stored month of a profile, ISO 8601, by the first day of the month. */
  storedMonths(profileId: string): Promise<ReadonlyMap<string, string>>;
  /** Creates the role for agents' SQL; absent if the database has no roles. */
  grantReader?(): Promise<void>;
  /** Profiles whose reports are stored. */
  profiles(): Promise<StoredProfile[]>;
  /** Writes a ledger entry, replacing the one with the same id. It is durable when the promise resolves. */
  putLedger(entry: LedgerEntry): Promise<void>;
  /**
   * Writes a new entry, unless the profile has an open entry with the same request.
   *
   * @returns the new or the existing entry.
   */
  openLedger(entry: LedgerEntry): Promise<LedgerEntry>;
  /** Entries of the ledger, newest first. */
  ledger(filter: LedgerFilter): Promise<LedgerEntry[]>;
  /** Closes the database. A second call does nothing. */
  close(): Promise<void>;
}
