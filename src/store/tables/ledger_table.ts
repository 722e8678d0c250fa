import { LEDGER_COLUMNS, ledgerCells, type LedgerEntry, ledgerEntry } from "../model/ledger_entry.ts";
import type { LedgerFilter } from "../model/store_driver.ts";
import { type StoreSql, where } from "./store_sql.ts";

const NAMES = LEDGER_COLUMNS.map(([column]) => column).join(", ");
const PLACES = LEDGER_COLUMNS.map(() => "?").join(", ");
const INSERT = `INSERT INTO report_requests (${NAMES}) VALUES (${PLACES})`;
const UPDATE = LEDGER_COLUMNS.slice(2).map(([column]) => `${column} = excluded.${column}`).join(", ");
const OPEN = "state IN ('asking', 'building')";

export async function putEntry({ dialect, run }: StoreSql, entry: LedgerEntry): Promise<void> {
  // In PostgreSQL the key begins with the profile, by which the tables of a store are distributed.
  const key = dialect === "SQLite" ? "id" : "profile_id, id";
  await run(`${INSERT} ON CONFLICT (${key}) DO UPDATE SET ${UPDATE}`, ledgerCells(entry));
}

export async function openEntry({ run }: StoreSql, entry: LedgerEntry): Promise<LedgerEntry> {
  for (;;) {
    const written = await run(
      `${INSERT} ON CONFLICT (profile_id, fingerprint) WHERE ${OPEN} DO NOTHING RETURNING id`,
      ledgerCells(entry),
    );
    if (written.length > 0) return entry;
    const [open] = await run(
      `SELECT ${NAMES} FROM report_requests WHERE profile_id = ? AND fingerprint = ? AND ${OPEN}`,
      [entry.profileId, entry.fingerprint],
    );
    // Another process may have closed it between the two statements.
    if (open !== undefined) return ledgerEntry(open);
  }
}

export async function entries(
  { run }: StoreSql,
  { profileId, report, unfinished, limit }: LedgerFilter,
): Promise<LedgerEntry[]> {
  const { text, values } = where({ "profile_id = ?": profileId, "report = ?": report });
  const finished = unfinished === undefined ? "" : `AND state ${unfinished ? "<>" : "="} 'stored'`;
  const most = limit === undefined ? "" : `LIMIT ${Math.trunc(limit)}`;
  const rows = await run(
    `SELECT ${NAMES} FROM report_requests WHERE ${text} ${finished} ORDER BY asked_at DESC, id ${most}`,
    values,
  );
  return rows.map(ledgerEntry);
}
