import type { ProfileScope } from "../../platform/transport/profile_scope.ts";
import { countDays, dayIn } from "../../base/time/calendar.ts";
import type { PollOptions } from "../jobs/poller.ts";
import {
  type KnownReport,
  type ReportColumnOf,
  type ReportGrouping,
  type ReportKind,
  type ReportPresetColumns,
  type ReportPresetRow,
  type ReportRequest,
  type ReportRequests,
  reportRequests,
  type ReportShape,
  type ReportTypeName,
  type TypedReport,
  type TypedReportRow,
} from "./requests/report_requests.ts";
import type { ReportRow } from "./file/report_row.ts";
import type { ReportStatus } from "./requests/report_status.ts";
import { timeZoneOf } from "../../base/markets/markets.ts";
import { presetName, type ReportPresetName } from "./requests/presets.ts";
import type { ReportComparison } from "./compare_presets.ts";
import type { PresetAsked } from "./preset_rows.ts";
import {
  type FieldsReport,
  type FieldsRow,
  type FieldsRunOptions,
  isFieldsReport,
  type ReportFieldName,
} from "./fields_report.ts";
import type { TimeUnit } from "./requests/report_configuration.ts";
import type { PresetRunOptions, RunOptions, TypedRunOptions } from "./requests/run_options.ts";
import type { CreatedReport, WaitOptions } from "./requests/report_job.ts";

/** Columns, filters and time unit of one report, and how its creation is retried. */
export interface CreateReportOptions extends ReportShape, PollOptions {}

/**
 * Offline reports of one profile, available as `profile.reports`.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 *
 * async function costs(us: ProfileClient): Promise<void> {
 *   const rows = await us.reports.run("sp_placement", "2026-10-01", "2026-11-14"); // two requests: 31 days a report
 *   console.log(rows.reduce((sum, { cost }) => sum + (cost ?? 0), 0));
 *   for await (const row of us.reports.stream("sp_search_terms", "2026-11-01", "2026-11-14")) {
 *     console.log(row.searchTerm, row.clicks); // in bounded memory
 *   }
 * }
 * ```
 */
export class Reports {
  readonly #scope: ProfileScope;
  readonly #timeZone: string;
  readonly #accountType: string | undefined;

  /**
   * Called by the client to create the reports of a profile.
   *
   * @param scope The profile and its connection.
   * @param options `accountType` is the kind of its account, which decides what the new reports count.
   */
  constructor(
    scope: ProfileScope,
    options: { timezone?: string | undefined; accountType?: string | undefined } = {},
  ) {
    this.#scope = scope;
    this.#accountType = options.accountType;
    this.#timeZone = timeZoneOf({ countryCode: scope.countryCode, timezone: options.timezone });
  }

  /** Current day in the profile's time zone, `YYYY-MM-DD`. */
  get today(): string {
    return dayIn(this.#timeZone, this.#scope.transport.now());
  }

  /**
   * Returns the requests and warnings that a `run` would produce. Nothing is sent.
   *
   * @param report A preset's name, a type with columns, or a whole configuration.
   * @param range First and last day, both `YYYY-MM-DD` and included.
   */
  requests(
    report: ReportKind | TypedReport,
    range: { start: string; end: string } & ReportShape,
  ): ReportRequests {
    return reportRequests(report, { ...range, today: this.today });
  }

  /**
   * Checks a report against the published limits of its type: columns, groupings, filters, time unit and retention.
   * `run`, `stream` and `create` do this before anything is sent.
   *
   * @throws {TypeError} or `RangeError` that lists the problems.
   */
  async check(
    report: ReportKind | TypedReport,
    range: { start: string; end: string } & ReportShape,
  ): Promise<void> {
    const [first] = this.requests(report, range).requests;
    if (first === undefined || range.check === false) return;
    const { checkReport } = await import("./requests/check_report.ts");
    await checkReport(first.configuration, { start: first.startDate, today: this.today });
  }

  /**
   * Requests a report over any range of days, waits for it and returns its rows. A range longer than one report may
   * span (31 days for most types) is split into parts; all parts are requested before waiting for any. With `SUMMARY`,
   * each part has its own totals. Rows are typed for presets and for types with columns, `{ type, groupBy, columns }`.
   *
   * @param start First day, `YYYY-MM-DD`, in the profile's time zone.
   * @param end Last day, included.
   * @throws {ConfigurationError} or `RangeError` for an invalid request, {@linkcode ApiError} if the platform refuses,
   * {@linkcode ReportFailedError} if a report fails, takes too long, or its file is incomplete.
   */
  run<
    Type extends ReportTypeName,
    Group extends ReportGrouping<Type>,
    const Column extends ReportColumnOf<Type, Group>,
    Unit extends TimeUnit = "DAILY",
  >(
    report: TypedReport<Type, Group, Column, Unit>,
    start: string,
    end: string,
    options?: TypedRunOptions,
  ): Promise<TypedReportRow<Column, Unit>[]>;
  /** Like the overload above, for a preset. */
  run<
    Name extends ReportPresetName,
    const Column extends string = ReportPresetColumns[Name],
    Unit extends TimeUnit = "DAILY",
  >(
    report: Name,
    start: string,
    end: string,
    options?: PresetRunOptions<Column, Unit>,
  ): Promise<ReportPresetRow<Name, Column, Unit>[]>;
  /** Like the overload above, for a whole configuration, or a name that the compiler does not know. */
  run<const Kind extends ReportKind>(
    report: Kind & KnownReport<Kind>,
    start: string,
    end: string,
    options?: RunOptions,
  ): Promise<ReportRow[]>;
  /** Like the overload above, for a report of free fields in the new reports, which contains its own days. */
  run<const Field extends ReportFieldName>(
    report: FieldsReport<Field>,
    options?: FieldsRunOptions,
  ): Promise<FieldsRow<Field>[]>;
  async run(...asked: RunArguments): Promise<ReportRow[]> {
    const rows: ReportRow[] = [];
    for await (const batch of this.#asked(asked)) for (const row of batch) rows.push(row);
    return rows;
  }

  /** Like `run`, but yields rows in bounded memory. Some rows may have been yielded before an error is thrown. */
  stream<
    Type extends ReportTypeName,
    Group extends ReportGrouping<Type>,
    const Column extends ReportColumnOf<Type, Group>,
    Unit extends TimeUnit = "DAILY",
  >(
    report: TypedReport<Type, Group, Column, Unit>,
    start: string,
    end: string,
    options?: TypedRunOptions,
  ): AsyncGenerator<TypedReportRow<Column, Unit>>;
  /** Like the overload above, for a preset. */
  stream<
    Name extends ReportPresetName,
    const Column extends string = ReportPresetColumns[Name],
    Unit extends TimeUnit = "DAILY",
  >(
    report: Name,
    start: string,
    end: string,
    options?: PresetRunOptions<Column, Unit>,
  ): AsyncGenerator<ReportPresetRow<Name, Column, Unit>>;
  /** Like the overload above, for a whole configuration, or a name that the compiler does not know. */
  stream<const Kind extends ReportKind>(
    report: Kind & KnownReport<Kind>,
    start: string,
    end: string,
    options?: RunOptions,
  ): AsyncGenerator<ReportRow>;
  /** Like the overload above, for a report of free fields in the new reports, which contains its own days. */
  stream<const Field extends ReportFieldName>(
    report: FieldsReport<Field>,
    options?: FieldsRunOptions,
  ): AsyncGenerator<FieldsRow<Field>>;
  async *stream(...asked: RunArguments): AsyncGenerator<ReportRow> {
    for await (const batch of this.#asked(asked)) yield* batch;
  }

  /**
   * Requests a preset report from both reporting APIs and compares all rows and columns that both APIs return.
   *
   * @throws {TypeError} or `RangeError` if one of them cannot serve it; nothing is sent then.
   */
  async compare(
    report: ReportPresetName,
    start: string,
    end: string,
    options: Omit<RunOptions, "reporting"> = {},
  ): Promise<ReportComparison> {
    const { comparePresets } = await import("./compare_presets.ts");
    const { fieldsOfPreset } = await import("./preset_rows.ts");
    const { sources } = await fieldsOfPreset(this.#preset(report, { start, end }), options);
    await this.check(report, { ...options, start, end });
    return await comparePresets({ report, sources }, {
      reporting3: this.stream(report, start, end, options),
      reporting1: this.stream(report, start, end, { ...options, reporting: 1 }),
    }, { isDaily: options.timeUnit !== "SUMMARY" });
  }

  /**
   * Requests one report, of at most 31 days for most types, and returns its id. If an identical report is in progress,
   * returns the id of that report.
   *
   * @throws {RangeError} for more days than one report takes.
   */
  async create(
    report: ReportKind | TypedReport,
    start: string,
    end: string,
    options: CreateReportOptions = {},
  ): Promise<string> {
    const { requests } = this.requests(report, { ...options, start, end });
    await this.check(report, { ...options, start, end });
    if (requests.length > 1) {
      throw new RangeError(
        `Cannot ask for ${start} to ${end} in one report: it takes ${
          daysIn(requests[0]!)
        } days. Use run() or stream()`,
      );
    }
    return (await this.ask(requests[0]!, options)).reportId;
  }

  /** Sends one of the requests returned by `requests`. */
  async ask(request: ReportRequest, options: PollOptions = {}): Promise<CreatedReport> {
    const { createReport } = await import("./requests/report_job.ts");
    return await createReport(this.#scope, request, options);
  }

  /** Requests the current status of a report. */
  async status(reportId: string, options: { signal?: AbortSignal } = {}): Promise<ReportStatus> {
    const { reportStatus } = await import("./requests/report_job.ts");
    return await reportStatus(this.#scope, reportId, options);
  }

  /**
   * Waits until a report is completed.
   *
   * @throws {ReportFailedError} when it fails, is cancelled, or is not completed in time.
   */
  async wait(reportId: string, options: WaitOptions = {}): Promise<ReportStatus> {
    const { waitForReport } = await import("./requests/report_job.ts");
    return await waitForReport(this.#scope, reportId, options);
  }

  /**
   * Returns the rows of a completed report.
   *
   * @param report Its id, or the status returned by `wait`.
   * @throws {ReportFailedError} if it is not completed, its address has expired without a replacement, or its file is
   * incomplete.
   */
  async download(
    report: string | ReportStatus,
    options: { signal?: AbortSignal } = {},
  ): Promise<ReportRow[]> {
    const rows: ReportRow[] = [];
    for await (const batch of this.batches(report, options)) for (const row of batch) rows.push(row);
    return rows;
  }

  /** Like `download`, but yields rows in batches, in bounded memory; batch sizes follow the chunks of the file. */
  async *batches(
    report: string | ReportStatus,
    options: { signal?: AbortSignal } = {},
  ): AsyncGenerator<ReportRow[]> {
    const status = typeof report === "string" ? await this.status(report, options) : report;
    const { reportRows } = await import("./requests/report_job.ts");
    yield* reportRows(this.#scope, status, options);
  }

  /** Cancels a report that has not been built yet. */
  async delete(reportId: string, options: { signal?: AbortSignal } = {}): Promise<void> {
    const { cancelReport } = await import("./requests/report_job.ts");
    await cancelReport(this.#scope, reportId, options);
  }

  async *#asked([report, startOrOptions, end, options]: RunArguments): AsyncGenerator<ReportRow[]> {
    if (isFieldsReport(report)) {
      const { fieldsRows } = await import("./run_fields.ts");
      const given = startOrOptions as FieldsRunOptions | undefined;
      yield* fieldsRows(this.#scope, report, { ...given, today: this.today });
      return;
    }
    const days = { start: startOrOptions as string, end: end as string };
    if (options?.reporting !== 1) yield* this.#batches(report, { ...days, options: options ?? {} });
    else {
      const { presetRows } = await import("./preset_rows.ts");
      yield* presetRows(this.#scope, this.#preset(report, days), options);
    }
  }

  #preset(
    report: ReportKind | TypedReport,
    days: { readonly start: string; readonly end: string },
  ): PresetAsked {
    if (typeof report !== "string") {
      throw new TypeError(
        "Cannot read this report from new reports: it has no short name. Name its fields: run({ fields, start, end })",
      );
    }
    return { report: presetName(report), ...days, accountType: this.#accountType, today: this.today };
  }

  async *#batches(
    report: ReportKind | TypedReport,
    asked: { start: string; end: string; options: RunOptions },
  ): AsyncGenerator<ReportRow[]> {
    const { start, end, options } = asked;
    const { requests, warnings } = this.requests(report, { ...options, start, end });
    await this.check(report, { ...options, start, end });
    for (const warning of warnings) options.onWarning?.(warning);
    const { onProgress } = options;
    const { reportsRows, withRange } = await import("./requests/report_job.ts");
    yield* reportsRows(this.#scope, requests, {
      ...options,
      tell: ({ jobId, ...step }, request) => onProgress?.({ ...step, reportId: jobId, request }),
      finish: withRange,
    });
  }
}

type RunArguments = readonly [
  report: ReportKind | TypedReport | FieldsReport,
  startOrOptions?: string | FieldsRunOptions,
  end?: string,
  options?: RunOptions,
];

function daysIn({ startDate, endDate }: ReportRequest): number {
  return countDays({ start: startDate, end: endDate });
}
