import type { JsonObject } from "../../core/json.ts";

/** A condition on rows: all of several, or one field that has one of the values. */
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

/** Contents of a new report. */
export interface FreeReportRequest {
  /** Profiles behind the accounts that were named. */
  readonly profileIds: readonly string[];
  readonly startDate: string;
  readonly endDate: string;
  readonly fields: readonly string[];
  readonly filter?: RowFilter;
  /** CSV, GZIP_JSON, PARTITIONED_CSV or PARTITIONED_GZIP_JSON. */
  readonly format: string;
  readonly currencyOfView?: string;
}

/** A new report as it is remembered; moments are milliseconds since the epoch. */
export interface FreeReport extends FreeReportRequest {
  readonly reportId: string;
  /** When it was requested. */
  readonly createdAt: number;
  /** When its building begins. */
  readonly startsAt: number;
  /** When its building ends. */
  readonly endsAt: number;
  /** COMPLETED, or a failure that a fault has chosen. */
  readonly outcome: string;
  /** Number of rows, once counted. */
  readonly rows?: number;
  /** True once it was deleted. */
  readonly deleted?: boolean;
}

/** Name of the collection that keeps them, in the first profile of each. */
export const FREE_REPORTS = "free_reports";

/** Its state at a moment. */
export function freeStatus({ startsAt, endsAt, outcome }: FreeReport, now: number): string {
  if (now >= endsAt) return outcome === "COMPLETED" ? outcome : "FAILED";
  return now >= startsAt ? "PROCESSING" : "PENDING";
}

/** A report out of a profile's collection. */
export function asFreeReport(entity: JsonObject): FreeReport {
  return entity as unknown as FreeReport;
}

/** A report as a profile's collection keeps it. */
export function asFreeEntity(report: FreeReport): JsonObject {
  return report as unknown as JsonObject;
}
