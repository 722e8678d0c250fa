import type { AddJobsJobSpec } from "graphile-worker";
import type { EntitySourceChoice } from "../sync/options/choose_source.ts";
import type { ReportName } from "../../client/reports/requests/named_report.ts";

/** Names in place of a report for jobs that bring something else of a profile up to date. */
const OTHER_PARTS = ["entities", "hours", "months"] as const;

/** A part of a store besides reports. */
export type OtherPart = typeof OTHER_PARTS[number];

/** True for the name of a part, false for that of a report. */
export function isOtherPart(name: string): name is OtherPart {
  return OTHER_PARTS.some((part) => part === name);
}

/** Parts besides reports that are wanted. */
export function wantedParts(wanted: { readonly [Part in OtherPart]?: boolean | undefined }): OtherPart[] {
  return OTHER_PARTS.filter((part) => wanted[part]);
}

/** One report of one profile that is to be brought up to date. */
export interface SyncJob {
  readonly profileId: string;
  readonly countryCode: string;
  /** Name of the preset, for example `sp_placement`; or `entities`, `hours` or `months`. */
  readonly report: ReportName;
  /** Days before the newest stored one that are pulled again. */
  readonly restateDays?: number | undefined;
  /** The reporting API that is asked, where it is not version 3. */
  readonly reporting?: 1 | undefined;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  /** True to take reports with far less than what is stored, and far fewer entities. */
  readonly acceptShrink?: boolean | undefined;
  /** How entities are read; left out for `auto`. */
  readonly entitySource?: EntitySourceChoice | undefined;
  /** When it was put on the queue, ISO 8601: what was pulled since is not pulled again when the job is. */
  readonly enqueuedAt: string;
}

export const SYNC_TASK = "platform_ads_sync";

/** Name in the queue for the application of one plan of a rollout. */
export const PLAN_TASK = "platform_ads_plan";

/** Name in the queue for a search for drift. */
export const DRIFT_TASK = "platform_ads_drift";

/** The tasks of all jobs, for statements: joined by commas. */
export const JOB_TASKS: string = [SYNC_TASK, PLAN_TASK, DRIFT_TASK].join(",");

/** Times a job is tried before it is given up. Attempts that ended with the death of their worker do not count. */
export const MAX_ATTEMPTS = 8;

/** Number of the attempt without those that ended with the death of their worker: each of them raised the maximum. */
export function triesOf(job: { readonly attempts: number; readonly max_attempts: number }): number {
  return job.attempts - (job.max_attempts - MAX_ATTEMPTS);
}

/**
 * A job that asks for the same of the same profile and report is on the queue once. One that asks for other days stands
 * beside it, so that a nightly sync does not take the place of a backfill that waits.
 */
export function jobKey(job: Omit<SyncJob, "countryCode" | "enqueuedAt">): string {
  const { profileId, report, start, end, restateDays, reporting, acceptShrink } = job;
  const days = start === undefined && end === undefined ? [] : [`${start ?? ""}..${end ?? ""}`];
  const restate = restateDays === undefined ? [] : [`restate=${restateDays}`];
  const api = reporting === undefined ? [] : [`reporting=${reporting}`];
  const accept = acceptShrink ? ["accept-shrink"] : [];
  return [SYNC_TASK, profileId, report, ...days, ...restate, ...api, ...accept].join(":");
}

/** How a job is put on the queue. */
export function syncJobSpec(job: SyncJob): AddJobsJobSpec {
  return { identifier: SYNC_TASK, payload: job, jobKey: jobKey(job), maxAttempts: MAX_ATTEMPTS };
}

/** A profile that is searched for changes that are not ours. */
interface DriftJob {
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
