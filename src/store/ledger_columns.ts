import type { LedgerEntry } from "./ledger_entry.ts";

/** Columns of the table of report requests and the fields of an entry that they hold; the first two are its key. */
export const LEDGER_COLUMNS: readonly (readonly [column: string, field: keyof LedgerEntry])[] = [
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

/** Cells of an entry, in the order of {@linkcode LEDGER_COLUMNS}. */
export function ledgerCells(entry: LedgerEntry): (string | number | null)[] {
  return LEDGER_COLUMNS.map(([, field]) =>
    field === "configuration" ? JSON.stringify(entry.configuration) : entry[field]
  );
}

/** The entry that a row of the table holds. */
export function ledgerEntry(row: Record<string, unknown>): LedgerEntry {
  const fields = LEDGER_COLUMNS.map(([column, field]) => [field, row[column]] as const);
  const entry = Object.fromEntries(fields) as unknown as LedgerEntry & { configuration: string };
  return { ...entry, configuration: JSON.parse(entry.configuration) };
}
