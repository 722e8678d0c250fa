import { BrokenReportFile, readRows, type ReadRowsOptions } from "./read_rows.ts";
import type { ReportRow } from "./report_row.ts";

const FETCHES = 3;

interface FileOfRows {
  readonly open: () => Promise<AsyncIterable<Uint8Array> | undefined>;
  readonly broken: (error: BrokenReportFile) => Error;
  readonly reading: ReadRowsOptions;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Yields the rows of a file. If the file is damaged or truncated, it is fetched again and rows already returned are
 * skipped.
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
