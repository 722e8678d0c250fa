import type { ReportPresetName } from "../../reports/presets.ts";
import type { CoverageFilter, CoveredRange } from "../store_driver.ts";
import type { Database } from "./connection.ts";

/** The covered ranges of all or some reports: days in a row keep their distance to their number. */
export async function selectCoveredRanges(
  sql: Database,
  { profileId, report, pulledSince }: CoverageFilter,
): Promise<CoveredRange[]> {
  const rows = await sql`
    WITH numbered AS (
      SELECT profile_id, report, date, rows, pulled_at,
        date - row_number() OVER (PARTITION BY profile_id, report ORDER BY date)::integer AS run
      FROM days
      WHERE true ${profileId === undefined ? sql`` : sql`AND profile_id = ${profileId}`}
        ${report === undefined ? sql`` : sql`AND report = ${report}`}
        ${pulledSince === undefined ? sql`` : sql`AND pulled_at >= ${pulledSince}::timestamptz`}
    )
    SELECT numbered.profile_id, country_code, report, min(date) AS first_day, max(date) AS last_day,
      sum(rows) AS row_count, max(pulled_at) AS last_pull
    FROM numbered JOIN profiles ON profiles.profile_id = numbered.profile_id
    GROUP BY numbered.profile_id, country_code, report, run
    ORDER BY country_code COLLATE "C", numbered.profile_id, report, first_day`;
  return rows.map((row) => ({
    profileId: row["profile_id"] as string,
    countryCode: row["country_code"] as string,
    report: row["report"] as ReportPresetName,
    start: row["first_day"] as string,
    end: row["last_day"] as string,
    rows: Number(row["row_count"]),
    lastPull: row["last_pull"] as string,
  }));
}
