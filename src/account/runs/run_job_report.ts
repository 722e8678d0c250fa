import { addDays, dayIn, type DayRange, isDay, splitRange } from "../../base/time/calendar.ts";
import { isObject } from "../../base/json/fields_of.ts";
import type { RunJobOptions } from "../../client/jobs/job_options.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { type JobReportRow, jobReportRow } from "./job_report_row.ts";
import { advertiserProblem, type JobReport } from "./job_reports.ts";

/** Rows per page of an attribution report. */
const PAGE_ROWS = 5000;

/** Days, advertiser and waiting times for {@linkcode runJobReport}. */
export interface RunJobReportOptions
  extends Pick<RunJobOptions, "signal" | "timeout" | "first" | "poll" | "maxPoll" | "onStatus" | "onStart"> {
  /** First day, `YYYY-MM-DD`. */
  readonly start: string;
  /** Last day, `YYYY-MM-DD`. */
  readonly end: string;
  /** Id of a DSP advertiser, for reports by advertiser. Version 3 also takes entity ids. */
  readonly advertiser?: string | undefined;
}

/** Returns the IANA time zone that a report's days are in. */
export function zoneOf({ isUtc }: JobReport, profile: ProfileClient): string {
  return isUtc ? "UTC" : profile.timeZone;
}

/**
 * Runs a report that has its own API, and yields its rows as they arrive, in bounded memory.
 *
 * @throws {RangeError} for days without data, or an advertiser that is missing or not wanted, all at once. Nothing was sent.
 *
 * @example
 * ```ts
 * import type { ProfileClient } from "@platform/ads";
 * import { jobReportsNamed, runJobReport } from "@platform/ads/account";
 *
 * async function otherSites(us: ProfileClient): Promise<void> {
 *   const [report] = jobReportsNamed(["attribution-campaigns"]);
 *   const days = { start: "2026-09-01", end: "2026-09-30" };
 *   for await (const row of runJobReport(us, report!, days)) console.log(row.campaignId, row.clickThroughs);
 * }
 * ```
 */
export async function* runJobReport(
  profile: ProfileClient,
  report: JobReport,
  options: RunJobReportOptions,
): AsyncGenerator<JobReportRow> {
  const { start, end, advertiser, ...run } = options;
  checkJobReport(profile, report, options);
  for (const part of splitRange({ start, end }, report.maxDays)) {
    const rows = report.group === "attribution"
      ? attributionRows(profile, report, part, run.signal)
      : (await profile.jobs.run(report.operation, requestOf(report, part, advertiser), {
        ...run,
        ...(report.group === "dsp" && advertiser !== undefined
          ? { pathParams: { accountId: advertiser } }
          : {}),
      })).rows;
    for await (const row of rows) yield jobReportRow(report, row);
  }
}

/**
 * Checks the days and the advertiser of a report.
 *
 * @throws {RangeError} with all problems.
 */
export function checkJobReport(
  profile: ProfileClient,
  report: JobReport,
  { start, end, advertiser }: RunJobReportOptions,
): void {
  const { retentionDays, byAdvertiser, noun } = report;
  const zone = zoneOf(report, profile);
  const today = dayIn(zone, profile.transport.now());
  const first = addDays(today, -retentionDays);
  const problems: string[] = [];
  for (const [name, day] of Object.entries({ start, end })) {
    if (!isDay(day)) problems.push(`${name} ${JSON.stringify(day)} is not a day such as 2026-09-30`);
  }
  if (problems.length === 0) {
    if (end < start) problems.push(`the end ${end} is before the start ${start}`);
    if (end >= today) {
      problems.push(`${end} is not over in ${zone}; end on ${addDays(today, -1)} or before`);
    }
    if (start < first) {
      problems.push(`the platform keeps ${retentionDays} days; start on ${first} or later, not ${start}`);
    }
  }
  if (byAdvertiser && advertiser === undefined) problems.push("the id of the DSP advertiser is missing");
  const wrong = advertiser === undefined ? undefined : advertiserProblem(report, [advertiser]);
  if (wrong !== undefined) problems.push(wrong);
  if (!byAdvertiser && advertiser !== undefined) {
    problems.push("it is about a profile, not about an advertiser");
  }
  if (problems.length > 0) throw new RangeError(`Cannot run the ${noun}: ${problems.join("; ")}`);
}

/** Builds the request of a report for the given days. Version 3 of DSP reports has its advertiser in the path. */
export function requestOf(
  { group, request }: JobReport,
  { start, end }: DayRange,
  advertiser?: string,
): Record<string, unknown> {
  if (group === "brand-metrics") return { ...request, reportStartDate: start, reportEndDate: end };
  if (group === "dsp") return { ...request, startDate: start, endDate: end };
  const plain = (day: string): string => day.replaceAll("-", "");
  const days = { startDate: plain(start), endDate: plain(end) };
  if (group === "dsp-v2") return { ...request, ...days, advertiserIds: [advertiser] };
  return { ...request, ...days, count: PAGE_ROWS };
}

async function* attributionRows(
  profile: ProfileClient,
  report: JobReport,
  part: DayRange,
  signal: AbortSignal | undefined,
): AsyncGenerator<Record<string, unknown>> {
  for await (
    const page of profile.pages<string>(report.operation, requestOf(report, part), signal && { signal })
  ) {
    const rows = isObject(page) ? page["reports"] : undefined;
    for (const row of Array.isArray(rows) ? rows : []) if (isObject(row)) yield row;
  }
}
