import { ReportFailedError } from "../errors.ts";
import type { ReportStatus } from "./report_status.ts";

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
