import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import { openReportFile } from "./report_file.ts";
import { reportFailure, type ReportStatus } from "./report_status.ts";
import { fileRows } from "../file/file_rows.ts";
import type { BrokenReportFile } from "../file/read_rows.ts";
import type { ReportRow } from "../file/report_row.ts";

/**
 * The rows of a completed report, in batches, in bounded memory.
 *
 * @throws {ReportFailedError} when the file cannot be downloaded or is not whole; it says how many rows came before.
 */
export async function* reportRows(
  scope: ProfileScope,
  report: ReportStatus,
  options: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<ReportRow[]> {
  const { format } = report.configuration ?? {};
  yield* fileRows({
    open: () => openReportFile(scope, report, options),
    broken: (error) => brokenFile(report, error),
    reading: { format, clean: (text) => scope.transport.clean(text) },
    signal: options.signal,
  });
}

/** The error of a report whose file is not whole. */
export function brokenFile(report: ReportStatus, error: BrokenReportFile): Error {
  return reportFailure(
    report,
    `its file is not whole: ${error.message}. ${error.rows} rows were read before. Fetch it again later by ` +
      `reports.download("${report.reportId}")`,
    { cause: error },
  );
}
