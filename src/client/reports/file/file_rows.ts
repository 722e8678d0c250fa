import { BrokenReportFile, readRows, type ReadRowsOptions } from "./read_rows.ts";
import type { ReportRow } from "./report_row.ts";

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
