import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import { openReportFile } from "./report_file.ts";
import { reportFailure, type ReportStatus } from "./report_status.ts";
import { BrokenReportFile, readRows, type ReadRowsOptions } from "../file/read_rows.ts";
import type { ReportRow } from "../file/report_row.ts";

/** Times that a file is fetched while it comes damaged. */
const FETCHES = 3;

/** A file of a report, and how its rows are read. */
interface FileOfRows {
  /** Opens it; `undefined` when there is none, because there are no rows. */
  readonly open: () => Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Makes the error of a file that is not whole. */
  readonly broken: (error: BrokenReportFile) => Error;
  readonly reading: ReadRowsOptions;
  readonly signal?: AbortSignal | undefined;
}

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

/**
 * The rows of one file. A file that comes damaged or cut short is fetched again, and the rows that were handed on before
 * are skipped.
 */
export async function* fileRows(file: FileOfRows): AsyncGenerator<ReportRow[]> {
  let given = 0;
  for (let fetch = 1;; fetch++) {
    const bytes = await file.open();
    if (bytes === undefined) return;
    let read = 0;
    try {
      for await (const batch of readRows(bytes, file.reading)) {
        const fresh = batch.slice(Math.max(0, given - read));
        read += batch.length;
        if (fresh.length === 0) continue;
        given += fresh.length;
        yield fresh;
      }
      return;
    } catch (error) {
      file.signal?.throwIfAborted();
      if (!(error instanceof BrokenReportFile)) throw error;
      if (fetch === FETCHES) throw file.broken(error);
    }
  }
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
