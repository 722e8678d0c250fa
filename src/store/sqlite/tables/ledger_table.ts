import type { DatabaseSync } from "node:sqlite";
import { LEDGER_COLUMNS, ledgerCells, ledgerEntry } from "../../ledger_columns.ts";
import type { LedgerEntry } from "../../ledger_entry.ts";
import type { LedgerFilter } from "../../store_driver.ts";

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
