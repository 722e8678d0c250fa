import type { ReportLayout } from "../model/report_layout.ts";
import type { RowFilter } from "../model/store_driver.ts";
import { type SqlValue, where } from "./store_sql.ts";

/** A statement with `?` placeholders. */
export interface RowsQuery {
  /** SQL of the rows, oldest day first, then by profile and key. */
  readonly text: string;
  /** Its condition on `profiles` and `rows`. */
  readonly condition: string;
  readonly values: readonly SqlValue[];
}

/** Statement for the filtered rows of a report. */
export function rowsQuery(layout: ReportLayout, filter: RowFilter): RowsQuery {
  const { text: condition, values } = where({
    "profiles.country_code = ?": filter.countryCode,
    "rows.profile_id = ?": filter.profileId,
    "rows.date >= ?": filter.start,
    "rows.date <= ?": filter.end,
  });
  const columns = layout.columns.map(({ name }) => `rows."${name}"`);
  const key = layout.columns.filter((column) => column.key && column.name !== "date");
  const order = ["date", "profile_id", ...key.map(({ name }) => `"${name}"`), "repeat"];
  return {
    text: `SELECT profiles.country_code, rows.profile_id, ${columns.join(", ")}, rows.extra
      FROM ${layout.table} AS rows JOIN profiles ON profiles.profile_id = rows.profile_id
      WHERE ${condition} ORDER BY ${order.map((name) => `rows.${name}`).join(", ")}`,
    condition,
    values,
  };
}
