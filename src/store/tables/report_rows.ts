import type { ReportLayout } from "../model/report_layout.ts";
import type { RowFilter } from "../model/store_driver.ts";
import { type SqlValue, where } from "./store_sql.ts";

export interface RowsQuery {
  readonly text: string;
  readonly condition: string;
  readonly values: readonly SqlValue[];
}

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
