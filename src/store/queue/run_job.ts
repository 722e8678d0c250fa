import type { PlatformAds } from "../../client/platform_ads.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { ConfigurationError } from "../../errors.ts";
import { REPORTS_PATH } from "../../reports/report_status.ts";
import type { RequestOptions } from "../../transport/profile_scope.ts";
import { outlast } from "../postgres/outlast.ts";
import type { PostgresDriver } from "../postgres/postgres_driver.ts";
import type { SyncProfile } from "../sync/plan_sync.ts";
import type { SyncProgress } from "../sync/sync_options.ts";
import type { SyncResult } from "../sync/sync_result.ts";
import { Warehouse } from "../warehouse.ts";
import { Lease } from "./lease.ts";
import type { ReportPace } from "./report_pace.ts";
import { jobKey, type SyncJob } from "./sync_job.ts";

/** What running jobs needs. */
export interface JobParts {
  /** The store. */
  readonly driver: PostgresDriver;
  /** The client. */
  readonly ads: PlatformAds;
  /** The pace at which reports are asked for. */
  readonly pace: ReportPace;
  /** Id of this worker as it is listed now. */
  readonly workerId: () => string;
  /** Seconds between two looks at a report. */
  readonly poll?: number | undefined;
}

/** Runs the jobs of one worker. */
export class JobRunner {
  readonly #parts: JobParts;
  readonly #running = new Set<string>();

  /** @param parts What it needs. */
  constructor(parts: JobParts) {
    this.#parts = parts;
  }

  /** How many jobs are running. */
  get running(): number {
    return this.#running.size;
  }

  /**
   * Brings one report of one profile up to date, alone: nobody else does it meanwhile.
   *
   * @returns `undefined` when somebody else is at it.
   * @throws {LeaseLostError} when this worker was taken for dead meanwhile.
   */
  async run(
    job: SyncJob,
    options: { signal: AbortSignal; onProgress: (progress: SyncProgress) => void },
  ): Promise<SyncResult | undefined> {
    const { driver, ads } = this.#parts;
    const key = jobKey(job);
    if (this.#running.has(key)) return undefined;
    this.#running.add(key);
    let lease: Lease | undefined;
    try {
      lease = await Lease.take(driver.database, this.#parts.workerId(), job);
      if (lease === undefined) return undefined;
      const held = lease;
      const store = new Warehouse(driver.guarded((sql) => held.check(sql)));
      const profile = this.#restrained(await profileOf(ads, job.profileId, options.signal), held);
      const { poll } = this.#parts;
      const result = await store.sync(profile, {
        reports: [job.report],
        restateDays: job.restateDays,
        start: job.start,
        end: job.end,
        freshSince: job.enqueuedAt,
        ...(poll === undefined ? {} : { poll, maxPoll: poll * 4 }),
        ...options,
      });
      await outlast(() => held.check());
      return result;
    } finally {
      this.#running.delete(key);
      // A lease that cannot be given back ends with this worker, who may take it again itself.
      await outlast(() => lease?.release() ?? Promise.resolve()).catch(() => {});
    }
  }

  /** The same way to a profile; reports are asked for in turn with all clients of the credential. */
  #restrained(profile: ProfileClient, lease: Lease): SyncProfile {
    const { pace } = this.#parts;
    const { profileId, countryCode, transport } = profile;
    return {
      profileId,
      countryCode,
      transport,
      profile: profile.profile,
      request: (method: string, path: string, options: RequestOptions = {}): Promise<unknown> => {
        if (method !== "POST" || path !== REPORTS_PATH) return profile.request(method, path, options);
        const beforeAttempt = async (): Promise<void> => {
          await pace.turn(options.signal);
          await lease.check();
        };
        return profile.request(method, path, { ...options, beforeAttempt });
      },
    };
  }
}

/** A profile that was made after the client listed them is found by listing them anew. */
async function profileOf(ads: PlatformAds, profileId: string, signal: AbortSignal): Promise<ProfileClient> {
  try {
    return await ads.profile(profileId, { signal });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    await ads.profiles({ refresh: true, signal });
    return await ads.profile(profileId, { signal });
  }
}
