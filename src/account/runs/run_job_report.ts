import { isObject } from "../../base/json/fields_of.ts";
import { addDays, dayIn, dayOf, type DayRange, isDay, splitRange } from "../../base/time/calendar.ts";
import type { JobRow, RunJobOptions } from "../../client/jobs/job_options.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { advertiserProblem, type JobReport } from "./job_reports.ts";

/**
 * A row of a report with typed values. `null` marks a figure that the platform does not give, which differs from zero.
 */
export type JobReportRow = Readonly<Record<string, string | number | boolean | null>>;

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const ABSENT = ["", "N/A", "NA", "null"];

/** Converts a row from the platform to typed values; ids become text. */
export function jobReportRow({ columns }: JobReport, row: JobRow): JobReportRow {
  const typed: Record<string, string | number | boolean | null> = {};
  for (const [given, value] of Object.entries(row)) {
    const name = given === "Click-throughs" ? "clickThroughs" : given;
    const type = columns[name] ?? (name.endsWith("Id") || /(?:Name|Asin)$/.test(name) ? "text" : undefined);
    typed[name] = valueOf(value, type);
  }
  return typed;
}

function valueOf(value: unknown, type: string | undefined): string | number | boolean | null {
  if (value === undefined || value === null) return null;
  if (type === "day") return writtenDay(value);
  if (typeof value === "object") return JSON.stringify(value);
  const text = String(value);
  if (type === "text") return text;
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (ABSENT.includes(text.trim())) return null;
  // A rate of a spreadsheet.
  const percent = /^(.*)%$/.exec(text.trim())?.[1];
  if (percent !== undefined && NUMBER.test(percent)) return Number(percent) / 100;
  return NUMBER.test(text.trim()) ? Number(text) : text;
}

/** Converts a day to `YYYY-MM-DD`. Platforms write days as `20260930`, `9/30/2026`, a time or epoch milliseconds. */
function writtenDay(value: unknown): string | null {
  if (typeof value === "number") return dayOf(value);
  const text = String(value).trim();
  if (ABSENT.includes(text)) return null;
  const [, year, month, date] = /^(\d{4})(\d\d)(\d\d)$/.exec(text) ?? [];
  if (date !== undefined) return `${year}-${month}-${date}`;
  const [, m, d, y] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
  if (m !== undefined && d !== undefined) return `${y}-${m.padStart(2, "0")}-${d.padStart(2, "0")}`;
  if (/^\d{12,}$/.test(text)) return dayOf(Number(text));
  const day = text.slice(0, 10);
  return isDay(day) ? day : text;
}

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
