import type { LedgerEntry } from "../ledger_entry.ts";
import type { LedgerFilter } from "../store_driver.ts";
import type { Sql } from "./sql.ts";

const COLUMNS: readonly (readonly [column: string, field: keyof LedgerEntry])[] = [
  ["profile_id", "profileId"],
  ["id", "id"],
  ["country_code", "countryCode"],
  ["report", "report"],
  ["start_date", "start"],
  ["end_date", "end"],
  ["configuration", "configuration"],
  ["fingerprint", "fingerprint"],
  ["state", "state"],
  ["report_id", "reportId"],
  ["asked_at", "askedAt"],
  ["changed_at", "changedAt"],
  ["rows", "rows"],
  ["problem", "problem"],
];
const NAMES = COLUMNS.map(([column]) => column).join(", ");
const PLACES = COLUMNS.map((_, index) => `$${index + 1}`).join(", ");
const INSERT = `INSERT INTO report_requests (${NAMES}) VALUES (${PLACES})`;
const UPDATE = COLUMNS.slice(2).map(([column]) => `${column} = excluded.${column}`).join(", ");
const OPEN = "state IN ('asking', 'building')";

/** Writes an entry in place of the one with its id. */
export async function putEntry(sql: Sql, entry: LedgerEntry): Promise<void> {
  await sql.text(`${INSERT} ON CONFLICT (profile_id, id) DO UPDATE SET ${UPDATE}`, cellsOf(entry));
}

/** Writes an entry unless an open one of the profile asks for the same, and returns the one that is there. */
export async function openEntry(sql: Sql, entry: LedgerEntry): Promise<LedgerEntry> {
  for (;;) {
    const written = await sql.text(
      `${INSERT} ON CONFLICT (profile_id, fingerprint) WHERE ${OPEN} DO NOTHING RETURNING id`,
      cellsOf(entry),
    );
    if (written.length > 0) return entry;
    const [open] = await sql.text(
      `SELECT ${NAMES} FROM report_requests WHERE profile_id = $1 AND fingerprint = $2 AND ${OPEN}`,
      [entry.profileId, entry.fingerprint],
    );
    // Another process may have closed it between the two statements.
    if (open !== undefined) return entryOf(open);
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
  return rows.map(entryOf);
}

function cellsOf(entry: LedgerEntry): (string | number | null)[] {
  return COLUMNS.map(([, field]) =>
    field === "configuration" ? JSON.stringify(entry.configuration) : entry[field]
  );
}

function entryOf(row: Record<string, unknown>): LedgerEntry {
  const fields = COLUMNS.map(([column, field]) => [field, row[column]] as const);
  const entry = Object.fromEntries(fields) as unknown as LedgerEntry & { configuration: string };
  return { ...entry, configuration: JSON.parse(entry.configuration) };
}
