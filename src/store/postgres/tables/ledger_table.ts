import { LEDGER_COLUMNS, ledgerCells, type LedgerEntry, ledgerEntry } from "../../ledger_entry.ts";
import type { CoverageFilter, CoveredRange, LedgerFilter } from "../../store_driver.ts";
import type { Sql } from "../sql.ts";

const NAMES = LEDGER_COLUMNS.map(([column]) => column).join(", ");
const PLACES = LEDGER_COLUMNS.map((_, index) => `$${index + 1}`).join(", ");
const INSERT = `INSERT INTO report_requests (${NAMES}) VALUES (${PLACES})`;
const UPDATE = LEDGER_COLUMNS.slice(2).map(([column]) => `${column} = excluded.${column}`).join(", ");
const OPEN = "state IN ('asking', 'building')";

/** Writes an entry in place of the one with its id. */
export async function putEntry(sql: Sql, entry: LedgerEntry): Promise<void> {
  await sql.text(`${INSERT} ON CONFLICT (profile_id, id) DO UPDATE SET ${UPDATE}`, ledgerCells(entry));
}

/** Writes an entry unless an open one of the profile asks for the same, and returns the one that is there. */
export async function openEntry(sql: Sql, entry: LedgerEntry): Promise<LedgerEntry> {
  for (;;) {
    const written = await sql.text(
      `${INSERT} ON CONFLICT (profile_id, fingerprint) WHERE ${OPEN} DO NOTHING RETURNING id`,
      ledgerCells(entry),
    );
    if (written.length > 0) return entry;
    const [open] = await sql.text(
      `SELECT ${NAMES} FROM report_requests WHERE profile_id = $1 AND fingerprint = $2 AND ${OPEN}`,
      [entry.profileId, entry.fingerprint],
    );
    // Another process may have closed it between the two statements.
    if (open !== undefined) return ledgerEntry(open);
  }
}

/** Entries, newest first. */
export async function entries(sql: Sql, filter: LedgerFilter): Promise<LedgerEntry[]> {
  const { profileId, report, unfinished, limit } = filter;
  const conditions = ["true"];
  const params: string[] = [];
  if (profileId !== undefined) conditions.push(`profile_id = $${params.push(profileId)}`);
  if (report !== undefined) conditions.push(`report = $${params.push(report)}`);
  if (unfinished !== undefined) conditions.push(unfinished ? "state <> 'stored'" : "state = 'stored'");
  const most = limit === undefined ? "" : `LIMIT ${Math.trunc(limit)}`;
  const rows = await sql.text(
    `SELECT ${NAMES} FROM report_requests WHERE ${conditions.join(" AND ")}
     ORDER BY asked_at DESC, id ${most}`,
    params,
  );
  return rows.map(ledgerEntry);
}

/** The covered ranges of all or some reports: days in a row keep their distance to their number. */
export async function selectCoveredRanges(
  sql: Sql,
  { profileId, report, pulledSince, reporting }: CoverageFilter,
): Promise<CoveredRange[]> {
  const values: (string | number)[] = [];
  const conditions = ["true"];
  if (reporting !== undefined) conditions.push(`reporting = $${values.push(reporting)}::integer`);
  if (profileId !== undefined) conditions.push(`profile_id = $${values.push(profileId)}`);
  if (report !== undefined) conditions.push(`report = $${values.push(report)}`);
  if (pulledSince !== undefined) conditions.push(`pulled_at >= $${values.push(pulledSince)}::timestamptz`);
  const rows = await sql.text(
    `
    WITH numbered AS (
      SELECT profile_id, report, date, rows, pulled_at, reporting,
        date - row_number() OVER (PARTITION BY profile_id, report ORDER BY date)::integer AS run
      FROM days
      WHERE ${conditions.join(" AND ")}
    )
    SELECT numbered.profile_id, country_code, report, min(date) AS first_day, max(date) AS last_day,
      sum(rows) AS row_count, max(pulled_at) AS last_pull,
      count(*) FILTER (WHERE reporting = 1) AS from_reporting_1
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
    fromReporting1: Number(row["from_reporting_1"]),
  }));
}
