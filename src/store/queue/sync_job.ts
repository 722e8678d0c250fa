import type { AddJobsJobSpec } from "graphile-worker";
import type { EntitySourceChoice } from "../sync/options/choose_source.ts";
import type { ReportName } from "../../client/reports/requests/named_report.ts";

/** Names, in place of a report, of jobs for other parts of a store. */
const OTHER_PARTS = ["entities", "hours", "months"] as const;

export type OtherPart = typeof OTHER_PARTS[number];

export function isOtherPart(name: string): name is OtherPart {
  return OTHER_PARTS.some((part) => part === name);
}

export function wantedParts(wanted: { readonly [Part in OtherPart]?: boolean | undefined }): OtherPart[] {
  return OTHER_PARTS.filter((part) => wanted[part]);
}

/** Sync of one report of one profile. */
export interface SyncJob {
  readonly profileId: string;
  readonly countryCode: string;
  /** Preset, for example `sp_placement`, or `entities`, `hours` or `months`. */
  readonly report: ReportName;
  /** Days before the newest stored one to pull again. */
  readonly restateDays?: number | undefined;
  /** Reporting API, if not version 3. */
  readonly reporting?: 1 | undefined;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  /** True to accept reports and entity lists that shrank a lot. */
  readonly acceptShrink?: boolean | undefined;
  /** Source of entities; absent for `auto`. */
  readonly entitySource?: EntitySourceChoice | undefined;
  /** Time of queueing, ISO 8601: later pulls are not repeated. */
  readonly enqueuedAt: string;
}

export const SYNC_TASK = "platform_ads_sync";

/** Task that applies one plan of a rollout. */
export const PLAN_TASK = "platform_ads_plan";

/** Task that searches for drift. */
export const DRIFT_TASK = "platform_ads_drift";

export const JOB_TASKS: string = [SYNC_TASK, PLAN_TASK, DRIFT_TASK].join(",");

/** Maximum attempts of a job, without those that ended with their worker's death. */
export const MAX_ATTEMPTS = 8;

/** Attempts, not counting those ended by a worker's death, which raised the maximum. */
export function triesOf(job: { readonly attempts: number; readonly max_attempts: number }): number {
  return job.attempts - (job.max_attempts - MAX_ATTEMPTS);
}

/**
 * Key of a job: equal requests are queued once; other days have another key, so that a nightly sync does not replace a
 * waiting backfill.
 */
export function jobKey(job: Omit<SyncJob, "countryCode" | "enqueuedAt">): string {
  const { profileId, report, start, end, restateDays, reporting, acceptShrink } = job;
  const days = start === undefined && end === undefined ? [] : [`${start ?? ""}..${end ?? ""}`];
  const restate = restateDays === undefined ? [] : [`restate=${restateDays}`];
  const api = reporting === undefined ? [] : [`reporting=${reporting}`];
  const accept = acceptShrink ? ["accept-shrink"] : [];
  return [SYNC_TASK, profileId, report, ...days, ...restate, ...api, ...accept].join(":");
}

export function syncJobSpec(job: SyncJob): AddJobsJobSpec {
  return { identifier: SYNC_TASK, payload: job, jobKey: jobKey(job), maxAttempts: MAX_ATTEMPTS };
}

/** Drift search of a profile. */
interface DriftJob {
  readonly profileId: string;
  readonly countryCode: string;
  /** Kinds and fields to ignore. */
  readonly ignore: readonly string[];
  /** Time of queueing, ISO 8601. */
  readonly enqueuedAt: string;
}

/** One job per profile. */
export function driftJobSpec(job: DriftJob): AddJobsJobSpec {
  const jobKey = `${DRIFT_TASK}:${job.profileId}:drift`;
  return { identifier: DRIFT_TASK, payload: job, jobKey, maxAttempts: MAX_ATTEMPTS };
}
