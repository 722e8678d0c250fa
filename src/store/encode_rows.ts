import { type DayRange, eachDay } from "../internal/calendar.ts";
import type { ReportRow } from "../reports/report_row.ts";
import type { DayTally } from "./day_tally.ts";
import { type Cell, encodeRow } from "./encode_row.ts";
import type { ReportLayout } from "./report_layout.ts";

/** Rows, all at once or as they come, one by one or in batches. */
export type RowSource =
  | Iterable<ReportRow | readonly ReportRow[]>
  | AsyncIterable<ReportRow | readonly ReportRow[]>;

/**
 * Encodes rows as cells, batch by batch, and counts them by day.
 *
 * @throws {RangeError} for a row without a day, or with one outside of the range.
 */
export async function* encodeRows(
  rows: RowSource,
  { layout, range, tally }: { layout: ReportLayout; range: DayRange; tally: DayTally },
): AsyncGenerator<Cell[][]> {
  const days = new Set(eachDay(range));
  for await (const some of rows) {
    const batch: readonly ReportRow[] = isBatch(some) ? some : [some];
    yield batch.map((row) => {
      const { date } = row;
      if (typeof date !== "string" || !days.has(date)) {
        throw new RangeError(
          `Cannot store a row of ${layout.report} dated ${JSON.stringify(date)}: ` +
            `it is not a day within ${range.start} to ${range.end}`,
        );
      }
      const cells = encodeRow(layout, row);
      tally.add(date, cells);
      return cells;
    });
  }
}

function isBatch(some: ReportRow | readonly ReportRow[]): some is readonly ReportRow[] {
  return Array.isArray(some);
}
