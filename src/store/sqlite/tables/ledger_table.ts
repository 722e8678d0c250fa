import type { DatabaseSync } from "node:sqlite";
import { LEDGER_COLUMNS, ledgerCells, type LedgerEntry, ledgerEntry } from "../../ledger_entry.ts";
import type { CoverageFilter, CoveredRange, LedgerFilter } from "../../store_driver.ts";
import type { ReportName } from "../../../reports/named_report.ts";

const NAMES = LEDGER_COLUMNS.map(([column]) => column).join(", ");
const PLACES = LEDGER_COLUMNS.map(() => "?").join(", ");

/** Writes an entry in place of the one with its id. */
export function putEntry(database: DatabaseSync, entry: LedgerEntry): void {
  database.prepare(`INSERT OR REPLACE INTO report_requests (${NAMES}) VALUES (${PLACES})`).run(
    ...ledgerCells(entry),
  );
}

/** Writes an entry unless an open one of the profile asks for the same, and returns the one that is there. */
export function openEntry(database: DatabaseSync, entry: LedgerEntry): LedgerEntry {
  const open = database.prepare(
    `SELECT ${NAMES} FROM report_requests
     WHERE profile_id = ? AND fingerprint = ? AND state IN ('asking', 'building')`,
  ).get(entry.profileId, entry.fingerprint);
  if (open !== undefined) return ledgerEntry(open);
  putEntry(database, entry);
  return entry;
}

/** Entries, newest first. */
export function entries(database: DatabaseSync, filter: LedgerFilter): LedgerEntry[] {
  const { profileId, report, unfinished, limit } = filter;
  const conditions = ["1"];
  const params: string[] = [];
  if (profileId !== undefined) conditions.push("profile_id = ?") && params.push(profileId);
  if (report !== undefined) conditions.push("report = ?") && params.push(report);
  if (unfinished !== undefined) conditions.push(unfinished ? "state <> 'stored'" : "state = 'stored'");
  const most = limit === undefined ? "" : `LIMIT ${Math.trunc(limit)}`;
  const rows = database.prepare(
    `SELECT ${NAMES} FROM report_requests WHERE ${conditions.join(" AND ")}
     ORDER BY asked_at DESC, id ${most}`,
  ).all(...params);
  return rows.map(ledgerEntry);
}

/** Covered days, joined where they follow each other: days in a row keep their distance to their number. */
const RANGES = `
  WITH numbered AS (
    SELECT profile_id, report, date, rows, pulled_at, reporting,
      julianday(date) - row_number() OVER (PARTITION BY profile_id, report ORDER BY date) AS run
    FROM days
    WHERE (?1 IS NULL OR profile_id = ?1) AND (?2 IS NULL OR report = ?2) AND (?3 IS NULL OR pulled_at >= ?3)
      AND (?4 IS NULL OR reporting = ?4)
  )
  SELECT numbered.profile_id, country_code, report, min(date) AS first_day, max(date) AS last_day,
    sum(rows) AS row_count, max(pulled_at) AS last_pull,
    count(CASE WHEN reporting = 1 THEN 1 END) AS from_reporting_1
  FROM numbered JOIN profiles ON profiles.profile_id = numbered.profile_id
  GROUP BY numbered.profile_id, report, run
  ORDER BY country_code, numbered.profile_id, report, first_day`;

/** The covered ranges of all or some reports. */
export function selectCoveredRanges(
  database: DatabaseSync,
  { profileId, report, pulledSince, reporting }: CoverageFilter,
): CoveredRange[] {
  const rows = database.prepare(RANGES).all(
    profileId ?? null,
    report ?? null,
    pulledSince ?? null,
    reporting ?? null,
  );
  return rows.map((row) => ({
    profileId: String(row["profile_id"]),
    countryCode: String(row["country_code"]),
    report: row["report"] as ReportName,
    start: String(row["first_day"]),
    end: String(row["last_day"]),
    rows: Number(row["row_count"]),
    lastPull: String(row["last_pull"]),
    fromReporting1: Number(row["from_reporting_1"]),
  }));
}
