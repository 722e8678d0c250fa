import type { DayRange } from "../../base/time/calendar.ts";
import { onWire } from "../../platform/connection/platform.ts";
import { WITHIN_LIMIT } from "../../platform/transport/api_request.ts";
import type { ProfileScope } from "../../platform/transport/profile_scope.ts";
import { createJob } from "../jobs/create_job.ts";
import { FIELDS_JOB } from "../jobs/descriptions.ts";
import type { JobSender } from "../jobs/job_host.ts";
import { jobFiles, jobRows, type OfferedFile } from "../jobs/job_rows.ts";
import type { JobLook } from "../jobs/job_status.ts";
import { Poller, type PollOptions } from "../jobs/poller.ts";
import { type EarlierJobs, runJobs } from "../jobs/run_jobs.ts";
import { scopeHost } from "../jobs/scope_host.ts";
import { lookAtJob, waitForJob } from "../jobs/wait_for_job.ts";
import type { ReadRowsOptions } from "./file/read_rows.ts";
import type { ColumnType, ReportRow } from "./file/report_row.ts";
import type { WaitOptions } from "./requests/report_job.ts";
import { isOver, reportFailure, reportProblem, type ReportStatus } from "./requests/report_status.ts";
import { leftOutText, noRowsText, type ReportedAccounts, reportedAccounts } from "./account_marketplaces.ts";
import { addedText, checkFields, lookUp } from "./check_fields.ts";
import { fieldTable, fieldTypes } from "./field_table.ts";
import type { FieldCondition, FieldsReport, FieldsRunOptions } from "./fields_report.ts";
import type { ReportFieldCheck } from "./report_field.ts";

/**
 * Seconds to wait before repeating a throttled report request when none of our own reports is running, so that others
 * must be using the limit.
 */
const THROTTLED = { poll: 60, maxPoll: 600 };

/**
 * Route for operations on reports of fields. They name accounts in their body, which `reportedAccounts` has checked.
 */
const ROUTE = { method: "POST", scoped: false, withinLimit: WITHIN_LIMIT } as const;

const ROUTES = {
  "v1-all-reports:AdsApiv1CreateReport": { ...ROUTE, path: "/adsApi/v1/create/reports" },
  "v1-all-reports:AdsApiv1RetrieveReport": { ...ROUTE, path: "/adsApi/v1/retrieve/reports" },
};

interface FieldsAsked {
  readonly report: FieldsReport;
  readonly check: ReportFieldCheck;
  readonly accounts: ReportedAccounts;
  readonly filter: unknown;
}

/**
 * @throws {TypeError} with every problem of the fields.
 * @throws {RangeError} when only the days are invalid.
 */
export async function checkedFields(report: FieldsReport, today: string): Promise<ReportFieldCheck> {
  const { fields, start, end, currency } = report;
  if (!Array.isArray(fields)) {
    throw new TypeError('Cannot request a report whose "fields" is not a list of names');
  }
  const check = await checkFields(fields, { start, end, today, currency });
  await wireFilter(report.filter, (field) => field);
  const { findings } = check;
  if (findings.length === 0) return check;
  const message = `Cannot request a report of these fields: ${
    findings.map(({ message }) => message).join("; ")
  }`;
  throw findings.every(({ kind }) => kind === "range") ? new RangeError(message) : new TypeError(message);
}

export async function askedFields(
  scope: ProfileScope,
  report: FieldsReport,
  { today, signal, check: known }: Pick<FieldsRowsOptions, "today" | "signal" | "check">,
): Promise<FieldsAsked> {
  const check = known ?? await checkedFields(report, today);
  const accounts = await reportedAccounts(scope, report, signal);
  const filter = await wireFilter(
    accounts.filter,
    (field) => onWire(field, scope.transport.platform.wireWord),
  );
  return { report, check, accounts, filter };
}

export async function createFields(
  scope: ProfileScope,
  asked: FieldsAsked,
  { period, retryThrottled = true, ...options }: PollOptions & {
    readonly period: DayRange;
    readonly retryThrottled?: boolean;
  },
): Promise<string> {
  const body = requestBody(scope, { ...asked, period });
  const job = { body, place: {} };
  const waiting = { ...pollOptions(options), retryThrottled };
  return (await createJob(hostOf(scope, period), FIELDS_JOB, job, waiting)).jobId;
}

export interface FieldsRowsOptions extends FieldsRunOptions {
  readonly today: string;
  readonly check?: ReportFieldCheck | undefined;
  /** Reports requested by earlier runs. @default none */
  readonly asked?: EarlierJobs<DayRange> | undefined;
  readonly onEmpty?: ((message: string) => void) | undefined;
}

/**
 * Streams the rows of a report of fields in bounded memory. Requests all parts before waiting, as far as the platform
 * allows. Existing clients were limited to two reports at a time, so throttled parts are requested after an earlier
 * part has been read.
 */
export async function* fieldsRows(
  scope: ProfileScope,
  report: FieldsReport,
  options: FieldsRowsOptions,
): AsyncGenerator<ReportRow[]> {
  const { signal, onProgress, onWarning, onEmpty = onWarning, asked: earlier } = options;
  const wanted = await askedFields(scope, report, options);
  const { check } = wanted;
  const leftOut = leftOutText(wanted.accounts);
  if (leftOut !== undefined) onWarning?.(leftOut);
  for (const { message } of check.translated) onWarning?.(message);
  for (const { field, requiredBy } of check.added) {
    onWarning?.(addedText({ field, requiredBy }));
  }
  let all = 0;
  yield* runJobs(check.periods, {
    ask: async (period, retryThrottled) => ({
      jobId: await createFields(scope, wanted, { ...pollOptions(options), period, retryThrottled }),
      adopted: false,
    }),
    wait: (reportId, period, onLook) =>
      waitForJob(hostOf(scope, period), FIELDS_JOB, { jobId: reportId, place: {} }, {
        ...pollOptions(options),
        onLook,
      }),
    rows: async function* (look, period) {
      const { reading, typed } = await fieldsReading(scope, { fields: check.fields, format: report.format });
      const { jobId } = look.status;
      const job = { jobId, place: {}, look };
      for await (const batch of jobRows(hostOf(scope, period), FIELDS_JOB, job, { signal, reading })) {
        all += batch.length;
        yield typed(batch);
      }
    },
    tell: ({ jobId, ...step }, period) => onProgress?.({ ...step, reportId: jobId, ...period }),
    isOver,
    earlier,
    whileThrottled: () => new Poller(scope.transport, { ...pollOptions(options), ...THROTTLED }),
  });
  const empty = all === 0 ? noRowsText(wanted.accounts) : undefined;
  if (empty !== undefined) onEmpty?.(empty);
}

function requestBody(
  scope: ProfileScope,
  { report, check, period, accounts, filter }: FieldsAsked & { readonly period: DayRange },
): unknown {
  const { wireWord } = scope.transport.platform;
  const fields = check.fields.map((field) => onWire(field, wireWord));
  return {
    accessRequestedAccounts: accounts.ids.map((advertiserAccountId) => ({ advertiserAccountId })),
    reports: [{
      format: report.format ?? "PARTITIONED_GZIP_JSON",
      periods: [{ datePeriod: { startDate: period.start, endDate: period.end } }],
      query: { fields, ...(filter === undefined ? {} : { filter }) },
      ...(report.currency === undefined ? {} : { currencyOfView: report.currency }),
    }],
  };
}

function hostOf(scope: ProfileScope, { start, end }: DayRange): JobSender {
  return scopeHost(scope, {
    routes: ROUTES,
    failure: (problem) => {
      const { file, why, options } = problem;
      const status = statusOf(problem.look, { start, end });
      if (file === undefined) return reportProblem(problem, status);
      return reportFailure(status, `part ${file.at + 1} of ${file.of}: ${why}`, options);
    },
  });
}

function pollOptions({ timeout, poll, maxPoll, signal }: PollOptions): PollOptions {
  return { timeout, poll, maxPoll, signal };
}

function statusOf({ status, fields }: JobLook, { start, end }: DayRange): ReportStatus {
  const { creationDateTime: createdAt, completedDateTime: generatedAt } = fields;
  return {
    reportId: status.jobId,
    status: status.status,
    failureReason: status.reason ?? "",
    startDate: start,
    endDate: end,
    ...(typeof createdAt === "string" ? { createdAt } : {}),
    ...(typeof generatedAt === "string" ? { generatedAt } : {}),
  };
}

/**
 * Waits until a report of fields is completed.
 *
 * @throws {ReportFailedError} when it fails, is cancelled, or is not completed in time.
 */
export async function waitForFields(
  scope: ProfileScope,
  { reportId, period }: { readonly reportId: string; readonly period: DayRange },
  { onStatus, ...options }: WaitOptions,
): Promise<ReportStatus> {
  const job = { jobId: reportId, place: {} };
  const look = await waitForJob(hostOf(scope, period), FIELDS_JOB, job, {
    ...pollOptions(options),
    onLook: onStatus && ((look, seconds) => onStatus(statusOf(look, period), seconds)),
  });
  return statusOf(look, period);
}

export async function fieldsFiles(
  scope: ProfileScope,
  { reportId, period, signal }: {
    readonly reportId: string;
    readonly period: DayRange;
    readonly signal: AbortSignal | undefined;
  },
): Promise<readonly OfferedFile[]> {
  const host = hostOf(scope, period);
  const job = { jobId: reportId, place: {} };
  const look = await lookAtJob(host, FIELDS_JOB, job, signal);
  return await jobFiles(host, FIELDS_JOB, { ...job, look }, { signal });
}

interface FieldNames {
  readonly neutral: ReadonlyMap<string, string>;
  readonly types: ReadonlyMap<string, ColumnType>;
}

async function fieldNames(scope: ProfileScope, names: readonly string[]): Promise<FieldNames> {
  const wire = (name: string): string => onWire(name, scope.transport.platform.wireWord);
  return {
    neutral: new Map(names.filter((name) => wire(name) !== name).map((name) => [wire(name), name])),
    types: new Map([...await fieldTypes(names)].map(([name, type]) => [wire(name), type])),
  };
}

/** How to read the files of a report of fields. */
export interface FieldsReading {
  readonly reading: ReadRowsOptions;
  readonly typed: (rows: readonly ReportRow[]) => ReportRow[];
}

/** Returns how to read the files of a report of fields. */
export async function fieldsReading(
  scope: ProfileScope,
  { fields, format }: { readonly fields: readonly string[]; readonly format: FieldsReport["format"] },
): Promise<FieldsReading> {
  const names = await fieldNames(scope, fields);
  return {
    reading: {
      format: format?.endsWith("CSV") ? "CSV" : "GZIP_JSON",
      clean: (text) => scope.transport.clean(text),
      typeOf: (name) => names.types.get(name),
    },
    typed: (rows) => rows.map((row) => typed(row, names)),
  };
}

function typed(row: ReportRow, { neutral, types }: FieldNames): ReportRow {
  const values: ReportRow = {};
  for (const [name, value] of Object.entries(row)) {
    const isText = types.get(name) === "text" || types.get(name) === "date";
    values[neutral.get(name) ?? name] = isText && typeof value === "number" ? String(value) : value;
  }
  return values;
}

const MAX_CONDITIONS = 10;
const MAX_VALUES = 2000;

/**
 * @param wire Maps a field name to the platform's spelling.
 * @throws {TypeError} when a field is unknown, or its values are not texts, too many, or missing.
 */
async function wireFilter(
  filter: FieldsReport["filter"],
  wire: (field: string) => string,
): Promise<unknown> {
  const table = await fieldTable();
  const conditions = Object.entries(filter ?? {}).map(([name, condition]) => {
    const found = lookUp(name, table);
    if (found.field === undefined) throw new TypeError(`Cannot filter a report: ${found.message}`);
    const { values, not } = valuesOf(condition);
    if (
      values.length === 0 || values.length > MAX_VALUES || values.some((value) => typeof value !== "string")
    ) {
      throw new TypeError(
        `Cannot filter a report by "${name}": it takes 1 to ${MAX_VALUES} values, all of them texts`,
      );
    }
    const comparisonOperator = values.length === 1 ? "EQUALS" : "IN";
    return { on: { field: wire(found.field), comparisonOperator, not, values } };
  });
  if (conditions.length > MAX_CONDITIONS) {
    throw new TypeError(`Cannot filter a report by ${conditions.length} fields: at most ${MAX_CONDITIONS}`);
  }
  return conditions.length > 1 ? { and: { filters: conditions } } : conditions[0];
}

function valuesOf(condition: FieldCondition): { values: readonly string[]; not: boolean } {
  const isNot = typeof condition === "object" && condition !== null && "not" in condition;
  const given = isNot ? condition.not : condition;
  return { values: Array.isArray(given) ? given : [given as string], not: isNot };
}
