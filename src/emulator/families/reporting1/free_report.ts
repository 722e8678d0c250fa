import type { JsonObject } from "../../core/json.ts";

export type RowFilter =
  | { readonly and: { readonly filters: readonly RowFilter[] } }
  | {
    readonly on: {
      readonly field: string;
      readonly comparisonOperator: "EQUALS" | "IN";
      readonly not: boolean;
      readonly values: readonly string[];
    };
  };

export interface FreeReportRequest {
  readonly profileIds: readonly string[];
  readonly startDate: string;
  readonly endDate: string;
  readonly fields: readonly string[];
  readonly filter?: RowFilter;
  readonly format: string;
  readonly currencyOfView?: string;
}

export interface FreeReport extends FreeReportRequest {
  readonly reportId: string;
  readonly createdAt: number;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly outcome: string;
  readonly rows?: number;
  readonly deleted?: boolean;
}

/** Stored in the first profile of each report. */
export const FREE_REPORTS = "free_reports";

export function freeStatus({ startsAt, endsAt, outcome }: FreeReport, now: number): string {
  if (now >= endsAt) return outcome === "COMPLETED" ? outcome : "FAILED";
  return now >= startsAt ? "PROCESSING" : "PENDING";
}

export function asFreeReport(entity: JsonObject): FreeReport {
  return entity as unknown as FreeReport;
}

export function asFreeEntity(report: FreeReport): JsonObject {
  return report as unknown as JsonObject;
}
