import type { DayRange } from "../../base/time/calendar.ts";
import type { ReportConfiguration } from "../../client/reports/requests/report_configuration.ts";
import type { ReportName } from "../../client/reports/requests/named_report.ts";

/**
 * State of a requested report: `asking` from just before it is requested, `building` once its id is known, `stored`,
 * `held` if days were held back, `failed`, or `dropped` if the platform no longer delivers it.
 */
export type LedgerState = "asking" | "building" | "stored" | "held" | "failed" | "dropped";

/** A requested report, recorded before it is requested so that no report is requested twice. */
export interface LedgerEntry extends DayRange {
  /** Id of the entry. */
  readonly id: string;
  /** Id of the profile that the report is about. */
  readonly profileId: string;
  /** Country of the profile. */
  readonly countryCode: string;
  /** Name of the report. */
  readonly report: ReportName;
  /** Requested contents. */
  readonly configuration: ReportConfiguration;
  /** Text that is equal for two entries of a profile with the same contents and days. */
  readonly fingerprint: string;
  /** State of the request. */
  readonly state: LedgerState;
  /** The platform's id, once it is known. */
  readonly reportId: string | null;
  /** When the report was requested, ISO 8601. */
  readonly askedAt: string;
  /** When the entry last changed, ISO 8601. */
  readonly changedAt: string;
  /** Number of stored rows. */
  readonly rows: number | null;
  /** Reason for the failure or drop, or the held-back days. */
  readonly problem: string | null;
}

export function isOpen({ state }: LedgerEntry): boolean {
  return state === "asking" || state === "building";
}

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

export function ledgerCells(entry: LedgerEntry): (string | number | null)[] {
  return LEDGER_COLUMNS.map(([, field]) =>
    field === "configuration" ? JSON.stringify(entry.configuration) : entry[field]
  );
}

export function ledgerEntry(row: Record<string, unknown>): LedgerEntry {
  const fields = LEDGER_COLUMNS.map(([column, field]) => [field, row[column]] as const);
  const entry = Object.fromEntries(fields) as unknown as LedgerEntry & { configuration: string };
  return { ...entry, configuration: JSON.parse(entry.configuration) };
}
