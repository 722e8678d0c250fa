import { canonicalJson } from "../../../base/json/canonical_json.ts";
import { sha256 } from "../../../base/text/sha256.ts";
import type { DayRange } from "../../../base/time/calendar.ts";

/** A condition on the rows of a report: the field must have one of the values. */
export interface ReportFilter {
  /** Name of the field, for example `keywordType`. */
  readonly field: string;
  /** Allowed values. */
  readonly values: readonly string[];
}

/** A reporting API: version 3, or the new reports. */
export type ReportingApi = 3 | 1;

/** One row per day, or one row for the whole range. */
export type TimeUnit = "DAILY" | "SUMMARY";

/** Contents of a report, as sent to the platform. */
export interface ReportConfiguration {
  /** Ad product, for example `SPONSORED_PRODUCTS`. */
  readonly adProduct: string;
  /** Kind of report, for example `spCampaigns`. */
  readonly reportTypeId: string;
  /** Dimensions of a row. */
  readonly groupBy: readonly string[];
  /** Columns of a row. */
  readonly columns: readonly string[];
  /** One row per day, or one for the whole range. @default "DAILY" */
  readonly timeUnit?: TimeUnit;
  /** File format. @default "GZIP_JSON" */
  readonly format?: string;
  /** Conditions on the rows. */
  readonly filters?: readonly ReportFilter[];
  /** Reporting API that serves the report. @default 3 */
  readonly reporting?: ReportingApi;
}

/** Returns a fingerprint of a report that does not depend on the order of columns, groups, filters and values. */
export function reportFingerprint(configuration: ReportConfiguration, range: DayRange): string {
  const { adProduct, reportTypeId, groupBy, columns, timeUnit, format } = configuration;
  // The platform writes what is not set as null.
  const filters: readonly ReportFilter[] = configuration.filters ?? [];
  const sets = filters.map(({ field, values }) => canonicalJson([field, sorted(values)]));
  const { reporting = 3 } = configuration;
  return sha256(canonicalJson([
    adProduct,
    reportTypeId,
    sorted(groupBy),
    sorted(columns),
    timeUnit ?? "DAILY",
    format ?? "GZIP_JSON",
    sorted(sets),
    range.start,
    range.end,
    ...reporting === 3 ? [] : [reporting],
  ]));
}

function sorted(values: readonly string[] | null | undefined): string[] {
  return [...new Set(values ?? [])].sort();
}
