import type { ReportNumberField, ReportTextField } from "../../../catalog/report_field_names.ts";
import type { DayRange } from "../../base/time/calendar.ts";
import type { PollOptions } from "../jobs/poller.ts";
import type { CheckFieldsOptions, ReportField, ReportFieldCheck } from "./report_field.ts";
import type { ReportValue } from "./file/report_row.ts";

export type { ReportNumberField, ReportTextField };

/** Name of a field of the new reports, or of a column of version 3. */
export type ReportFieldName = ReportTextField | ReportNumberField | (string & Record<never, never>);

/** Condition on a field: the allowed values, or the excluded ones (`not`). */
export type FieldCondition =
  | string
  | readonly string[]
  | {
    /** Excluded values. */
    readonly not: string | readonly string[];
  };

/** A report in the new reports: any compatible fields over any retained days. */
export interface FieldsReport<Field extends string = string> {
  /** Fields of a row; rows are grouped by the dimensions among them. Columns of version 3 are translated. */
  readonly fields: readonly Field[];
  /** First day, `YYYY-MM-DD`, in the profile's time zone. */
  readonly start: string;
  /** Last day, included; longer periods are split into several requests. */
  readonly end: string;
  /** Conditions on dimensions, by field name; rows must meet all of them. */
  readonly filter?: Readonly<Record<string, FieldCondition>> | undefined;
  /** Currency to convert amounts to, in addition to the account's own, for example `USD`. */
  readonly currency?: string | undefined;
  /** Profiles to report on, all in one region. @default the profile itself */
  readonly profiles?: readonly string[] | undefined;
  /**
   * True to include all marketplaces of the profiles' advertiser accounts, each in its own currency. Otherwise the
   * report is filtered by `campaign.country` if an account has other marketplaces.
   * @default false
   */
  readonly wholeAccount?: boolean | undefined;
  /** File format; the rows are the same. @default "PARTITIONED_GZIP_JSON" */
  readonly format?: "CSV" | "GZIP_JSON" | "PARTITIONED_CSV" | "PARTITIONED_GZIP_JSON" | undefined;
}

export function isFieldsReport(report: unknown): report is FieldsReport {
  return typeof report === "object" && report !== null && "fields" in report;
}

/** A row of a report of fields: texts and ids are strings, figures are numbers; `null` if the platform has no value. */
export type FieldsRow<Field extends string = string> =
  & { [Name in Extract<Field, ReportTextField>]: string | null }
  & { [Name in Extract<Field, ReportNumberField>]: number | null }
  & Record<string, ReportValue>;

/** Progress of a report of fields. */
export interface FieldsProgress extends DayRange {
  /**
   * `requested` once per report, or `adopted` if an earlier run requested it; `waiting` at each poll, `reading` as rows
   * arrive, then `done`.
   */
  readonly kind: "requested" | "adopted" | "waiting" | "reading" | "done";
  /** Id of the report, for status requests. */
  readonly reportId: string;
  /** Last status of the platform. */
  readonly status: string;
  /** Seconds since waiting began. */
  readonly seconds: number;
  /** Rows read so far. */
  readonly rows: number;
}

/** Options of `run` and `stream` for a report of fields. It is polled once a minute unless `poll` is set. */
export interface FieldsRunOptions extends PollOptions {
  /** Called with messages about translated and added fields before anything is sent. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** Called with the progress of each report. */
  readonly onProgress?: ((progress: FieldsProgress) => void) | undefined;
}

/** Looks up and checks the fields of the new reports. */
export interface ReportFieldCatalog {
  /**
   * Finds fields whose name, in either version, contains all of the given words; closest match first.
   *
   * @param words Parts of names, for example `new to brand sales`; none for all fields.
   */
  search(words: string): Promise<ReportField[]>;
  /**
   * Checks whether fields can be combined, without sending anything.
   *
   * @param fields Names of fields, or of columns of version 3.
   * @throws {RangeError} for days that are not days of the calendar.
   */
  check(fields: readonly string[], options?: CheckFieldsOptions): Promise<ReportFieldCheck>;
}

/**
 * The 817 fields of the new reports, loaded on first use.
 *
 * @example
 * ```ts
 * import { reportFields } from "@platform/ads";
 *
 * const [first] = await reportFields.search("cost per click");
 * const { fields, findings } = await reportFields.check(["date.value", "campaign.id", "costPerClick"]);
 * console.log(first?.field, fields.length, findings.length); // metric.cpc 4 0
 * ```
 */
export const reportFields: ReportFieldCatalog = {
  search: async (words) => (await import("./check_fields.ts")).searchFields(words),
  check: async (fields, options) => (await import("./check_fields.ts")).checkFields(fields, options),
};
