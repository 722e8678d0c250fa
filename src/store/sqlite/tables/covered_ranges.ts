import type { DatabaseSync } from "node:sqlite";
import type { ReportName } from "../../../reports/named_report.ts";
import type { CoverageFilter, CoveredRange } from "../../store_driver.ts";

/** Covered days, joined where they follow each other: days in a row keep their distance to their number. */
const RANGES = `
  WITH numbered AS (
    SELECT profile_id, report, date, rows, pulled_at,
      julianday(date) - row_number() OVER (PARTITION BY profile_id, report ORDER BY date) AS run
    FROM days
    WHERE (?1 IS NULL OR profile_id = ?1) AND (?2 IS NULL OR report = ?2) AND (?3 IS NULL OR pulled_at >= ?3)
  )
  SELECT numbered.profile_id, country_code, report, min(date) AS first_day, max(date) AS last_day,
    sum(rows) AS row_count, max(pulled_at) AS last_pull
  FROM numbered JOIN profiles ON profiles.profile_id = numbered.profile_id
  GROUP BY numbered.profile_id, report, run
  ORDER BY country_code, numbered.profile_id, report, first_day`;

/** The covered ranges of all or some reports. */
export function selectCoveredRanges(
  database: DatabaseSync,
  { profileId, report, pulledSince }: CoverageFilter,
): CoveredRange[] {
  const rows = database.prepare(RANGES).all(profileId ?? null, report ?? null, pulledSince ?? null);
  return rows.map((row) => ({
    profileId: String(row["profile_id"]),
    countryCode: String(row["country_code"]),
    report: row["report"] as ReportName,
    start: String(row["first_day"]),
    end: String(row["last_day"]),
    rows: Number(row["row_count"]),
    lastPull: String(row["last_pull"]),
  }));
}
