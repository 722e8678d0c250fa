import { eachDay } from "../../base/time/calendar.ts";
import type { ReportLayout } from "../model/report_layout.ts";
import type { CoverageFilter, CoveredRange, PullRecord, StoredDay } from "../model/store_driver.ts";
import { changesTable } from "./kept_versions.ts";
import { putProfile } from "./account_tables.ts";
import { byBytes, insertRows, oneOf, type StoreSql, where } from "./store_sql.ts";

const OF_DAYS = "days.profile_id = ? AND days.report = ? AND days.date BETWEEN ? AND ?";

export async function storedDays(
  { run }: StoreSql,
  { layout, profileId, start, end }: PullRecord,
): Promise<StoredDay[]> {
  const days = [profileId, layout.report, start, end];
  const hasCost = layout.columns.some(({ name }) => name === "cost");
  const rows = hasCost
    ? await run(
      `SELECT days.date, days.rows, days.made_at, coalesce(costs.cost, 0) AS cost
       FROM days LEFT JOIN (
         SELECT date, sum(cost) AS cost FROM ${layout.table}
         WHERE profile_id = ? AND date BETWEEN ? AND ? GROUP BY date
       ) AS costs ON costs.date = days.date WHERE ${OF_DAYS}`,
      [profileId, start, end, ...days],
    )
    : await run(`SELECT date, rows, made_at, 0 AS cost FROM days WHERE ${OF_DAYS}`, days);
  return rows.map((row) => ({
    day: String(row["date"]),
    rows: Number(row["rows"]),
    cost: Number(row["cost"]),
    madeAt: row["made_at"] === null ? null : String(row["made_at"]),
  }));
}

/**
 * Returns a time in epoch milliseconds that is later than everything known of these days, even if the clock was set
 * back.
 */
export async function knownFrom(
  { run }: StoreSql,
  { layout, profileId, start, end, pulledAt }: PullRecord,
): Promise<number> {
  const [row] = await run(
    `SELECT max(pulled_at) AS newest FROM days WHERE ${OF_DAYS}`,
    [profileId, layout.report, start, end],
  );
  const now = Date.parse(pulledAt);
  const newest = row?.["newest"];
  return typeof newest === "string" ? Math.max(now, Date.parse(newest) + 1) : now;
}

export async function recordPull(
  sql: StoreSql,
  pull: PullRecord,
  written: { rowsOn(day: string): number },
): Promise<number> {
  const { profileId, layout: { report }, start, end, pulledAt, madeAt, ledgerId, reporting = null } = pull;
  const days = [...eachDay({ start, end })].map((day) => ({ day, rows: written.rowsOn(day) }));
  const rows = days.reduce((sum, day) => sum + day.rows, 0);
  await putProfile(sql, pull);
  // SQLite numbers its pulls; many machines would have to agree on numbers.
  const id = sql.dialect === "SQLite" ? null : crypto.randomUUID();
  const [made] = await sql.run(
    `INSERT INTO pulls (profile_id, id, report, start_date, end_date, rows, report_ids, pulled_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    [profileId, id, report, start, end, rows, JSON.stringify(pull.reportIds), pulledAt],
  );
  const pullId = String(made?.["id"]);
  await insertRows(
    sql,
    {
      into: "days (profile_id, report, date, rows, pull_id, pulled_at, made_at, first_pulled_at, reporting)",
      after:
        `ON CONFLICT (profile_id, report, date) DO UPDATE SET rows = excluded.rows, pull_id = excluded.pull_id,
      pulled_at = excluded.pulled_at, made_at = excluded.made_at, reporting = excluded.reporting,
      reporting_since = CASE WHEN days.reporting IS NOT DISTINCT FROM excluded.reporting THEN days.reporting_since
        ELSE excluded.pulled_at END`,
    },
    days.map((one) => [profileId, report, one.day, one.rows, pullId, pulledAt, madeAt, pulledAt, reporting]),
  );
  if (ledgerId !== undefined) {
    await sql.run(
      `UPDATE report_requests SET state = 'stored', changed_at = ?, rows = ?, problem = NULL
       WHERE profile_id = ? AND id = ?`,
      [pulledAt, rows, profileId, ledgerId],
    );
  }
  return rows;
}

/** Covered ranges: consecutive days have a constant difference to their row number. */
export async function selectCoveredRanges(sql: StoreSql, filter: CoverageFilter): Promise<CoveredRange[]> {
  const others = where({ "reporting = ?": filter.reporting, "pulled_at >= ?": filter.pulledSince });
  const profiles = oneOf("profile_id", filter.profileId);
  const reports = oneOf("report", filter.report);
  // The key of the days begins with the profile, so that a search for reports needs the profiles.
  const ofAll = filter.report !== undefined && filter.profileId === undefined;
  const ofProfiles = ofAll ? "profile_id IN (SELECT profile_id FROM profiles)" : profiles.text;
  const text = [ofProfiles, reports.text, others.text].join(" AND ");
  const number = "row_number() OVER (PARTITION BY profile_id, report ORDER BY date)";
  const distance = sql.dialect === "SQLite"
    ? `julianday(date) - ${number}`
    : `date - CAST(${number} AS integer)`;
  const rows = await sql.run(
    `WITH numbered AS (
       SELECT profile_id, report, date, rows, pulled_at, reporting, ${distance} AS run FROM days WHERE ${text}
     )
     SELECT numbered.profile_id, country_code, report, min(date) AS first_day, max(date) AS last_day,
       sum(rows) AS row_count, max(pulled_at) AS last_pull,
       count(CASE WHEN reporting = 1 THEN 1 END) AS from_reporting_1
     FROM numbered JOIN profiles ON profiles.profile_id = numbered.profile_id
     GROUP BY numbered.profile_id, country_code, report, run
     ORDER BY country_code ${byBytes(sql)}, numbered.profile_id, report, first_day`,
    [...profiles.values, ...reports.values, ...others.values],
  );
  return rows.map((row) => ({
    profileId: String(row["profile_id"]),
    countryCode: String(row["country_code"]),
    report: String(row["report"]),
    start: String(row["first_day"]),
    end: String(row["last_day"]),
    rows: Number(row["row_count"]),
    lastPull: String(row["last_pull"]),
    fromReporting1: Number(row["from_reporting_1"]),
  }));
}

/**
 * Epoch milliseconds.
 *
 * @returns Number of deleted versions; with `dryRun` they are only counted.
 */
export async function pruneVersions(
  { run }: StoreSql,
  layout: ReportLayout,
  { before, dryRun }: { readonly before: number; readonly dryRun: boolean },
): Promise<number> {
  let count = 0;
  for (const table of [`${layout.table}_history`, changesTable(layout)]) {
    const old = `FROM ${table} WHERE known_to < ?`;
    const [row] = await run(`SELECT count(*) AS n ${old}`, [before]);
    count += Number(row?.["n"]);
    if (!dryRun) await run(`DELETE ${old}`, [before]);
  }
  return count;
}
