import type { ReportRow } from "../../../reports/report_row.ts";

/** Rows whose values without a column of their own are together in one, `extra`, as JSON. */
export async function* foldedRows(
  rows: AsyncIterable<ReportRow>,
  columns: readonly string[],
): AsyncGenerator<ReportRow> {
  const known = new Set(columns);
  for await (const row of rows) {
    const others = Object.entries(row).filter(([name]) => !known.has(name));
    yield others.length === 0 ? row : { ...row, extra: JSON.stringify(Object.fromEntries(others)) };
  }
}
