import { ApiError } from "../../../errors.ts";
import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import { Poller, type PollOptions } from "../../jobs/poller.ts";
import { reportFingerprint } from "./report_configuration.ts";
import type { ReportRequest } from "./report_requests.ts";
import {
  hasFailed,
  readReportStatus,
  reportFailure,
  REPORTS_PATH,
  type ReportStatus,
  reportStatus,
} from "./report_status.ts";

const DUPLICATE = 425;
/** Times that a request is refused as a duplicate of a failed report before it is given up. */
const MAX_FAILED = 5;

/** A report that is being built. */
export interface CreatedReport {
  /** Id of the report for its status and download. */
  readonly reportId: string;
  /** True if an identical report was already in progress and is used instead. */
  readonly adopted: boolean;
}

/**
 * Asks for a report. The platform refuses to build one twice at the same time and names the other: it is taken when
 * it holds the same over the same days, and waited out when it does not.
 *
 * @throws {ApiError} when the platform refuses, also when it still does after `timeout`; {@linkcode ReportFailedError}
 * when it names a failed report as the other again and again.
 */
export async function createReport(
  scope: ProfileScope,
  request: ReportRequest,
  options: PollOptions = {},
): Promise<CreatedReport> {
  const { signal } = options;
  const patience = new Poller(scope.transport, options);
  for (let failed = 0;;) {
    try {
      // Asking twice cannot build two reports: the response to the second request has the first one's id.
      const response = await scope.request("POST", REPORTS_PATH, {
        json: request,
        contentType: "application/vnd.createasyncreportrequest.v3+json",
        accept: "application/vnd.createasyncreportresponse.v3+json",
        idempotent: true,
        signal,
      });
      const { reportId } = readReportStatus(response);
      return { reportId, adopted: false };
    } catch (error) {
      if (!(error instanceof ApiError) || error.statusCode !== DUPLICATE) throw error;
      const other = await duplicateOf(scope, error, signal);
      if (other !== undefined && !hasFailed(other) && isSame(other, request)) {
        return { reportId: other.reportId, adopted: true };
      }
      if (other !== undefined && hasFailed(other) && ++failed >= MAX_FAILED) {
        throw reportFailure(
          other,
          `it is ${other.status}, and the platform treats a new request as its duplicate. Request it again later`,
        );
      }
      if (!await patience.wait()) throw error;
    }
  }
}

async function duplicateOf(
  scope: ProfileScope,
  refusal: ApiError,
  signal: AbortSignal | undefined,
): Promise<ReportStatus | undefined> {
  const reportId = /duplicate of\s*:?\s*([\w-]+)/i.exec(refusal.body)?.[1];
  if (reportId === undefined) return undefined;
  try {
    return await reportStatus(scope, reportId, { signal });
  } catch (error) {
    if (error instanceof ApiError && error.statusCode < 500) return undefined;
    throw error;
  }
}

function isSame(other: ReportStatus, request: ReportRequest): boolean {
  const { configuration, startDate, endDate } = other;
  if (configuration === undefined || startDate === undefined || endDate === undefined) return false;
  return reportFingerprint(configuration, { start: startDate, end: endDate }) ===
    reportFingerprint(request.configuration, { start: request.startDate, end: request.endDate });
}
