import { addDays, dayIn, type DayRange } from "../../base/time/calendar.ts";
import { closedParts } from "../../client/clean_room/run_windows.ts";
import type { RunJobOptions } from "../../client/jobs/job_options.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { BadRequestError, ForbiddenError, UnauthorizedError } from "../../errors.ts";
import { refusesProfile } from "../../platform/transport/error_body.ts";
import type { REPORT_INSTANCES, WorkflowRun } from "../../store/model/workflow_tables.ts";
import { Limiter } from "../../store/sync/limiter.ts";
import { viewColumn } from "../../store/views/view_columns.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import { storeRun } from "./store_run.ts";
import { type JobReportRow, runJobReport, zoneOf } from "./run_job_report.ts";
import { advertiserProblem, type JobReport, type JobReportName } from "./job_reports.ts";

/** Days back from the last complete one: long enough for every window to be restated for the last time. */
const DEFAULT_DAYS = 56;
/** Reports of profiles that are under way at once. */
const MAX_RUNNING = 4;

/** Days and waiting of {@linkcode syncJobReports}. */
export interface SyncJobReportsOptions
  extends Pick<RunJobOptions, "signal" | "timeout" | "first" | "poll" | "maxPoll" | "onStatus"> {
  /** First day of windows. @default 56 days back from the last day */
  readonly start?: string | undefined;
  /** Last day of windows. @default the last day whose data is complete, three days ago */
  readonly end?: string | undefined;
  /** Ids of DSP advertisers, for reports by advertiser. Version 2 only takes those of a single profile, as digits. */
  readonly advertisers?: readonly string[] | undefined;
  /** True to add profiles of a different login than the stored ones. @default false */
  readonly addAccount?: boolean | undefined;
  /** Called when a window is stored, found or has failed, or a report is not available. */
  readonly onOutcome?: ((outcome: JobReportOutcome) => void) | undefined;
}

/** A window of a report in a sync. */
export interface JobReportOutcome extends DayRange {
  /** As the login lists it; the profile that requests a report by advertiser. */
  readonly profileId: string;
  /** Country of the profile. */
  readonly countryCode: string;
  /** Name of the report. */
  readonly report: JobReportName;
  /** DSP advertiser of a report by advertiser. */
  readonly advertiser?: string | undefined;
  /**
   * `found` for a window that was stored before and is not restated yet; `unavailable` for a profile or an advertiser without
   * such reports, whose other windows are not requested.
   */
  readonly state: "stored" | "found" | "failed" | "unavailable";
  /** Rows that were stored. */
  readonly rows: number;
  /** Why there are none. */
  readonly error?: Error | undefined;
  /** Problem with the view, named; the rows are stored. */
  readonly warning?: string | undefined;
}

/** The windows of a report, of a profile or an advertiser, one after the other. */
interface Series {
  readonly profile: ProfileClient;
  readonly report: JobReport;
  readonly advertiser: string | undefined;
  readonly parts: readonly DayRange[];
}

/**
 * Stores reports that use separate APIs by whole weeks, in views named for them. A week is requested once it is complete, and
 * again each time after the platform has restated it, which is another version: the view has the last one, and
 * `<report>_history` all. A profile without a report does not affect the others.
 *
 * @throws {RangeError} for days without complete weeks, missing or wrong advertisers, or advertisers of version 2 with
 * several profiles; `OtherAccountError` when the
 * profiles do not belong to the store. Nothing was sent.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { jobReportsNamed, syncJobReports } from "@platform/ads/account";
 * import { Warehouse } from "@platform/ads/store";
 *
 * async function nightly(profiles: ProfileClient[]): Promise<boolean> {
 *   await using store = await Warehouse.open("ads.sqlite");
 *   const outcomes = await syncJobReports(store, profiles, jobReportsNamed(["attribution", "brand-metrics"]));
 *   return outcomes.every(({ state }) => state !== "failed");
 * }
 * ```
 */
export async function syncJobReports(
  store: Warehouse,
  profiles: readonly ProfileClient[],
  reports: readonly JobReport[],
  options: SyncJobReportsOptions = {},
): Promise<JobReportOutcome[]> {
  const { addAccount, onOutcome } = options;
  const advertisers = [...new Set(options.advertisers)];
  checkAdvertisers(profiles, reports, advertisers);
  await store.checkAccounts(profiles, { addAccount });
  const series = profiles.flatMap((profile) =>
    reports.flatMap((report): Series[] => {
      const parts = weeksOf(profile, report, options);
      const about = report.byAdvertiser ? advertisers : [undefined];
      return about.map((advertiser) => ({ profile, report, advertiser, parts }));
    })
  );
  const limiter = new Limiter(MAX_RUNNING);
  const outcomes = series.map((one) =>
    limiter.run(async () => {
      const own: JobReportOutcome[] = [];
      for await (const outcome of syncSeries(store, one, options)) {
        onOutcome?.(outcome);
        own.push(outcome);
      }
      return own;
    })
  );
  return (await Promise.all(outcomes)).flat();
}

/** @throws {RangeError} with all problems. */
function checkAdvertisers(
  profiles: readonly ProfileClient[],
  reports: readonly JobReport[],
  advertisers: readonly string[],
): void {
  const problems: string[] = [];
  const lacking = reports.filter(({ byAdvertiser }) => byAdvertiser && advertisers.length === 0);
  if (lacking.length > 0) {
    problems.push(`${lacking.map(({ name }) => name).join(", ")}: ids of DSP advertisers are missing`);
  }
  for (const report of reports) {
    const wrong = advertiserProblem(report, advertisers);
    if (wrong !== undefined) problems.push(`${report.name}: ${wrong}`);
    // To a profile without the advertiser, the platform responds with no rows, which would replace those of its own.
    if (report.group === "dsp-v2" && advertisers.length > 0 && profiles.length > 1) {
      problems.push(
        `${report.name}: an advertiser belongs to one profile, not to ${profiles.length}; sync each profile with its own`,
      );
    }
  }
  if (problems.length > 0) throw new RangeError(`Cannot sync ${problems.join("; ")}`);
}

/** Whole weeks whose data is complete and still kept. */
function weeksOf(
  profile: ProfileClient,
  report: JobReport,
  { start, end }: SyncJobReportsOptions,
): DayRange[] {
  const zone = zoneOf(report, profile);
  const now = profile.transport.now();
  const kept = addDays(dayIn(zone, now), -report.retentionDays);
  const parts = closedParts({ start, end, each: "week", days: DEFAULT_DAYS, zone }, now);
  return parts.filter((part) => part.start >= kept);
}

async function* syncSeries(
  store: Warehouse,
  { profile, report, advertiser, parts }: Series,
  { signal, timeout, first, poll, maxPoll, onStatus }: SyncJobReportsOptions,
): AsyncGenerator<JobReportOutcome> {
  const { profileId, countryCode } = profile;
  const { name, operation, request, restatedAfter } = report;
  const zone = zoneOf(report, profile);
  const clock = (): number => profile.transport.now();
  const usedAt = new Date(clock()).toISOString();
  const start: keyof typeof REPORT_INSTANCES = advertiser === undefined ? "report:" : "advertiser-report:";
  const own = { instanceId: advertiser ?? profileId, workflowId: `${start}${name}` };
  const sql = JSON.stringify({ operation, request });
  // The version of each restatement; of those used at the same time, the highest is shown.
  const versions: { readonly after: number; readonly version: number; readonly stored: WorkflowRun[] }[] = [];
  for (const after of restatedAfter) {
    const version = await store.workflows.useVersion(
      { ...own, sql, settings: JSON.stringify({ days: after, of: restatedAfter }) },
      usedAt,
    );
    versions.push({ after, version, stored: await store.workflows.runs({ ...own, version }) });
  }
  const base = { profileId, countryCode, report: name, advertiser };
  for (const part of parts) {
    const today = dayIn(zone, clock());
    const due = versions.findLast(({ after }) => addDays(part.end, after) <= today);
    if (due === undefined) continue;
    const key = { ...own, version: due.version, zone, parameters: "{}", ...part };
    const isStored = due.stored.some((run) =>
      run.start === part.start && run.end === part.end && run.zone === zone
    );
    if (isStored) {
      yield { ...base, ...part, state: "found", rows: 0 };
      continue;
    }
    const jobs: string[] = [];
    try {
      const { rows, warning } = await storeRun(
        store,
        () => ({
          ...key,
          executionId: jobs.join(),
          storedAt: new Date(clock()).toISOString(),
          columns: Object.fromEntries(
            Object.entries(report.columns).map(([column, type]) => [viewColumn(column), type]),
          ),
          profile: { profileId, countryCode },
          withheld: () => undefined,
        }),
        storedRows(runJobReport(profile, report, {
          ...{ ...part, advertiser, signal, timeout, first, poll, maxPoll, onStatus },
          onStart: ({ record }) => void jobs.push(record.jobId),
        })),
      );
      yield { ...base, ...part, state: "stored", rows, warning };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const state = isUnavailable(error) ? "unavailable" : "failed";
      yield { ...base, ...part, state, rows: 0, error };
      if (state === "unavailable" || refusesProfile(error) || signal?.aborted) return;
    }
  }
}

async function* storedRows(rows: AsyncIterable<JobReportRow>): AsyncGenerator<JobReportRow> {
  for await (const row of rows) {
    yield Object.fromEntries(Object.entries(row).map(([name, value]) => [viewColumn(name), value]));
  }
}

/** True for the platform's refusal of a report that a profile or an advertiser does not have. */
function isUnavailable(error: Error): boolean {
  if (error instanceof ForbiddenError) return true;
  const isRefusal = error instanceof BadRequestError || error instanceof UnauthorizedError;
  return isRefusal && !refusesProfile(error) && /not (?:authori[sz]ed|enrolled|eligible)/i.test(error.body);
}
