import type { AuditEntry, AuditRecord } from "./audit_record.ts";

/** A line of a log, as it is kept. */
export interface AuditLine {
  /** The file or table that it is in. */
  readonly source: string;
  /** Number of the line in it, from 1. */
  readonly line: number;
  /** Contents of the log. */
  readonly text: string;
  /** False for a last line that was not written to its end. */
  readonly isWhole: boolean;
}

/** Writes down who called which tool, in a chain that shows what was changed afterwards. */
export interface AuditLog {
  /** Path or address of the log, without a password. */
  readonly location: string;
  /**
   * Makes what is missing, so that a place that cannot be written to is known before the first call.
   *
   * @throws {PlatformAdsError} when it cannot be written to.
   */
  prepare(): Promise<void>;
  /**
   * Writes a record down for good.
   *
   * @throws {PlatformAdsError} when it cannot be written.
   */
  append(record: AuditRecord): Promise<AuditEntry>;
  /** Every line, oldest first. */
  lines(): AsyncIterable<AuditLine>;
  /** Closes what is open. */
  close(): Promise<void>;
}
