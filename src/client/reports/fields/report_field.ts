import type { DayRange } from "../../../base/time/calendar.ts";

/** A field of reporting 1, in which any fields that go together make a report. */
export interface ReportField {
  /** Its name, for example `metric.cpc`. */
  readonly field: string;
  /** Dimensions are what rows stand for; metrics are what is counted. */
  readonly kind: "dimension" | "metric";
  /** Type of the field: `LONG`, `DECIMAL`, `CURRENCY`, `PERCENTAGE`, `STRING`, `DATE` ... */
  readonly type: string;
  /** Columns of version 3 with the same meaning, for sponsored ads. */
  readonly columns: readonly string[];
  /** Columns of version 3 with the same meaning, for DSP. */
  readonly dspColumns: readonly string[];
  /** Fields that it cannot be asked for without. */
  readonly requires: readonly string[];
  /** The same amount in the currency that a report is converted to. */
  readonly converted?: string | undefined;
  /** Dimensions that it does not go with, by the first part of their fields' names: `searchTerm`. */
  readonly excludes: readonly string[];
}

/** Something that keeps fields from making a report. */
export interface ReportFieldFinding {
  /** Kind of problem. */
  readonly kind: "unknown" | "ambiguous" | "incompatible" | "currency" | "count" | "range";
  /** The field, as it was given; empty where the days or all fields are meant. */
  readonly field: string;
  /** The problem, its cause, and the next step. */
  readonly message: string;
}

/** Limits of a time field. */
export interface ReportTimeLimits {
  /** The time field with the strictest limits; `dateRange.value` stands for a report without one. */
  readonly field: string;
  /** Length of its history, for example `15 months`. */
  readonly history: string;
  /** Maximum span of one report. */
  readonly longest: string;
  /** First day that can be asked for; absent where it is not known what day it is. */
  readonly firstDay?: string | undefined;
}

/** Result of `reportFields.check`. */
export interface ReportFieldCheck {
  /** The fields to ask for: names of version 3 translated, required companions added. */
  readonly fields: readonly string[];
  /** Names of version 3, and the field that each stands for. */
  readonly translated: readonly {
    /** The column of version 3. */
    readonly given: string;
    /** The field that is asked for in its place. */
    readonly field: string;
    /** In words: `costPerClick is metric.cpc here`. */
    readonly message: string;
  }[];
  /** Companions that were added, and for what. */
  readonly added: readonly {
    /** The companion. */
    readonly field: string;
    readonly requiredBy: readonly string[];
  }[];
  /** Everything that keeps it from being asked for. */
  readonly findings: readonly ReportFieldFinding[];
  /** Limits of its time field. */
  readonly time: ReportTimeLimits;
  /** The days of each report that has to be asked for; empty without days, and where a finding is about days. */
  readonly periods: readonly DayRange[];
}

/** Options of `reportFields.check`. */
export interface CheckFieldsOptions {
  /** First requested day, `YYYY-MM-DD`; periods are checked where both days are given. */
  readonly start?: string | undefined;
  /** Last requested day, `YYYY-MM-DD`. */
  readonly end?: string | undefined;
  /** The day it is where the account is. @default today in UTC */
  readonly today?: string | undefined;
  /** Currency that amounts are converted to: adds the converted field of each amount, beside the amount itself. */
  readonly currency?: string | undefined;
}
