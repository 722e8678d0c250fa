import type { AddJobsJobSpec } from "graphile-worker";
import type { EntitySourceChoice } from "../sync/choose_source.ts";
import type { ReportName } from "../../client/reports/requests/named_report.ts";

const OTHER_PARTS = ["entities", "hours", "months"] as const;

export type OtherPart = typeof OTHER_PARTS[number];

export function isOtherPart(name: string): name is OtherPart {
  return OTHER_PARTS.some((part) => part === name);
}

export function wantedParts(wanted: { readonly [Part in OtherPart]?: boolean | undefined }): OtherPart[] {
  return OTHER_PARTS.filter((part) => wanted[part]);
}

export interface SyncJob {
  readonly profileId: string;
  readonly countryCode: string;
  readonly report: ReportName;
  readonly restateDays?: number | undefined;
  readonly reporting?: 1 | undefined;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  /** True to accept reports and entity lists that shrank a lot. */
  readonly acceptShrink?: boolean | undefined;
  readonly entitySource?: EntitySourceChoice | undefined;
  /** ISO 8601 time of queueing; pulls made after it are not repeated. */
  readonly enqueuedAt: string;
}

export const SYNC_TASK = "platform_ads_sync";

export const PLAN_TASK = "platform_ads_plan";

export const DRIFT_TASK = "platform_ads_drift";

export const JOB_TASKS: string = [SYNC_TASK, PLAN_TASK, DRIFT_TASK].join(",");

/** Maximum attempts of a job, without those that ended with their worker's death. */
export const MAX_ATTEMPTS = 8;

export function triesOf(job: { readonly attempts: number; readonly max_attempts: number }): number {
  return job.attempts - (job.max_attempts - MAX_ATTEMPTS);
}

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

interface DriftJob {
  readonly profileId: string;
  readonly countryCode: string;
  readonly ignore: readonly string[];
  readonly enqueuedAt: string;
}

export function driftJobSpec(job: DriftJob): AddJobsJobSpec {
  const jobKey = `${DRIFT_TASK}:${job.profileId}:drift`;
  return { identifier: DRIFT_TASK, payload: job, jobKey, maxAttempts: MAX_ATTEMPTS };
}
