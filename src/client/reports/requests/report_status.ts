import { unexpectedResponse } from "../../../platform/transport/unexpected_response.ts";
import { pathSegment } from "../../../platform/catalog/path_segment.ts";
import { PlatformAdsError, ReportFailedError } from "../../../errors.ts";
import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import type { ReportConfiguration } from "./report_configuration.ts";

export const REPORTS_PATH = "/reporting/reports";

/** State of a report on the platform; a new one may appear. */
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
  /** Id of the report for its status and download. */
  readonly reportId: string;
  /** Its state. */
  readonly status: ReportState;
  /** Name given when it was created; it need not be unique. */
  readonly name?: string;
  /** First day. */
  readonly startDate?: string;
  /** Last day of the file. */
  readonly endDate?: string;
  /** Requested contents. */
  readonly configuration?: ReportConfiguration;
  /**
   * Download address of a completed report; it expires, and each status request gives a new one. Absent if there are no
   * rows.
   */
  readonly url?: string | null;
  /** When the address expires, ISO 8601. */
  readonly urlExpiresAt?: string | null;
  /** Bytes of the file. */
  readonly fileSize?: number | null;
  /** Why it failed. */
  readonly failureReason?: string | null;
  /** When it was requested, ISO 8601. */
  readonly createdAt?: string;
  /** When it last changed, ISO 8601. */
  readonly updatedAt?: string;
  /** When its file was made, ISO 8601. */
  readonly generatedAt?: string | null;
  /** Further fields as the platform gives them. */
  readonly [field: string]: unknown;
}

/** The platform refused a report of fields, or does not know it. */
export class FieldsRefusedError extends PlatformAdsError {
  /** Codes of the platform. */
  readonly codes: readonly string[];

  /** @param codes Codes of the platform. */
  constructor(message: string, codes: readonly string[]) {
    super(message);
    this.codes = codes;
  }

  /** True where the platform does not know the report, or not any more. */
  get isGone(): boolean {
    return this.codes.includes("RESOURCE_ID_NOT_FOUND");
  }
}

/**
 * Asks for the state of a report.
 *
 * @throws {RangeError} when the id cannot be one segment of a path.
 */
export async function reportStatus(
  scope: ProfileScope,
  reportId: string,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<ReportStatus> {
  const path = `${REPORTS_PATH}/${pathSegment("reporting:getAsyncReport", "reportId", reportId)}`;
  const accept = "application/vnd.getasyncreportresponse.v3+json";
  return readReportStatus(await scope.request("GET", path, { accept, signal: options.signal }));
}

/**
 * Reads the platform's response about a report.
 *
 * @throws {UnexpectedResponseError} when it names neither a report nor a state.
 */
export function readReportStatus(response: unknown): ReportStatus {
  const record = response as Partial<ReportStatus> | null | undefined;
  if (typeof record?.reportId !== "string" || typeof record.status !== "string") {
    throw unexpectedResponse(
      response,
      "Cannot read what the platform says about a report: its id or status is missing",
    );
  }
  return record as ReportStatus;
}

/** True for a final state without rows. */
export function hasFailed({ status }: ReportStatus): boolean {
  return status === "FAILED" || status === "FAILURE" || status === "CANCELLED";
}

/** True for the error of a report that will never have rows. */
export function isOver(error: unknown): boolean {
  return error instanceof ReportFailedError && !/^(PENDING|PROCESSING)$/.test(error.status);
}

/** The error of a report that came to no rows. */
export function reportFailure(status: ReportStatus, why: string, options?: ErrorOptions): ReportFailedError {
  const days = status.startDate === undefined ? "" : ` over ${status.startDate} to ${status.endDate}`;
  return new ReportFailedError(
    `Cannot get the rows of report "${status.reportId}"${days}: ${why}`,
    status.reportId,
    status.status,
    options,
  );
}
