import { createHash } from "node:crypto";
import { parseCronItem, type WorkerUtils } from "graphile-worker";
import { namedReport } from "../../client/reports/requests/named_report.ts";
import { PostgresDriver } from "../postgres/postgres_driver.ts";
import { storeError } from "../postgres/postgres_error.ts";
import type { EntitySourceChoice } from "../sync/choose_source.ts";
import { type AccountOptions, checkAccounts } from "../sync/check_accounts.ts";
import type { SyncProfile } from "../sync/sync_profile.ts";
import { DEFAULT_REPORTS } from "../sync/sync_options.ts";
import { type QueueStatus, queueStatus, type ScheduleSelection } from "./queue_status.ts";
import { driftJobSpec, SYNC_TASK, type SyncJob, syncJobSpec, wantedParts } from "./sync_job.ts";
import { databaseClock, queueUtils } from "./queue_utils.ts";

/** Options for putting sync jobs on the queue. */
export interface EnqueueOptions {
  /** Profiles that get a job for each report. */
  readonly profiles: readonly { readonly profileId: string; readonly countryCode: string }[];
  /** Reports. @default sp_placement, sp_targeting, sp_search_terms */
  readonly reports?: readonly string[] | undefined;
  /** True to add a job that brings the entities of each profile up to date. @default false */
  readonly entities?: boolean | undefined;
  /** True to add a job that stores the last 14 days of each profile by hour. @default false */
  readonly hours?: boolean | undefined;
  /** True to add a job that stores whole months of each profile. @default false */
  readonly months?: boolean | undefined;
  /** Number of days before the newest stored day to pull again. @default 42 */
  readonly restateDays?: number | undefined;
  /** Reporting API to use, if it is not version 3. */
  readonly reporting?: 1 | undefined;
  /** First day. */
  readonly start?: string | undefined;
  /** Last day that the jobs fetch. */
  readonly end?: string | undefined;
  /** True to accept reports with far less data than is stored, and far fewer entities. @default false */
  readonly acceptShrink?: boolean | undefined;
  /** Method of reading entities. @default "auto" */
  readonly entitySource?: EntitySourceChoice | undefined;
}

/** Scope of a drift check. */
export interface EnqueueDriftOptions {
  /** Profiles that get a job each. */
  readonly profiles: readonly { readonly profileId: string; readonly countryCode: string }[];
  /** Kinds and fields to ignore, for example `sp.product_ads` and `sp.keywords.bid`. @default none */
  readonly ignore?: readonly string[] | undefined;
}

/**
 * The queue in the database of a store: one job for each profile and report, which workers take.
 *
 * @example
 * ```ts
 * import { SyncQueue } from "@platform/ads/worker";
 *
 * async function nightly(profiles: { profileId: string; countryCode: string }[]): Promise<void> {
 *   const queue = await SyncQueue.open("postgres://ads:secret@db.example/ads");
 *   console.log(await queue.enqueue({ profiles, reports: ["sp_placement"] }), "jobs");
 *   const { jobs, troubled } = await queue.status();
 *   console.log(jobs, troubled);
 *   await queue.close();
 * }
 * ```
 */
export class SyncQueue {
  readonly #driver: PostgresDriver;
  readonly #utils: WorkerUtils;

  private constructor(driver: PostgresDriver, utils: WorkerUtils) {
    this.#driver = driver;
    this.#utils = utils;
  }

  /**
   * Opens the queue; creates its tables if they do not exist.
   *
   * @param address `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.
   * @throws {ConfigurationError} or {@linkcode StoreError} when the database cannot be used.
   */
  static async open(address: string): Promise<SyncQueue> {
    const driver = await PostgresDriver.open(address);
    try {
      const utils = await queueUtils(driver.database);
      return new SyncQueue(driver, utils);
    } catch (error) {
      await driver.close();
      throw storeError(error, driver.location);
    }
  }

  /**
   * Makes sure that profiles belong to the store.
   *
   * @throws {OtherAccountError} when they do not.
   */
  checkAccounts(profiles: readonly SyncProfile[], options: AccountOptions = {}): Promise<void> {
    return checkAccounts(this.#driver, profiles, options);
  }

  /**
   * Puts a job on the queue for each profile and report. A waiting job for the same days is replaced, a running one is
   * followed by another, and jobs for other days stay.
   *
   * @returns how many.
   */
  async enqueue(what: EnqueueOptions): Promise<number> {
    const { profiles, reports = DEFAULT_REPORTS, restateDays, reporting, start, end, acceptShrink } = what;
    const enqueuedAt = await this.#now();
    const named = await Promise.all(reports.map(namedReport));
    const names = new Set(named.map(({ report }) => report));
    const jobs = profiles.flatMap(({ profileId, countryCode }): SyncJob[] => {
      const job = { profileId, countryCode, acceptShrink, enqueuedAt };
      const { entitySource } = what;
      return [
        ...Array.from(names, (report) => ({ ...job, report, restateDays, reporting, start, end })),
        ...wantedParts(what).map((report) =>
          report === "entities" ? { ...job, report, entitySource } : { ...job, report, start, end }
        ),
      ];
    });
    try {
      await this.#utils.addJobs(jobs.map(syncJobSpec));
    } catch (error) {
      throw storeError(error, this.#driver.location);
    }
    return jobs.length;
  }

  async #now(): Promise<string> {
    try {
      return new Date((await databaseClock(this.#driver.database.sql))()).toISOString();
    } catch (error) {
      throw storeError(error, this.#driver.location);
    }
  }

  /**
   * Puts a drift check on the queue for each profile: it finds changes since the last check, and who made them.
   *
   * @returns how many.
   */
  async enqueueDrift({ profiles, ignore = [] }: EnqueueDriftOptions): Promise<number> {
    const enqueuedAt = await this.#now();
    const jobs = profiles.map(({ profileId, countryCode }) =>
      driftJobSpec({ profileId, countryCode, ignore, enqueuedAt })
    );
    try {
      await this.#utils.addJobs(jobs);
    } catch (error) {
      throw storeError(error, this.#driver.location);
    }
    return jobs.length;
  }

  /**
   * Puts a selection on the queue on a schedule, as long as a worker is running.
   *
   * @param cron Minute, hour, day, month and weekday, in UTC; `null` ends it.
   * @throws {RangeError} for what is not such a time.
   */
  async schedule(selection: ScheduleSelection, cron: string | null): Promise<void> {
    const id = createHash("sha256").update(JSON.stringify(selection)).digest("hex").slice(0, 12);
    const { sql } = this.#driver.database;
    if (cron === null) {
      await sql`DELETE FROM schedules WHERE id = ${id}`;
      return;
    }
    checkCron(cron);
    await sql`
      INSERT INTO schedules (id, cron, selection)
      VALUES (${id}, ${cron}, ${JSON.stringify(selection)}::json)
      ON CONFLICT (id) DO UPDATE SET cron = excluded.cron, changed_at = now()`;
  }

  /** Status of the queue. */
  async status(): Promise<QueueStatus> {
    try {
      return await queueStatus(this.#driver.database.sql);
    } catch (error) {
      throw storeError(error, this.#driver.location);
    }
  }

  /** Closes the connections. */
  async close(): Promise<void> {
    await this.#utils.release();
    await this.#driver.close();
  }
}

function checkCron(cron: string): void {
  try {
    parseCronItem({ task: SYNC_TASK, match: cron });
  } catch (cause) {
    throw new RangeError(
      `Cannot use "${cron}" as a schedule: it is not minute, hour, day, month and weekday, as in "15 5 * * *"`,
      { cause },
    );
  }
}
