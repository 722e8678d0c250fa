import type { DayRange } from "../../base/time/calendar.ts";

/** A field of the new reports, which accept any combination of compatible fields. */
export interface ReportField {
  /** Name of the field, for example `metric.cpc`. */
  readonly field: string;
  /** Kind of field: a `dimension` groups the rows, a `metric` holds a figure. */
  readonly kind: "dimension" | "metric";
  /** Data type of the field: `LONG`, `DECIMAL`, `CURRENCY`, `PERCENTAGE`, `STRING`, `DATE` ... */
  readonly type: string;
  /** Columns of version 3 for sponsored ads with the same meaning. */
  readonly columns: readonly string[];
  /** Columns of version 3 for DSP with the same meaning. */
  readonly dspColumns: readonly string[];
  /** Fields that must be requested together with this field. */
  readonly requires: readonly string[];
  /** Field with the same amount, converted to the target currency of a report. */
  readonly converted?: string | undefined;
  /** Incompatible dimensions, by the first part of their field names: `searchTerm`. */
  readonly excludes: readonly string[];
}

/** A problem that prevents a report with the given fields. */
export interface ReportFieldFinding {
  /** Kind of problem. */
  readonly kind: "unknown" | "ambiguous" | "incompatible" | "currency" | "count" | "range";
  /** Field as given; empty if the problem concerns the days or all fields. */
  readonly field: string;
  /** The problem, its cause, and the next step. */
  readonly message: string;
}

/** Limits of a time field. */
export interface ReportTimeLimits {
  /** Time field with the strictest limits; `dateRange.value` for a report without a time field. */
  readonly field: string;
  /** Age of the oldest data that can be requested, for example `15 months`. */
  readonly history: string;
  /** Maximum span of one report, for example `120 days`. */
  readonly longest: string;
  /** First day that can be requested, `YYYY-MM-DD`; absent if the current day is unknown. */
  readonly firstDay?: string | undefined;
}

/** Result of `reportFields.check`. */
export interface ReportFieldCheck {
  /** Fields to request: version 3 names translated, required fields added. */
  readonly fields: readonly string[];
  /** Names of version 3 with their translations. */
  readonly translated: readonly {
    /** The column of version 3. */
    readonly given: string;
    /** Field requested instead. */
    readonly field: string;
    /** Explanation of the translation as text: `costPerClick is metric.cpc here`. */
    readonly message: string;
  }[];
  /** Required fields that were added, and the fields that require them. */
  readonly added: readonly {
    /** The added field. */
    readonly field: string;
    readonly requiredBy: readonly string[];
  }[];
  /** All problems that prevent the request. */
  readonly findings: readonly ReportFieldFinding[];
  /** Limits of the report's time field. */
  readonly time: ReportTimeLimits;
  /** Days of each report that must be requested; empty if no days are given or if a finding is about days. */
  readonly periods: readonly DayRange[];
}

/** Options of `reportFields.check`. */
export interface CheckFieldsOptions {
  /** First requested day, `YYYY-MM-DD`; periods are checked if both days are given. */
  readonly start?: string | undefined;
  /** Last requested day, `YYYY-MM-DD`. */
  readonly end?: string | undefined;
  /** Current day in the account's time zone, `YYYY-MM-DD`. @default today in UTC */
  readonly today?: string | undefined;
  /** Target currency. For each amount, adds the converted field next to the original. */
  readonly currency?: string | undefined;
}
