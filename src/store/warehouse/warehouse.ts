import { ConfigurationError } from "../../errors.ts";
import { normalizeCountry } from "../../base/markets/markets.ts";
import { checkDay, dayOf } from "../../base/time/calendar.ts";
import { milliseconds } from "../../base/time/moment.ts";
import type { ReportName } from "../../client/reports/requests/named_report.ts";
import type { ReportRow } from "../../client/reports/file/report_row.ts";
import { type Coverage, coverageOf } from "../model/coverage.ts";
import type { RowSource } from "../model/encode_rows.ts";
import type { LedgerEntry } from "../model/ledger_entry.ts";
import { POSTGRES_PACKAGES, withPackages } from "../model/optional_packages.ts";
import { coveredThen } from "./covered_then.ts";
import { judgeMaturity, maturity } from "../views/maturity.ts";
import type { Maturity } from "../model/maturity_share.ts";
import { type Restatement, type RestatementKey, restatements } from "../views/restatements.ts";
import { replaceDays, type Replacement } from "../model/replace_days.ts";
import { layoutNamed, type ReportLayout } from "../model/report_layout.ts";
import type {
  CoverageFilter,
  LedgerFilter,
  QueryParameter,
  QueryResult,
  RowFilter,
  StoredProfile,
  StoreDriver,
} from "../model/store_driver.ts";
import { ENTITY_LAYOUTS, type EntityLayout } from "../tables/entity_layout.ts";
import type { EntityChanges, EntityPull, StoredEntity } from "../model/entity_pull.ts";
import { storedEntity } from "../sync/entity_resource.ts";
import type { EntityFields } from "../../plans/model/change.ts";
import type { ResourceKind } from "../../client/entities/kinds/kinds.ts";
import type { StreamTables } from "../model/stream_tables.ts";
import type { WorkflowTables } from "../model/workflow_tables.ts";
import type { SyncOptions } from "../sync/sync_options.ts";
import type { SyncResult } from "../sync/sync_result.ts";
import type { SyncProfile } from "../sync/sync_profile.ts";
import { syncStore } from "../sync/sync_store.ts";
import { readableQuery } from "./readable_query.ts";
import { type AccountOptions, checkAccounts } from "../sync/check_accounts.ts";
import { storeSchema } from "./store_schema.ts";
import { checkConversion, checkRates } from "../views/check_rates.ts";
import { sqlDialect } from "../tables/sql_dialect.ts";
import { sessionViews } from "../views/store_views.ts";
import { renamedStatement } from "../views/view_columns.ts";
import type { Conversion } from "../model/store_view.ts";

/** A stored row: the platform's values, with the country and profile they belong to. */
export type StoredRow = ReportRow & {
  readonly country_code: string;
  readonly profile_id: string;
  /** Day, `YYYY-MM-DD`. */
  readonly date: string;
};

/** Options of {@linkcode Warehouse.query}. */
export interface QueryOptions {
  /** Maximum number of rows, `Infinity` for all; `truncated` is true if there were more. @default 10000 */
  readonly maxRows?: number;
  /** Shows the views of reports as they were known at this moment, ISO 8601. @default now */
  readonly asOf?: string | undefined;
  /** Converts the amounts of the ready views (`performance` and so on). @default the currency of each profile */
  readonly conversion?: Conversion | undefined;
  /**
   * Runs an agent's statement: in PostgreSQL as the role made by `grantReader`, failing without one.
   *
   * @default false
   */
  readonly asReader?: boolean | undefined;
}

const MAX_ROWS = 10_000;
const ENTITIES_AT_ONCE = 2_000;

const places = new WeakMap<object, string>();

function opened(store: Warehouse, place: string): Warehouse {
  places.set(store, place);
  return store;
}

/** Path or address that a store was opened at, with its secrets, so that more of it can be opened. */
export function placeOf(store: Pick<Warehouse, "location">): string {
  return places.get(store) ?? store.location;
}

/**
 * Report history beyond the platform's retention. A day is covered only after the complete file of a completed report
 * was stored; every pull replaces whole days in one transaction.
 *
 * @example
 * ```ts
 * import { mkdtempSync } from "node:fs";
 * import { tmpdir } from "node:os";
 * import { PlatformAds } from "@platform/ads";
 * import { Emulator } from "@platform/ads/emulator";
 * import { Warehouse } from "@platform/ads/store";
 *
 * const emulator = await Emulator.start(); // a real account: await PlatformAds.fromEnv()
 * const ads = new PlatformAds(emulator.credentials, { platform: emulator.platform });
 * const store = await Warehouse.open(`${mkdtempSync(`${tmpdir()}/ads-`)}/ads.sqlite`);
 * const rows = [{ date: "2026-11-01", campaignId: "9", placementClassification: "Other", clicks: 3, cost: 1.2 }];
 * const { profileId, countryCode } = await ads.profile("US");
 * const day = { report: "sp_placement", start: "2026-11-01", end: "2026-11-01" } as const;
 * await store.replace({ profileId, countryCode, ...day }, rows);
 * const found = await store.query("SELECT date, sum(cost) AS cost FROM sp_placement GROUP BY date");
 * console.log(found.rows);
 * await store.close();
 * await emulator.stop();
 * ```
 */
export class Warehouse {
  readonly #driver: StoreDriver;
  readonly #now: () => number;
  readonly #asOf: string | undefined;

  /**
   * Creates a store from a driver; `open` chooses one by the place.
   *
   * @param options `now` gives milliseconds since the epoch, for the records of pulls; `asOf` limits the store to data
   * known at that time.
   */
  constructor(driver: StoreDriver, options: { now?: () => number; asOf?: string } = {}) {
    this.#driver = driver;
    this.#now = options.now ?? Date.now;
    this.#asOf = options.asOf;
  }

  /**
   * A read-only view of the store with the reports, days and entities known at a time; closed together with this store.
   *
   * @param moment ISO 8601 text.
   */
  asOf(moment: string): Warehouse {
    const past = new Warehouse(this.#driver, { now: () => milliseconds(moment), asOf: moment });
    return opened(past, placeOf(this));
  }

  /**
   * Opens a store; creates a missing file, or missing tables in a database.
   *
   * @param place Path of an SQLite file, or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.
   * @param options `onNotice` gets a sentence when a store of an older release was changed; an SQLite file is copied first.
   * @throws {ConfigurationError} when there is no store and none can be made at the place.
   */
  static async open(
    place: string,
    options: { now?: () => number; onNotice?: (text: string) => void } = {},
  ): Promise<Warehouse> {
    const { onNotice } = options;
    if (place.trim() === "") throw new ConfigurationError("Cannot open a store: its path is empty");
    const scheme = /^([a-z][a-z+]+):\/\//i.exec(place)?.[1]?.toLowerCase();
    if (scheme === "postgres" || scheme === "postgresql") {
      const { PostgresDriver } = await withPackages(
        "a store in PostgreSQL",
        POSTGRES_PACKAGES,
        () => import("../postgres/postgres_driver.ts"),
      );
      return opened(new Warehouse(await PostgresDriver.open(place, { onNotice }), options), place);
    }
    if (scheme !== undefined) {
      throw new ConfigurationError(
        `Cannot open a store by a "${scheme}" address: give the path of an SQLite file or postgres://...`,
      );
    }
    const { SqliteDriver } = await import("../sqlite/sqlite_driver.ts");
    return opened(new Warehouse(await SqliteDriver.open(place, { onNotice }), options), place);
  }

  /** Layouts of the stored reports: all presets, and synced reports of published types. */
  get layouts(): readonly ReportLayout[] {
    return this.#driver.layouts;
  }

  /** Tables of the hourly stream, for `consumeStream` and similar functions. */
  get stream(): StreamTables {
    return this.#driver.stream;
  }

  /** Tables of clean-room results, for `syncWorkflows`. */
  get workflows(): WorkflowTables {
    return this.#driver.workflows;
  }

  /**
   * Returns false when the store must be opened again, because another connection has written to the file or added
   * reports to the database, or because that cannot be read.
   */
  isUnchanged(): Promise<boolean> {
    return this.#driver.isUnchanged().catch(() => false);
  }

  /** Location of the store, without secrets. */
  get location(): string {
    return this.#driver.location;
  }

  /**
   * Updates the store for one or more profiles: fetches missing days, days that the platform may have
   * restated, and reports still pending. A failure of one profile or report does not affect the others; see
   * the result.
   *
   * @throws {ConfigurationError} or `RangeError` for invalid options; nothing is sent then.
   */
  sync(profiles: SyncProfile | readonly SyncProfile[], options: SyncOptions = {}): Promise<SyncResult> {
    const list = Array.isArray(profiles) ? profiles as readonly SyncProfile[] : [profiles as SyncProfile];
    return syncStore({ driver: this.#driver, now: this.#now, profiles: list }, options);
  }

  /**
   * Accepts profiles of the login whose reports are stored.
   *
   * @throws {OtherAccountError} when the profiles do not belong to the store.
   */
  checkAccounts(profiles: readonly SyncProfile[], options: AccountOptions = {}): Promise<void> {
    return checkAccounts(this.#driver, profiles, options);
  }

  /**
   * Replaces every stored row of a report from `start` to `end` in one transaction. Nothing changes if a row is
   * unreadable or outside the range.
   *
   * @returns how many rows were stored.
   * @throws {RangeError} for a row without a day, or with one outside the range.
   */
  replace(what: Replacement, rows: RowSource): Promise<number> {
    return replaceDays(this.#driver, what, rows, { pulledAt: new Date(this.#now()).toISOString() });
  }

  /**
   * Replaces the stored entities of a kind with entities from another source, such as a bulk sheet.
   *
   * @param entities Entities in the form in which the platform lists them.
   */
  replaceEntities(
    what: Pick<EntityPull, "profileId" | "countryCode" | "kind">,
    entities: Iterable<Readonly<Record<string, unknown>>>,
  ): Promise<EntityChanges> {
    const layout = ENTITY_LAYOUTS.find(({ kind }) => kind === what.kind);
    if (layout === undefined) {
      throw new RangeError(`Cannot store entities of "${what.kind}": it is not a kind`);
    }
    const { profileId, kind } = what;
    const pulledAt = new Date(this.#now()).toISOString();
    return this.#driver.replaceEntities(
      { profileId, countryCode: normalizeCountry(what.countryCode), kind, pulledAt, source: "file" },
      storedEntities(layout, entities),
    );
  }

  /**
   * Yields the stored entities of a profile, kind by kind, in bounded memory; always the current ones, even with
   * `asOf`.
   */
  async *eachEntity(
    profileId: string,
  ): AsyncGenerator<{ readonly kind: ResourceKind; readonly entity: EntityFields }> {
    const kinds = await this.query("SELECT DISTINCT kind FROM entities WHERE profile_id = ? ORDER BY kind", [
      profileId,
    ]);
    for (const { kind } of kinds.rows) {
      for (let last = "";;) {
        const { rows } = await this.query(
          "SELECT id, CAST(data AS text) AS data FROM entities WHERE kind = ? AND profile_id = ? AND id > ? " +
            `ORDER BY id LIMIT ${ENTITIES_AT_ONCE}`,
          [String(kind), profileId, last],
        );
        for (const { data } of rows) yield { kind: kind as ResourceKind, entity: JSON.parse(String(data)) };
        if (rows.length < ENTITIES_AT_ONCE) break;
        last = String(rows.at(-1)?.["id"]);
      }
    }
  }

  /** The stored entities of a profile, by kind. */
  async entities(profileId: string): Promise<Map<ResourceKind, EntityFields[]>> {
    const read = "SELECT kind, id, CAST(data AS text) AS data FROM";
    const at = this.#asOf === undefined ? undefined : milliseconds(this.#asOf);
    const { rows } = await this.query(
      at === undefined
        ? `${read} entities WHERE profile_id = ? ORDER BY kind, id`
        : `${read} entities WHERE profile_id = ? AND known_from <= ${at} UNION ALL ${read} entities_history ` +
          `WHERE profile_id = ? AND known_from <= ${at} AND known_to > ${at} ORDER BY kind, id`,
      at === undefined ? [profileId] : [profileId, profileId],
      { maxRows: Infinity },
    );
    const found = new Map<ResourceKind, EntityFields[]>();
    for (const { kind, data } of rows) {
      const list = found.get(String(kind) as ResourceKind) ?? [];
      found.set(String(kind) as ResourceKind, list);
      list.push(JSON.parse(String(data)));
    }
    return found;
  }

  /** Profiles with stored reports or entities. */
  profiles(): Promise<StoredProfile[]> {
    return this.#driver.profiles();
  }

  /**
   * Yields the stored rows of a report, oldest day first, in bounded memory. Columns that the platform left empty are
   * `null`; empty key columns are empty strings.
   *
   * @throws {ConfigurationError} for an unknown report, `RangeError` for what is not a day.
   */
  async *rows(
    report: ReportName,
    filter: RowFilter = {},
  ): AsyncGenerator<StoredRow> {
    for await (const { extra, ...row } of this.storedRows(report, filter)) {
      yield (extra === null ? row : { ...row, ...JSON.parse(String(extra)) }) as StoredRow;
    }
  }

  /**
   * Yields rows like {@linkcode Warehouse.rows}, with fields that have no column as JSON in `extra`.
   *
   * @throws {ConfigurationError} for an unknown report, `RangeError` for what is not a day.
   */
  storedRows(report: ReportName, filter: RowFilter = {}): AsyncIterable<Readonly<Record<string, unknown>>> {
    const layout = layoutNamed(report, this.#driver.layouts);
    const { countryCode, start, end } = filter;
    if (start !== undefined) checkDay(start, "the first day");
    if (end !== undefined) checkDay(end, "the last day");
    const country = countryCode === undefined ? {} : { countryCode: normalizeCountry(countryCode) };
    return this.#driver.rows(layout, { ...filter, ...country });
  }

  /**
   * Runs one read-only SQL statement; the database itself refuses everything else. Each report is a view of its name
   * (`sp_placement`), and so is each kind of entity (`sp_keywords`). `performance`, `search_term_performance` and
   * `budget_pressure` are ready-made views; `storeSchema()` describes all. Views of reports have `country_code`,
   * `profile_id`, `date` and the platform's columns in snake_case (`keyword_id`; the older `keywordId` also works).
   * Columns of the same name are numbered: `x`, `x:1`.
   *
   * PostgreSQL ends a query after a minute. SQLite blocks this thread until the query is done, with no time limit: run
   * untrusted statements in a separate process, which can be killed; they only read.
   *
   * @param params Values for the placeholders.
   * @throws {QueryError} when the statement is refused or fails.
   */
  query(
    statement: string,
    params: readonly QueryParameter[] = [],
    options: QueryOptions = {},
  ): Promise<QueryResult> {
    const { maxRows = MAX_ROWS, asReader } = options;
    if (!(maxRows >= 1)) throw new RangeError(`Cannot return ${maxRows} rows: ask for one at least`);
    const { asOf: at = this.#asOf } = options;
    const asOf = at === undefined ? undefined : milliseconds(at);
    const { conversion } = options;
    if (conversion !== undefined) checkConversion(conversion);
    const { sql, fields } = renamedStatement(statement, this.#driver.layouts);
    const views = sessionViews(sql, {
      layouts: this.#driver.layouts,
      dialect: sqlDialect(this.#driver.dialect),
      session: { asOf, conversion },
    });
    const run = (): Promise<QueryResult> =>
      readableQuery(
        { sql, fields },
        () => this.#driver.query(sql, { params, maxRows, views, ...asReader && { asReader } }),
        () => storeSchema(this.#driver.layouts),
      );
    return conversion === undefined ? run() : checkRates(this.#driver, conversion).then(run);
  }

  /**
   * Returns a message if nothing was known at a time; otherwise `undefined`.
   *
   * @param moment ISO 8601 text.
   */
  async whyUnknownAt(moment: string): Promise<string | undefined> {
    const { rows } = await this.query("SELECT min(coalesce(first_pulled_at, pulled_at)) AS first FROM days");
    const first = rows[0]?.["first"];
    if (first === null || first === undefined) {
      return `Nothing was known at ${moment}: no report was ever stored`;
    }
    const known = new Date(String(first)).toISOString();
    if (milliseconds(moment) >= Date.parse(known)) return undefined;
    return `Nothing was known at ${moment}: the first report was stored at ${known}`;
  }

  /**
   * Lists the stored reports, an entry for each profile and report: first and last day, rows, last pull, gaps, and the
   * days that can still be fetched.
   *
   * @param filter Only these profiles and reports; nothing else is read.
   */
  async coverage(filter: Pick<CoverageFilter, "profileId" | "report"> = {}): Promise<Coverage[]> {
    const ranges = this.#asOf === undefined
      ? await this.#driver.coveredRanges(filter)
      : await coveredThen((sql, params) => this.query(sql, params, { maxRows: Infinity }), filter);
    return coverageOf(ranges, {
      layouts: this.#driver.layouts,
      now: this.#now(),
    });
  }

  /**
   * Sums up the changes of figures since a time, after their day was first stored.
   *
   * @param options `since` is ISO 8601; `by` are the columns to group by, by default report and age.
   */
  restatements(options: { since: string; by?: readonly RestatementKey[] }): Promise<Restatement[]> {
    const since = new Date(milliseconds(options.since)).toISOString();
    return restatements(this.#driver, since, options.by ?? ["report", "age"]);
  }

  /** Share of the final figures known at each age in days, judged from the days that are final by now. */
  maturity(): Promise<Maturity[]> {
    return maturity(this.#driver, dayOf(this.#now()));
  }

  /**
   * Updates the maturity for the view `immature` and the column of `performance`, unless that was done within the last
   * 20 hours. `sync` does this at its end.
   */
  judgeMaturity(): Promise<void> {
    return judgeMaturity(this.#driver, this.#now());
  }

  /**
   * Deletes row versions that were superseded before a time; current rows stay.
   *
   * @param before ISO 8601.
   * @param options `dryRun` counts them and deletes nothing.
   * @returns how many versions of each report.
   */
  async pruneHistory(before: string, options: { dryRun?: boolean } = {}): Promise<Record<string, number>> {
    const moment = milliseconds(before);
    const counts: Record<string, number> = {};
    for (const layout of this.#driver.layouts) {
      const count = await this.#driver.pruneHistory(layout, moment, options.dryRun ?? false);
      if (count > 0) counts[layout.report] = count;
    }
    return counts;
  }

  /**
   * Creates the PostgreSQL role that agents' SQL runs as. It may only log in, read the stored reports, and call
   * functions that do nothing but compute.
   *
   * @throws {ConfigurationError} for a store without roles. Nothing was changed.
   * @throws {StoreError} when the store's user is not a superuser.
   */
  async grantReader(): Promise<void> {
    if (this.#driver.grantReader === undefined) {
      throw new ConfigurationError(
        `Cannot grant a reader in ${this.#driver.location}: ${this.#driver.dialect} has no roles. Its queries run on a ` +
          "read-only connection already",
      );
    }
    await this.#driver.grantReader();
  }

  /** All reports requested by `sync`, newest first. */
  requests(filter: LedgerFilter = {}): Promise<LedgerEntry[]> {
    return this.#driver.ledger(filter);
  }

  /** Closes the store. */
  close(): Promise<void> {
    return this.#driver.close();
  }

  /** Closes the store; for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

function* storedEntities(
  layout: EntityLayout,
  entities: Iterable<Readonly<Record<string, unknown>>>,
): Generator<StoredEntity> {
  for (const entity of entities) {
    const stored = storedEntity(layout, entity);
    if (stored !== undefined) yield stored;
  }
}
