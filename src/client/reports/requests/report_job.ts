import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import { createJob } from "../../jobs/create_job.ts";
import { REPORT_JOB } from "../../jobs/descriptions.ts";
import { callAbout, type JobAddress, type JobSender } from "../../jobs/job_host.ts";
import { jobFiles, jobRows } from "../../jobs/job_rows.ts";
import { type JobLook, readJob } from "../../jobs/job_status.ts";
import type { PollOptions } from "../../jobs/poller.ts";
import { type EarlierJobs, type JobStep, runJobs } from "../../jobs/run_jobs.ts";
import { scopeHost } from "../../jobs/scope_host.ts";
import { lookAtJob, waitForJob } from "../../jobs/wait_for_job.ts";
import type { ReportRow } from "../file/report_row.ts";
import type { ReportRequest } from "./report_requests.ts";
import { isOver, reportProblem, REPORTS_PATH, type ReportStatus } from "./report_status.ts";

/** A report that is being built. */
export interface CreatedReport {
  /** Id of the report, for status requests and download. */
  readonly reportId: string;
  /** True if an identical report was already in progress and is used instead. */
  readonly adopted: boolean;
}

/** Options for waiting for a report. */
export interface WaitOptions extends PollOptions {
  /** Called at every poll with the report's status and the seconds waited so far. */
  readonly onStatus?: ((status: ReportStatus, seconds: number) => void) | undefined;
}

interface SignalOptions {
  readonly signal?: AbortSignal | undefined;
}

const ROUTES = {
  "reporting:createAsyncReport": {
    method: "POST",
    path: REPORTS_PATH,
    contentType: "application/vnd.createasyncreportrequest.v3+json",
    accept: "application/vnd.createasyncreportresponse.v3+json",
  },
  "reporting:getAsyncReport": {
    method: "GET",
    path: `${REPORTS_PATH}/{reportId}`,
    accept: "application/vnd.getasyncreportresponse.v3+json",
  },
  "reporting:deleteAsyncReport": {
    method: "DELETE",
    path: `${REPORTS_PATH}/{reportId}`,
    accept: "application/vnd.deleteasyncreportresponse.v3+json",
  },
};

function hostOf(scope: ProfileScope): JobSender {
  return scopeHost(scope, { routes: ROUTES, failure: (problem) => reportProblem(problem) });
}

function addressOf(jobId: string): JobAddress {
  return { jobId, place: {} };
}

/**
 * Creates a report. If the platform rejects it as a duplicate, the report named in the rejection is used if it is
 * equal; otherwise, waits until the platform accepts the request.
 *
 * @throws {ApiError} when the platform refuses, also after `timeout`.
 * @throws {ReportFailedError} when it repeatedly names a failed report.
 */
export async function createReport(
  scope: ProfileScope,
  request: ReportRequest,
  { timeout, poll, maxPoll, signal }: PollOptions = {},
): Promise<CreatedReport> {
  const job = { body: request, place: {} };
  const { jobId, adopted } = await createJob(hostOf(scope), REPORT_JOB, job, {
    timeout,
    poll,
    maxPoll,
    signal,
  });
  return { reportId: jobId, adopted };
}

export async function reportStatus(
  scope: ProfileScope,
  reportId: string,
  { signal }: SignalOptions = {},
): Promise<ReportStatus> {
  return statusOf(await lookAtJob(hostOf(scope), REPORT_JOB, addressOf(reportId), signal));
}

/** @throws {ReportFailedError} when the report fails, is cancelled, or times out. */
export async function waitForReport(
  scope: ProfileScope,
  reportId: string,
  { timeout, poll, maxPoll, signal, onStatus }: WaitOptions = {},
): Promise<ReportStatus> {
  return statusOf(
    await waitForJob(hostOf(scope), REPORT_JOB, addressOf(reportId), {
      timeout,
      poll,
      maxPoll,
      signal,
      onLook: onStatus && ((look, seconds) => onStatus(statusOf(look), seconds)),
    }),
  );
}

/** Cancels a report that has not been built yet. */
export async function cancelReport(
  scope: ProfileScope,
  reportId: string,
  { signal }: SignalOptions,
): Promise<void> {
  const call = callAbout(REPORT_JOB, addressOf(reportId), signal);
  await hostOf(scope).send("reporting:deleteAsyncReport", call);
}

/**
 * Opens the file of a report; `undefined` if the report has no rows and therefore no file.
 *
 * @throws {ReportFailedError} when the file is unavailable.
 */
export async function openReportFile(
  scope: ProfileScope,
  report: ReportStatus,
  { signal }: SignalOptions = {},
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const job = { ...addressOf(report.reportId), look: readJob(report, REPORT_JOB) };
  const [file] = await jobFiles(hostOf(scope), REPORT_JOB, job, { signal });
  return await file?.open();
}

/**
 * Yields the rows of a report in batches, in bounded memory.
 *
 * @throws {ReportFailedError} when the download fails or is incomplete, with the number of rows already returned.
 */
export async function* reportRows(
  scope: ProfileScope,
  report: ReportStatus,
  { signal }: SignalOptions = {},
): AsyncGenerator<ReportRow[]> {
  const job = { ...addressOf(report.reportId), look: readJob(report, REPORT_JOB) };
  const { format } = report.configuration ?? {};
  yield* jobRows(hostOf(scope), REPORT_JOB, job, {
    signal,
    reading: { format, clean: (text) => scope.transport.clean(text) },
  });
}

/** Options for reading several reports. */
export interface ReportsRowsOptions extends PollOptions {
  /** Called with the progress of each report. */
  readonly tell: (step: JobStep, request: ReportRequest) => void;
  /** Reports that earlier runs requested and did not read. @default none */
  readonly earlier?: EarlierJobs<ReportRequest> | undefined;
  /** Changes the rows of a request. @default leaves them as they are */
  readonly finish?: (rows: ReportRow[], request: ReportRequest) => ReportRow[];
}

/** Yields the rows of several reports; all are requested before waiting for any. */
export async function* reportsRows(
  scope: ProfileScope,
  requests: readonly ReportRequest[],
  { tell, earlier, finish = (rows) => rows, ...options }: ReportsRowsOptions,
): AsyncGenerator<ReportRow[]> {
  yield* runJobs(requests, {
    ask: async (request) => {
      const { reportId, adopted } = await createReport(scope, request, options);
      return { jobId: reportId, adopted };
    },
    wait: async (reportId, _, onLook) => {
      const { timeout, poll, maxPoll, signal } = options;
      const waiting = { timeout, poll, maxPoll, signal, onLook };
      return await waitForJob(hostOf(scope), REPORT_JOB, addressOf(reportId), waiting);
    },
    rows: async function* (look, request) {
      for await (const batch of reportRows(scope, statusOf(look), options)) yield finish(batch, request);
    },
    tell,
    isOver,
    earlier,
  });
}

/** Adds the days of a summary to its rows if the report's type has no columns for them. */
export function withRange(
  rows: ReportRow[],
  { startDate, endDate, configuration: { timeUnit, columns } }: ReportRequest,
): ReportRow[] {
  if (timeUnit !== "SUMMARY" || columns.includes("startDate")) return rows;
  return rows.map((row) => ({ startDate, endDate, ...row }));
}

function statusOf({ fields, status }: JobLook): ReportStatus {
  return { ...fields, reportId: status.jobId, status: status.status };
}
