import type { ReportLayout } from "../../report_layout.ts";
import type { PullRecord, RowFilter, StoredDay } from "../../store_driver.ts";
import type { Sql } from "../sql.ts";

/** Stored rows of a pull's covered days. */
export async function storedDays(
  sql: Sql,
  { layout, profileId, start, end }: PullRecord,
): Promise<StoredDay[]> {
  const cost = layout.columns.some(({ name }) => name === "cost") ? "sum(cost)" : "0";
  const rows = await sql.text(
    `SELECT days.date, days.rows, days.made_at, coalesce(costs.cost, 0) AS cost
     FROM days LEFT JOIN (
       SELECT date, ${cost} AS cost FROM ${layout.table}
       WHERE profile_id = $1 AND date BETWEEN $3::date AND $4::date GROUP BY date
     ) AS costs ON costs.date = days.date
     WHERE days.profile_id = $1 AND days.report = $2 AND days.date BETWEEN $3::date AND $4::date`,
    [profileId, layout.report, start, end],
  );
  return rows.map((row) => ({
    day: String(row["date"]),
    rows: Number(row["rows"]),
    cost: Number(row["cost"]),
    madeAt: row["made_at"] === null ? null : String(row["made_at"]),
  }));
}

/** The statement that reads the rows which pass the filter, oldest day first, and its parameters. */
export function selectRows(layout: ReportLayout, filter: RowFilter): { text: string; params: string[] } {
  const conditions: string[] = ["true"];
  const params: string[] = [];
  const narrow = (condition: string, value: string | undefined): void => {
    if (value === undefined) return;
    params.push(value);
    conditions.push(condition.replace("?", `$${params.length}`));
  };
  narrow("profiles.country_code = ?", filter.countryCode);
  narrow("rows.profile_id = ?", filter.profileId);
  narrow("rows.date >= ?::date", filter.start);
  narrow("rows.date <= ?::date", filter.end);
  const columns = layout.columns.map(({ name }) => `rows."${name}"`).join(", ");
  const key = layout.columns.filter((column) => column.key && column.name !== "date")
    .map(({ name }) => `rows."${name}"`).join(", ");
  const text = `
    SELECT profiles.country_code, rows.profile_id, ${columns}, rows.extra
    FROM ${layout.table} AS rows JOIN profiles ON profiles.profile_id = rows.profile_id
    WHERE ${conditions.join(" AND ")}
    ORDER BY rows.date, rows.profile_id, ${key}, rows.repeat`;
  return { text, params };
}
