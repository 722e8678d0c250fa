import { addDays } from "../../base/time/calendar.ts";
import { oneOf } from "../tables/store_sql.ts";
import type { ReportName } from "../../client/reports/requests/named_report.ts";
import type { CoverageFilter, CoveredRange, QueryResult } from "../model/store_driver.ts";

/**
 * Ranges of days that were stored at a given time.
 *
 * @param query Asks the store as it was known then.
 */
export async function coveredThen(
  query: (sql: string, params: readonly string[]) => Promise<QueryResult>,
  { profileId, report }: Pick<CoverageFilter, "profileId" | "report"> = {},
): Promise<CoveredRange[]> {
  const [profiles, reports] = [oneOf("d.profile_id", profileId), oneOf("d.report", report)];
  const { rows } = await query(
    `SELECT d.profile_id, p.country_code, d.report, d.date, d.rows, d.pulled_at, d.reporting FROM days AS d
      JOIN profiles AS p ON p.profile_id = d.profile_id WHERE ${profiles.text} AND ${reports.text}
      ORDER BY p.country_code, d.profile_id, d.report, d.date`,
    [...profiles.values, ...reports.values],
  );
  const ranges: (CoveredRange & { readonly fromReporting1: number })[] = [];
  for (const row of rows) {
    const day = String(row["date"]).slice(0, 10);
    const one = {
      profileId: String(row["profile_id"]),
      countryCode: String(row["country_code"]),
      report: row["report"] as ReportName,
      rows: Number(row["rows"]),
      lastPull: String(row["pulled_at"]),
      fromReporting1: Number(row["reporting"]) === 1 ? 1 : 0,
    };
    const last = ranges.at(-1);
    if (last?.profileId === one.profileId && last.report === one.report && addDays(last.end, 1) === day) {
      const lastPull = last.lastPull > one.lastPull ? last.lastPull : one.lastPull;
      const fromReporting1 = last.fromReporting1 + one.fromReporting1;
      ranges[ranges.length - 1] = { ...last, end: day, rows: last.rows + one.rows, lastPull, fromReporting1 };
    } else ranges.push({ ...one, start: day, end: day });
  }
  return ranges;
}
