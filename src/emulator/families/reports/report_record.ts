import type { JsonObject } from "../../core/json.ts";

/** Requested contents of a report. */
export interface ReportConfiguration {
  readonly adProduct: string;
  readonly reportTypeId: string;
  readonly groupBy: readonly string[];
  /** Columns of a row. */
  readonly columns: readonly string[];
  readonly timeUnit: "DAILY" | "SUMMARY";
  /** Form of the file. */
  readonly format: string;
  /** Conditions on the rows. */
  readonly filters?: readonly { readonly field: string; readonly values: readonly string[] }[];
}

/** A report as it is remembered; its rows are made when they are read. Moments are milliseconds since the epoch. */
export interface ReportRecord {
  readonly reportId: string;
  readonly name: string | null;
  readonly startDate: string;
  readonly endDate: string;
  /** Requested contents. */
  readonly configuration: ReportConfiguration;
  /** When it was requested. */
  readonly createdAt: number;
  /** When its building begins. */
  readonly startsAt: number;
  /** When its building ends. */
  readonly endsAt: number;
  /** How it ends: COMPLETED, or a failure that a fault has chosen. */
  readonly outcome: string;
  /** When it was cancelled; absent when it was not. */
  readonly cancelledAt?: number;
}

/** State of a report at a moment. */
export function statusOf(report: ReportRecord, now: number): string {
  if (report.cancelledAt !== undefined) return "CANCELLED";
  if (now >= report.endsAt) return report.outcome;
  return now >= report.startsAt ? "PROCESSING" : "PENDING";
}

/** True if a report is not complete yet. */
export function isBeingBuilt(report: ReportRecord, now: number): boolean {
  return ["PENDING", "PROCESSING"].includes(statusOf(report, now));
}

/** A report out of the profile's collection. */
export function asReport(entity: JsonObject): ReportRecord {
  return entity as unknown as ReportRecord;
}

/** A report as the profile's collection keeps it. */
export function asEntity(report: ReportRecord): JsonObject {
  return report as unknown as JsonObject;
}

/** Equal for two reports exactly when they hold the same; the order of groups, columns and filters says nothing. */
export function sameReportKey(
  report: Pick<ReportRecord, "startDate" | "endDate" | "configuration">,
): string {
  const { adProduct, reportTypeId, groupBy, columns, timeUnit, format, filters = [] } = report.configuration;
  const sorted = (values: readonly string[]) => [...values].sort();
  const conditions = sorted(filters.map(({ field, values }) => JSON.stringify([field, sorted(values)])));
  return JSON.stringify([
    adProduct,
    reportTypeId,
    sorted(groupBy),
    sorted(columns),
    timeUnit,
    format,
    conditions,
    report.startDate,
    report.endDate,
  ]);
}
