import type { AddJobsJobSpec } from "graphile-worker";
import { DRIFT_TASK, MAX_ATTEMPTS } from "./sync_job.ts";

/** A profile that is searched for changes that are not ours. */
export interface DriftJob {
  readonly profileId: string;
  readonly countryCode: string;
  /** Kinds and fields that do not matter. */
  readonly ignore: readonly string[];
  /** When it was put on the queue, ISO 8601. */
  readonly enqueuedAt: string;
}

/** How a job is put on the queue: once for each profile. */
export function driftJobSpec(job: DriftJob): AddJobsJobSpec {
  const jobKey = `${DRIFT_TASK}:${job.profileId}:drift`;
  return { identifier: DRIFT_TASK, payload: job, jobKey, maxAttempts: MAX_ATTEMPTS };
}
