import type { JsonObject } from "../../core/json.ts";

export interface ReportConfiguration {
  readonly adProduct: string;
  readonly reportTypeId: string;
  readonly groupBy: readonly string[];
  readonly columns: readonly string[];
  readonly timeUnit: "DAILY" | "SUMMARY";
  readonly format: string;
  readonly filters?: readonly { readonly field: string; readonly values: readonly string[] }[];
}

/** Rows are computed when read. Times are epoch milliseconds. */
export interface ReportRecord {
  readonly reportId: string;
  readonly name: string | null;
  readonly startDate: string;
  readonly endDate: string;
  readonly configuration: ReportConfiguration;
  readonly createdAt: number;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly outcome: string;
  readonly cancelledAt?: number;
}

export function statusOf(report: ReportRecord, now: number): string {
  if (report.cancelledAt !== undefined) return "CANCELLED";
  if (now >= report.endsAt) return report.outcome;
  return now >= report.startsAt ? "PROCESSING" : "PENDING";
}

export function isBeingBuilt(report: ReportRecord, now: number): boolean {
  return ["PENDING", "PROCESSING"].includes(statusOf(report, now));
}

export function asReport(entity: JsonObject): ReportRecord {
  return entity as unknown as ReportRecord;
}

export function asEntity(report: ReportRecord): JsonObject {
  return report as unknown as JsonObject;
}

/** True if two reports have the same key, ignoring the order of groups, columns and filters. */
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
