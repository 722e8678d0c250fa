import type { PlatformAds } from "../../client/platform_ads.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { ConfigurationError } from "../../errors.ts";
import { createReport } from "../../client/reports/requests/report_job.ts";
import { REPORTS_PATH } from "../../client/reports/requests/report_status.ts";
import type { RequestOptions } from "../../platform/transport/profile_scope.ts";
import { retryWhileUnavailable } from "../postgres/postgres_error.ts";
import type { PostgresDriver } from "../postgres/postgres_driver.ts";
import type { SyncProfile } from "../sync/sync_profile.ts";
import type { SyncProgress } from "../sync/sync_options.ts";
import type { SyncResult } from "../sync/sync_result.ts";
import { Warehouse } from "../warehouse/warehouse.ts";
import { databaseClock } from "./queue_utils.ts";
import { type Lease, LeasedWork, type LeaseSubject } from "./lease.ts";
import { isOtherPart, type SyncJob } from "./sync_job.ts";

export interface JobParts {
  readonly driver: PostgresDriver;
  readonly ads: PlatformAds;
  readonly workerId: () => string;
  readonly poll?: number | undefined;
}

/** Seconds after which a report that may have been requested is left to the next sync. */
const SETTLED_SECONDS = 3600;

export class JobRunner {
  readonly #parts: JobParts;
  readonly #leases: LeasedWork;

  constructor(parts: JobParts) {
    this.#parts = parts;
    this.#leases = new LeasedWork(parts.driver.database.sql, parts.workerId);
  }

  /**
   * @returns `undefined` when another worker syncs the report.
   * @throws {LeaseLostError} when this worker was declared dead.
   */
  async run(
    job: SyncJob,
    options: {
      signal: AbortSignal;
      onProgress: (progress: SyncProgress) => void;
      onWarning?: (warning: string) => void;
    },
  ): Promise<SyncResult | undefined> {
    const { ads, poll } = this.#parts;
    return await this.#alone(job, async (lease, driver) => {
      const profile = this.#restrained(await profileOf(ads, job.profileId, options.signal), lease);
      const now = await retryWhileUnavailable(() => databaseClock(this.#parts.driver.database.sql));
      const result = await new Warehouse(driver, { now }).sync(profile, {
        ...(isOtherPart(job.report) ? { [job.report]: "only" } : { reports: [job.report] }),
        restateDays: job.restateDays,
        reporting: job.reporting,
        start: job.start,
        end: job.end,
        freshSince: job.enqueuedAt,
        acceptShrink: job.acceptShrink,
        entitySource: job.entitySource,
        // Whoever put the job on the queue was asked.
        addAccount: true,
        ...(poll === undefined ? {} : { poll, maxPoll: poll * 4 }),
        ...options,
      });
      await retryWhileUnavailable(() => lease.check());
      return result;
    });
  }

  /**
   * Repeats a dead worker's report requests and records the ids. While the platform is still building these reports,
   * it returns the same ids.
   */
  async settle(subject: LeaseSubject, options: { signal: AbortSignal }): Promise<void> {
    const { ads } = this.#parts;
    if (isOtherPart(subject.report)) return;
    await this.#alone(subject, async (lease, driver) => {
      const { profileId } = subject;
      const open = await driver.ledger({ profileId, report: subject.report, unfinished: true });
      const recent = new Date(Date.now() - SETTLED_SECONDS * 1000).toISOString();
      // The new reports do not name a report that is being built already: the next job asks anew.
      const asking = open.filter(({ state, askedAt, configuration }) =>
        state === "asking" && askedAt >= recent && configuration.reporting !== 1
      );
      if (asking.length === 0) return;
      const profile = this.#restrained(await profileOf(ads, profileId, options.signal), lease);
      for (const entry of asking) {
        const { report, start, end, configuration } = entry;
        const request = { name: `${report} ${start}..${end}`, startDate: start, endDate: end, configuration };
        const { reportId } = await createReport(profile, request, options);
        const changedAt = new Date().toISOString();
        await driver.putLedger({ ...entry, state: "building", reportId, changedAt });
      }
    });
  }

  #alone<T>(
    subject: LeaseSubject,
    work: (lease: Lease, driver: PostgresDriver) => Promise<T>,
  ): Promise<T | undefined> {
    return this.#leases.alone(
      subject,
      (lease) => work(lease, this.#parts.driver.guarded((sql) => lease.check(sql))),
    );
  }

  #restrained(profile: ProfileClient, lease: Lease): SyncProfile {
    const { profileId, countryCode, transport } = profile;
    return {
      profileId,
      countryCode,
      transport,
      profile: profile.profile,
      request: (method: string, path: string, options: RequestOptions = {}): Promise<unknown> => {
        if (method !== "POST" || path !== REPORTS_PATH) return profile.request(method, path, options);
        return profile.request(method, path, { ...options, beforeAttempt: () => lease.check() });
      },
    };
  }
}

async function profileOf(ads: PlatformAds, profileId: string, signal: AbortSignal): Promise<ProfileClient> {
  try {
    return await ads.profile(profileId, { signal });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    await ads.profiles({ refresh: true, signal });
    return await ads.profile(profileId, { signal });
  }
}
