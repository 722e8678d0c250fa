import type { CoverageFilter, CoveredRange } from "../../store_driver.ts";
import type { Sql } from "../sql.ts";

/** The covered ranges of all or some reports: days in a row keep their distance to their number. */
export async function selectCoveredRanges(
  sql: Sql,
  { profileId, report, pulledSince }: CoverageFilter,
): Promise<CoveredRange[]> {
  const values: string[] = [];
  const conditions = ["true"];
  if (profileId !== undefined) conditions.push(`profile_id = $${values.push(profileId)}`);
  if (report !== undefined) conditions.push(`report = $${values.push(report)}`);
  if (pulledSince !== undefined) conditions.push(`pulled_at >= $${values.push(pulledSince)}::timestamptz`);
  const rows = await sql.text(
    `
    WITH numbered AS (
      SELECT profile_id, report, date, rows, pulled_at,
        date - row_number() OVER (PARTITION BY profile_id, report ORDER BY date)::integer AS run
      FROM days
      WHERE ${conditions.join(" AND ")}
    )
    SELECT numbered.profile_id, country_code, report, min(date) AS first_day, max(date) AS last_day,
      sum(rows) AS row_count, max(pulled_at) AS last_pull
    FROM numbered JOIN profiles ON profiles.profile_id = numbered.profile_id
    GROUP BY numbered.profile_id, country_code, report, run
    ORDER BY country_code COLLATE "C", numbered.profile_id, report, first_day`,
    values,
  );
  return rows.map((row) => ({
    profileId: String(row["profile_id"]),
    countryCode: String(row["country_code"]),
    report: String(row["report"]),
    start: String(row["first_day"]),
    end: String(row["last_day"]),
    rows: Number(row["row_count"]),
    lastPull: String(row["last_pull"]),
  }));
}
