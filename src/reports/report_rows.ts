import type { ProfileScope } from "../transport/profile_scope.ts";
import { openReportFile } from "./file/report_file.ts";
import { reportFailure } from "./report_failure.ts";
import { BrokenReportFile, readRows } from "./file/read_rows.ts";
import type { ReportRow } from "./report_row.ts";
import type { ReportStatus } from "./report_status.ts";

/** Times that a file is fetched while it comes damaged. */
const FETCHES = 3;

/**
 * The rows of a completed report, in batches, in bounded memory. A file that comes damaged or cut short is fetched
 * again, and the rows that were handed on before are skipped.
 *
 * @throws {ReportFailedError} when the file cannot be downloaded or is not whole; it says how many rows came before.
 */
export async function* reportRows(
  scope: ProfileScope,
  report: ReportStatus,
  options: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<ReportRow[]> {
  let given = 0;
  for (let fetch = 1;; fetch++) {
    const bytes = await openReportFile(scope, report, options);
    if (bytes === undefined) return;
    let read = 0;
    const { format } = report.configuration ?? {};
    const reading = { format, clean: (text: string): string => scope.transport.clean(text) };
    try {
      for await (const batch of readRows(bytes, reading)) {
        const fresh = batch.slice(Math.max(0, given - read));
        read += batch.length;
        if (fresh.length === 0) continue;
        given += fresh.length;
        yield fresh;
      }
      return;
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof BrokenReportFile)) throw error;
      if (fetch === FETCHES) throw brokenFile(report, error);
    }
  }
}

/** The error of a report whose file is not whole. */
export function brokenFile(report: ReportStatus, error: BrokenReportFile): Error {
  return reportFailure(
    report,
    `its file is not whole: ${error.message}. ${error.rows} rows were read before. Fetch it again later: adsctl ` +
      `report download ${report.reportId}`,
    { cause: error },
  );
}
