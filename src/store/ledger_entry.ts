import type { ReportConfiguration } from "../reports/report_configuration.ts";
import type { ReportName } from "../reports/named_report.ts";

/**
 * State of a requested report: `asking` from just before it is requested, `building` once its id is known, `stored`,
 * `held` when days were held back, `failed`, or `dropped` when the platform does not deliver it any more.
 */
export type LedgerState = "asking" | "building" | "stored" | "held" | "failed" | "dropped";

/** A report that was asked for, or is about to be: written down before it is waited for, so that nothing is asked twice. */
export interface LedgerEntry {
  /** Id of the entry. */
  readonly id: string;
  /** Profile it is about. */
  readonly profileId: string;
  /** Country of the profile. */
  readonly countryCode: string;
  /** Preset. */
  readonly report: ReportName;
  /** First day. */
  readonly start: string;
  /** Last day. */
  readonly end: string;
  /** Requested contents. */
  readonly configuration: ReportConfiguration;
  /** Equal for two entries of a profile exactly when they ask for the same over the same days. */
  readonly fingerprint: string;
  /** State of the request. */
  readonly state: LedgerState;
  /** The platform's id, once it is known. */
  readonly reportId: string | null;
  /** When it was asked for, ISO 8601. */
  readonly askedAt: string;
  /** When the entry last changed, ISO 8601. */
  readonly changedAt: string;
  /** Rows that were stored. */
  readonly rows: number | null;
  /** Why it failed, was dropped, or which days were held back. */
  readonly problem: string | null;
}

/** True for a report that may still come. */
export function isOpen({ state }: LedgerEntry): boolean {
  return state === "asking" || state === "building";
}
