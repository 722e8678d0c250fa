import type { ReportPresetName } from "../../reports/presets.ts";

/** One report of one profile that is to be brought up to date. */
export interface SyncJob {
  /** Profile. */
  readonly profileId: string;
  /** Country of the profile. */
  readonly countryCode: string;
  /** Report. */
  readonly report: ReportPresetName;
  /** Days before the newest stored one that are pulled again. */
  readonly restateDays?: number | undefined;
  /** First day. */
  readonly start?: string | undefined;
  /** Last day. */
  readonly end?: string | undefined;
  /** When it was put on the queue, ISO 8601: what was pulled since is not pulled again when the job is. */
  readonly enqueuedAt: string;
}

/** What the queue knows of these jobs by. */
export const SYNC_TASK = "platform_ads_sync";

/** Times a job is tried before it is given up. */
export const MAX_ATTEMPTS = 8;

/** The job of a profile and report is on the queue once. */
export function jobKey({ profileId, report }: Pick<SyncJob, "profileId" | "report">): string {
  return `${SYNC_TASK}:${profileId}:${report}`;
}
