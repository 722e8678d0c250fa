import type { DayRange } from "../../../base/time/calendar.ts";
import type { ReportNumberField, ReportTextField } from "../../../../catalog/report_field_names.ts";
import type { PollOptions } from "../requests/poller.ts";
import type { ReportValue } from "../file/report_row.ts";

export type { ReportNumberField, ReportTextField };

/** Name of a field of reporting 1, or of a column of version 3. */
export type ReportFieldName = ReportTextField | ReportNumberField | (string & Record<never, never>);

/** Values that a row may have in a field, or must not have. */
export type FieldCondition =
  | string
  | readonly string[]
  | {
    /** Values that no row may have. */
    readonly not: string | readonly string[];
  };

/** A report of reporting 1: any fields that go together, over any days that are kept. */
export interface FieldsReport<Field extends string = string> {
  /** Fields of a row; the dimensions among them are the grouping. Columns of version 3 are translated. */
  readonly fields: readonly Field[];
  /** First day, `YYYY-MM-DD`, where the profile is. */
  readonly start: string;
  /** Last day, included; longer periods are split into several requests. */
  readonly end: string;
  /** Conditions on dimensions; a row meets all of them. */
  readonly filter?: Readonly<Record<string, FieldCondition>> | undefined;
  /** Currency that amounts are converted to, beside the account's own: `USD`. */
  readonly currency?: string | undefined;
  /** Profiles that the rows are of, of the same region. @default the profile itself */
  readonly profiles?: readonly string[] | undefined;
  /**
   * True for the rows of all marketplaces of the profiles' advertiser accounts, in their currencies. Else the report has a
   * condition on `campaign.country` where an account has other marketplaces too. @default false
   */
  readonly wholeAccount?: boolean | undefined;
  /** Form of the files. The rows are the same. @default "PARTITIONED_GZIP_JSON" */
  readonly format?: "CSV" | "GZIP_JSON" | "PARTITIONED_CSV" | "PARTITIONED_GZIP_JSON" | undefined;
}

/** True for a report of fields, by what tells it from a name and from a configuration of version 3. */
export function isFieldsReport(report: unknown): report is FieldsReport {
  return typeof report === "object" && report !== null && "fields" in report;
}

/** A row of a report of fields: texts and ids are strings, numbers numbers; `null` where the platform has no value. */
export type FieldsRow<Field extends string = string> =
  & { [Name in Extract<Field, ReportTextField>]: string | null }
  & { [Name in Extract<Field, ReportNumberField>]: number | null }
  & Record<string, ReportValue>;

/** Progress of a report of fields. */
export interface FieldsProgress extends DayRange {
  /** `requested` once for each report, or `adopted` where an earlier run asked for it; `waiting` at each look, `reading` as rows come, `done`. */
  readonly kind: "requested" | "adopted" | "waiting" | "reading" | "done";
  /** Id of the report for its status. */
  readonly reportId: string;
  /** Last status of the platform. */
  readonly status: string;
  /** Seconds since it was waited for. */
  readonly seconds: number;
  /** Rows read so far. */
  readonly rows: number;
}

/** Options of `run` and `stream` for a report of fields. It is looked at once a minute unless `poll` says otherwise. */
export interface FieldsRunOptions extends PollOptions {
  /** Told what was translated and added before anything is sent. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** Told what happens to each report. */
  readonly onProgress?: ((progress: FieldsProgress) => void) | undefined;
}
