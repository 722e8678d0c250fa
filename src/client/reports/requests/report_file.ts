import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import { openFile } from "../file/open_file.ts";
import { reportFailure, type ReportStatus, reportStatus } from "./report_status.ts";

/**
 * Opens the file of a completed report; `undefined` when the report came to no rows and so has no file.
 *
 * @throws {ReportFailedError} that names the report when there is no file to be had.
 */
export async function openReportFile(
  scope: ProfileScope,
  report: ReportStatus,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const { signal } = options;
  if (report.status !== "COMPLETED") throw reportFailure(report, `it is ${report.status}, not COMPLETED`);
  const { url } = report;
  if (!url) return undefined;
  let current = report;
  const renew = async (): Promise<string | null | undefined> => {
    current = await reportStatus(scope, report.reportId, { signal });
    return current.url;
  };
  const failure = (why: string, cause?: ErrorOptions): Error => reportFailure(current, why, cause);
  return await openFile({ url, renew, failure }, scope.transport, signal);
}
