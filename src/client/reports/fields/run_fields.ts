import { onWire } from "../../../platform/connection/platform.ts";
import { PlatformAdsError, ThrottledError } from "../../../errors.ts";
import type { DayRange } from "../../../base/time/calendar.ts";
import { WITHIN_LIMIT } from "../../../platform/transport/api_request.ts";
import type { ProfileScope, RequestOptions } from "../../../platform/transport/profile_scope.ts";
import type { ColumnType, ReportRow } from "../file/report_row.ts";
import { fileRows } from "../file/file_rows.ts";
import { openFile } from "../file/open_file.ts";
import type { ReadRowsOptions } from "../file/read_rows.ts";
import { FieldsRefusedError, isOver, reportFailure, type ReportStatus } from "../requests/report_status.ts";
import { Poller } from "../../jobs/poller.ts";
import { waitUntilCompleted } from "../requests/wait_for_report.ts";
import { leftOutText, noRowsText, type ReportedAccounts, reportedAccounts } from "./account_marketplaces.ts";
import { addedText, checkFields } from "./check_fields.ts";
import { fieldTypes } from "./field_table.ts";
import { wireFilter } from "./field_filter.ts";
import type { FieldsProgress, FieldsReport, FieldsRunOptions } from "./fields_report.ts";
import type { ReportFieldCheck } from "./report_field.ts";

/** The platform asks for one look a minute. */
const MINUTE = 60;
/** Seconds between two requests for a report that is throttled although none of ours is under way. */
const MAX_PAUSE = 600;

/** A report of fields as the platform describes it, and where its files are. */
export type FieldsStatus = ReportStatus & { readonly parts: readonly string[] };

/** A report of fields as it is asked for, checked. */
interface FieldsAsked {
  readonly report: FieldsReport;
  readonly check: ReportFieldCheck;
  /** Accounts that it is about. */
  readonly accounts: ReportedAccounts;
  /** Conditions as the platform takes them. */
  readonly filter: unknown;
}

/**
 * Checks a report of fields.
 *
 * @throws {TypeError} with everything that keeps the fields from making a report, or `RangeError` where only the days do.
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

/**
 * Checks a report of fields, and finds the accounts behind its profiles.
 *
 * @throws {TypeError} or `RangeError` for what cannot be asked.
 */
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

/** Asks for the days of a report of fields, and returns the id of the report. */
export async function createFields(
  scope: ProfileScope,
  asked: FieldsAsked,
  { period, signal, retryThrottled = true }: {
    readonly period: DayRange;
    readonly signal?: AbortSignal | undefined;
    /** False leaves a throttled request to the caller. @default true */
    readonly retryThrottled?: boolean;
  },
): Promise<string> {
  const json = requestBody(scope, { ...asked, period });
  return statusIn(await send(scope, "create", json, { signal, retryThrottled })).reportId;
}

/** Remembers reports that were asked for and not read to their end, by their days, so that a later run takes them up. */
export interface EarlierReports {
  readonly find: (period: DayRange) => Promise<string | undefined>;
  /** Remembers it. */
  readonly add: (period: DayRange, reportId: string) => Promise<void>;
  /** Forgets it. */
  readonly remove: (period: DayRange) => Promise<void>;
}

/** The day that rows are asked for on, and the reports that earlier runs asked for already. */
export interface FieldsRowsOptions extends FieldsRunOptions {
  /** The day it is where the profile is. */
  readonly today: string;
  /** The check of the report, where it was made already. */
  readonly check?: ReportFieldCheck | undefined;
  /** Reports of earlier runs. @default none */
  readonly asked?: EarlierReports | undefined;
  /** Told what to think of a report without rows. @default `onWarning` */
  readonly onEmpty?: ((message: string) => void) | undefined;
}

/**
 * The rows of a report of fields, in batches, in bounded memory. All parts of its days are asked for before any is waited
 * for, as far as the platform takes them: existing clients were seen to have two at a time, and the others throttled for as
 * long as these are built. Those are asked for once an earlier one is read.
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
  const asking: { reportId: string; period: DayRange }[] = [];
  const tell = (
    kind: FieldsProgress["kind"],
    { reportId, period }: { reportId: string; period: DayRange },
    more: Partial<FieldsProgress> = {},
  ): void => onProgress?.({ kind, reportId, ...period, status: "PENDING", seconds: 0, rows: 0, ...more });
  const ask = async (period: DayRange, retryThrottled = true): Promise<string> => {
    const known = await earlier?.find(period);
    const reportId = known ?? await createFields(scope, wanted, { period, signal, retryThrottled });
    if (known === undefined) await earlier?.add(period, reportId);
    tell(known === undefined ? "requested" : "adopted", { reportId, period });
    return reportId;
  };
  const open = [...check.periods];
  const askMore = async (): Promise<void> => {
    const patience = new Poller(scope.transport, { ...options, poll: MINUTE, maxPoll: MAX_PAUSE });
    for (let period = open[0]; period !== undefined; period = open[0]) {
      try {
        asking.push({ reportId: await ask(period, asking.length === 0), period });
        open.shift();
      } catch (error) {
        if (!(error instanceof ThrottledError)) throw error;
        if (asking.length > 0) return;
        // Reports of others are under way.
        if (!await patience.wait()) throw error;
      }
    }
  };
  let all = 0;
  await askMore();
  for (let asked = asking[0]; asked !== undefined; asked = asking[0]) {
    let seconds = 0;
    let rows = 0;
    const look = (): Promise<FieldsStatus> => fieldsStatus(scope, asked, signal);
    const lookOrAsk = async (): Promise<FieldsStatus> => {
      try {
        return await look();
      } catch (error) {
        if (earlier === undefined || !(error instanceof FieldsRefusedError && error.isGone)) throw error;
        // The platform has forgotten the one that was remembered.
        await earlier.remove(asked.period);
        asked.reportId = await ask(asked.period);
        return await look();
      }
    };
    try {
      const done = await waitUntilCompleted(lookOrAsk, scope.transport, {
        poll: MINUTE,
        ...options,
        onStatus: ({ status }, since) => tell("waiting", asked, { status, seconds: seconds = since }),
      });
      const { fields } = check;
      const files = await fieldsFiles(scope, { fields, format: report.format, done, look, signal });
      for (const at of done.parts.keys()) {
        for await (const batch of partRows(files, { at, signal })) {
          rows += batch.length;
          tell("reading", asked, { status: done.status, seconds, rows });
          yield batch;
        }
      }
      await earlier?.remove(asked.period);
      tell("done", asked, { status: done.status, seconds, rows });
    } catch (error) {
      if (isOver(error)) await earlier?.remove(asked.period);
      throw error;
    }
    all += rows;
    asking.shift();
    await askMore();
  }
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

// A report that is asked for twice costs a report and nothing else, so that a lost response may be asked for again.
async function send(
  scope: ProfileScope,
  verb: string,
  json: unknown,
  options: Pick<RequestOptions, "signal" | "retryThrottled">,
): Promise<unknown> {
  return await scope.request("POST", `/adsApi/v1/${verb}/reports`, {
    ...options,
    json,
    idempotent: true,
    scoped: false,
    // The accounts and conditions were checked by `reportedAccounts`.
    withinLimit: WITHIN_LIMIT,
  });
}

/** The present status of a report of fields. */
export async function fieldsStatus(
  scope: ProfileScope,
  { reportId, period }: { reportId: string; period: DayRange },
  signal: AbortSignal | undefined,
): Promise<FieldsStatus> {
  const status = statusIn(await send(scope, "retrieve", { reportIds: [reportId] }, { signal }));
  return { ...status, startDate: period.start, endDate: period.end };
}

/** The one report in a response for several. */
function statusIn(response: unknown): FieldsStatus {
  const { success, error } = (response ?? {}) as {
    success?: { report?: Record<string, unknown> }[];
    error?: { errors?: { code?: string; message?: string; fieldLocation?: string }[] }[];
  };
  const problems = error?.flatMap(({ errors }) => errors ?? []) ?? [];
  if (problems.length > 0) {
    const said = problems.map(({ code, message, fieldLocation }) =>
      `${code} ${fieldLocation === undefined ? "" : `at ${fieldLocation}`}: ${message}`.replace(" :", ":")
    );
    throw new FieldsRefusedError(
      `Cannot request the report: the platform says ${said.join("; ")}`,
      problems.map(({ code }) => String(code)),
    );
  }
  const report = success?.[0]?.report;
  const { reportId, status, failureReason, failureCode, completedReportParts } = report ?? {};
  const { creationDateTime, completedDateTime } = report ?? {};
  if (typeof reportId !== "string" || typeof status !== "string") {
    throw new PlatformAdsError(
      "Cannot read what the platform says about a report: its id or status is missing",
    );
  }
  const parts = Array.isArray(completedReportParts) ? completedReportParts : [];
  return {
    reportId,
    status,
    failureReason: String(failureReason ?? failureCode ?? ""),
    ...(typeof creationDateTime === "string" ? { createdAt: creationDateTime } : {}),
    ...(typeof completedDateTime === "string" ? { generatedAt: completedDateTime } : {}),
    parts: parts.map(({ url }: { url?: unknown }) => String(url ?? "")),
  };
}

/** Names of the fields as a file has them, and what each holds. */
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

/** Files of a completed report of fields, and how their rows are read. */
export interface FieldsFiles {
  readonly open: (at: number) => Promise<AsyncIterable<Uint8Array>>;
  readonly reading: ReadRowsOptions;
  /** The rows with neutral names and types. */
  readonly typed: (rows: readonly ReportRow[]) => ReportRow[];
  readonly failure: (at: number, why: string, options?: ErrorOptions) => Error;
}

/** The files of a completed report of fields. */
export async function fieldsFiles(
  scope: ProfileScope,
  { fields, format, done, look, signal }: {
    readonly fields: readonly string[];
    readonly format: FieldsReport["format"];
    readonly done: FieldsStatus;
    readonly look: () => Promise<FieldsStatus>;
    readonly signal: AbortSignal | undefined;
  },
): Promise<FieldsFiles> {
  const names = await fieldNames(scope, fields);
  const urls = [...done.parts];
  const failure = (at: number, why: string, options?: ErrorOptions): Error =>
    reportFailure(done, `part ${at + 1} of ${done.parts.length}: ${why}`, options);
  return {
    open: (at) => {
      const renew = async (): Promise<string> => urls[at] = (await look()).parts[at] ?? "";
      const file = {
        url: urls[at] ?? "",
        renew,
        failure: (why: string, options?: ErrorOptions) => failure(at, why, options),
      };
      return openFile(file, scope.transport, signal);
    },
    reading: {
      format: format?.endsWith("CSV") ? "CSV" : "GZIP_JSON",
      clean: (text) => scope.transport.clean(text),
      typeOf: (name) => names.types.get(name),
    },
    typed: (rows) => rows.map((row) => typed(row, names)),
    failure,
  };
}

async function* partRows(
  { open, reading, typed, failure }: FieldsFiles,
  { at, signal }: { at: number; signal: AbortSignal | undefined },
): AsyncGenerator<ReportRow[]> {
  const rows = fileRows({
    open: () => open(at),
    broken: (error) =>
      failure(at, `its file is not whole: ${error.message}. ${error.rows} rows were read before`, {
        cause: error,
      }),
    reading,
    signal,
  });
  for await (const batch of rows) yield typed(batch);
}

/** A row with neutral names, and with texts where a field holds texts. */
function typed(row: ReportRow, { neutral, types }: FieldNames): ReportRow {
  const values: ReportRow = {};
  for (const [name, value] of Object.entries(row)) {
    const isText = types.get(name) === "text" || types.get(name) === "date";
    values[neutral.get(name) ?? name] = isText && typeof value === "number" ? String(value) : value;
  }
  return values;
}
