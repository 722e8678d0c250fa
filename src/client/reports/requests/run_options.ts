import type { PollOptions } from "../../jobs/poller.ts";
import type { ReportingApi, TimeUnit } from "./report_configuration.ts";
import type { ReportRequest, ReportShape } from "./report_requests.ts";

/** Progress of a report's run. */
export interface ReportProgress {
  /**
   * `requested`, or `adopted` if it was already in progress; `waiting` at each poll, `reading` as rows arrive, then
   * `done`.
   */
  readonly kind: "requested" | "adopted" | "waiting" | "reading" | "done";
  /** Id of the report, for status requests and download. */
  readonly reportId: string;
  /** The request as sent. */
  readonly request: ReportRequest;
  /** Last status of the platform. */
  readonly status: string;
  /** Seconds since waiting began. */
  readonly seconds: number;
  /** Rows read so far. */
  readonly rows: number;
}

/** Options of `run` and `stream`. */
export interface RunOptions extends ReportShape, PollOptions {
  /**
   * Reports for a preset: the old ones, or the new ones with their longer history, in the same columns. Columns that
   * new reports lack are empty, and `onWarning` lists them before anything is sent.
   *
   * @default 3
   */
  readonly reporting?: ReportingApi | undefined;
  /**
   * Keywords and targets by kind, as returned by `store.entities(profileId)`; used to add the ids that the new reports
   * lack.
   *
   * @default those that the account lists
   */
  readonly entities?: ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]> | undefined;
  /** Called with warnings before rows arrive, for example about days past the retention. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** Called with the progress of each report. */
  readonly onProgress?: ((progress: ReportProgress) => void) | undefined;
}

/**
 * Options of `run` and `stream` for a report with typed rows, whose columns and time unit are part of the report
 * itself.
 */
export type TypedRunOptions = Omit<RunOptions, "columns" | "timeUnit" | "reporting" | "entities">;

/** Options of `run` and `stream` for a preset with typed rows, which requires version 3 and known columns. */
export interface PresetRunOptions<Column extends string = string, Unit extends TimeUnit = TimeUnit>
  extends RunOptions {
  /** Columns of the rows. @default those of the preset */
  readonly columns?: readonly Column[] | undefined;
  /** `DAILY`, with a `date` in each row, or `SUMMARY`. @default DAILY */
  readonly timeUnit?: Unit | undefined;
  /**
   * Reporting API; must be version 3, because rows of the new reports may have other columns and are not typed.
   *
   * @default 3
   */
  readonly reporting?: 3 | undefined;
}
