import type { DatabaseSync } from "node:sqlite";
import type { ReportLayout } from "../model/report_layout.ts";
import type { RowFilter } from "../model/store_driver.ts";
import { StoreError } from "../model/store_error.ts";
import { rowsQuery } from "../tables/report_rows.ts";

/**
 * Yields the stored rows that match the filter, oldest day first, all from one database snapshot.
 *
 * @throws {StoreError} after the last row, when fewer rows were read than were stored.
 */
export function* selectRows(
  database: DatabaseSync,
  layout: ReportLayout,
  filter: RowFilter,
): Generator<Record<string, unknown>> {
  const { text, condition, values } = rowsQuery(layout, filter);
  const statement = database.prepare(text);
  const counting = database.prepare(
    `SELECT coalesce(sum(rows.rows), 0) AS n
     FROM days AS rows JOIN profiles ON profiles.profile_id = rows.profile_id
     WHERE ${condition} AND rows.report = ?`,
  );
  database.exec("BEGIN");
  const expected = Number(counting.get(...values, layout.report)!["n"]);
  let read = 0;
  for (const row of statement.iterate(...values)) {
    read++;
    yield row;
  }
  if (read !== expected) {
    throw new StoreError(
      `Cannot read all of ${layout.report}: got ${read} of ${expected} rows. The file is damaged`,
    );
  }
}
