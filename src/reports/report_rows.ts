import type { ProfileScope } from "../transport/profile_scope.ts";
import { openReportFile } from "./report_file.ts";
import { reportFailure } from "./report_failure.ts";
import { BrokenReportFile, readRows } from "./read_rows.ts";
import type { ReportRow } from "./report_row.ts";
import type { ReportStatus } from "./report_status.ts";

/**
 * The rows of a completed report, in batches, in bounded memory.
 *
 * @throws {ReportFailedError} when the file cannot be had or is not whole; it says how many rows came before.
 */
export async function* reportRows(
  scope: ProfileScope,
  report: ReportStatus,
  options: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<ReportRow[]> {
  const bytes = await openReportFile(scope, report, options);
  if (bytes === undefined) return;
  try {
    yield* readRows(bytes, { clean: (text) => scope.transport.clean(text) });
  } catch (error) {
    options.signal?.throwIfAborted();
    throw error instanceof BrokenReportFile ? brokenFile(report, error) : error;
  }
}

/** The error of a report whose file is not whole. */
export function brokenFile(report: ReportStatus, error: BrokenReportFile): Error {
  return reportFailure(
    report,
    `its file is not whole: ${error.message}. ${error.rows} rows were read before`,
    { cause: error },
  );
}
