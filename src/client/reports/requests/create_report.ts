import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import { createOnce } from "../../jobs/create_once.ts";
import type { PollOptions } from "../../jobs/poller.ts";
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
  const { id: reportId, adopted } = await createOnce(
    {
      // Asking twice cannot build two reports: the response to the second request has the first one's id.
      request: async () =>
        readReportStatus(
          await scope.request("POST", REPORTS_PATH, {
            json: request,
            contentType: "application/vnd.createasyncreportrequest.v3+json",
            accept: "application/vnd.createasyncreportresponse.v3+json",
            idempotent: true,
            signal,
          }),
        ).reportId,
      look: (id) => reportStatus(scope, id, { signal }),
      useOf: (other) => hasFailed(other) ? "failed" : isSame(other, request) ? "taken" : "waited",
      failure: reportFailure,
    },
    scope.transport,
    options,
  );
  return { reportId, adopted };
}

function isSame(other: ReportStatus, request: ReportRequest): boolean {
  const { configuration, startDate, endDate } = other;
  if (configuration === undefined || startDate === undefined || endDate === undefined) return false;
  return reportFingerprint(configuration, { start: startDate, end: endDate }) ===
    reportFingerprint(request.configuration, { start: request.startDate, end: request.endDate });
}
