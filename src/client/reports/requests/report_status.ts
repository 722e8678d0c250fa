import { ReportFailedError } from "../../../errors.ts";
import type { BrokenReportFile } from "../file/read_rows.ts";
import type { JobProblem } from "../../jobs/job_status.ts";
import type { ReportConfiguration } from "./report_configuration.ts";

export const REPORTS_PATH = "/reporting/reports";

/** State of a report on the platform, which may add new states. */
export type ReportState =
  | "PENDING"
  | "PROCESSING"
  | "COMPLETED"
  | "FAILED"
  | "FAILURE"
  | "CANCELLED"
  | (string & Record<never, never>);

/** Status of a report from the platform. */
export interface ReportStatus {
  /** Id of the report, for status requests and download. */
  readonly reportId: string;
  /** Its state. */
  readonly status: ReportState;
  /** Name that was given when the report was created; it need not be unique. */
  readonly name?: string;
  /** First day. */
  readonly startDate?: string;
  /** Last day of the file. */
  readonly endDate?: string;
  /** Requested contents. */
  readonly configuration?: ReportConfiguration;
  /**
   * Download address of a completed report. It expires, but each status request returns a new one. Absent if there are
   * no rows.
   */
  readonly url?: string | null;
  /** When the address expires, ISO 8601. */
  readonly urlExpiresAt?: string | null;
  /** Size of the file in bytes. */
  readonly fileSize?: number | null;
  /** Why it failed. */
  readonly failureReason?: string | null;
  /** When the report was requested, ISO 8601. */
  readonly createdAt?: string;
  /** When the report last changed, ISO 8601. */
  readonly updatedAt?: string;
  /** When the file was created, ISO 8601. */
  readonly generatedAt?: string | null;
  /** Additional fields, as returned by the platform. */
  readonly [field: string]: unknown;
}

export function isOver(error: unknown): boolean {
  return error instanceof ReportFailedError && !/^(PENDING|PROCESSING)$/.test(error.status);
}

/**
 * Creates the error for a report without rows.
 *
 * @param status Its status. @default the platform's response
 */
export function reportProblem(
  { look, kind, why, options }: JobProblem,
  status: ReportStatus = look.fields as ReportStatus,
): ReportFailedError {
  const next = kind === "late"
    ? `. It may complete yet: reports.download("${status.reportId}") takes it up`
    : kind === "damaged"
    ? `. Fetch it again later by reports.download("${status.reportId}")`
    : "";
  return reportFailure(status, `${why}${next}`, options);
}

export function brokenFile(report: ReportStatus, error: BrokenReportFile): Error {
  return reportFailure(
    report,
    `its file is not whole: ${error.message}. ${error.rows} rows were read before. Fetch it again later by ` +
      `reports.download("${report.reportId}")`,
    { cause: error },
  );
}

export function reportFailure(status: ReportStatus, why: string, options?: ErrorOptions): ReportFailedError {
  const days = status.startDate === undefined ? "" : ` over ${status.startDate} to ${status.endDate}`;
  return new ReportFailedError(
    `Cannot get the rows of report "${status.reportId}"${days}: ${why}`,
    status.reportId,
    status.status,
    options,
  );
}
