import type { ProfileClient } from "../../../client/profile_client.ts";
import { ConfigurationError } from "../../../errors.ts";
import type { DayRange } from "../../../base/time/calendar.ts";
import { sha256 } from "../../../base/text/sha256.ts";
import type { FieldsProgress, FieldsReport } from "../../../client/reports/fields/fields_report.ts";
import type { EarlierJobs } from "../../../client/jobs/run_jobs.ts";
import type { PresetSource } from "../../../client/reports/fields/preset_sources.ts";
import { presetName, REPORT_PRESET_NAMES, spellReport } from "../../../client/reports/requests/presets.ts";
import {
  type ReportConfiguration,
  reportFingerprint,
} from "../../../client/reports/requests/report_configuration.ts";
import type { ReportRequest, ReportShape } from "../../../client/reports/requests/report_requests.ts";
import type { ReportRow } from "../../../client/reports/file/report_row.ts";
import { type PendingReports, resumedReports, type ResumeOptions } from "./pending_reports.ts";

interface ReportWanted {
  readonly report: string | ReportConfiguration;
  readonly wanted: ReportShape & { readonly start: string; readonly end: string };
}

export interface AskingParts extends ResumeOptions {
  readonly pending: PendingReports;
}

interface ReportCall {
  readonly key: string;
  readonly columns: readonly string[];
  readonly notes: string[];
  readonly rows: () => AsyncIterable<ReportRow>;
}

export async function askVersion3(
  profile: ProfileClient,
  { report, wanted }: ReportWanted,
  parts: AskingParts,
): Promise<ReportCall> {
  const { requests, warnings } = profile.reports.requests(report, wanted);
  await profile.reports.check(report, wanted);
  const notes = [...warnings];
  const { timeUnit, columns = [] } = requests[0]?.configuration ?? {};
  if (requests.length > 1 && timeUnit === "SUMMARY") {
    notes.push(`More than 31 days: each of ${requests.length} parts has its own totals`);
  }
  const key = reportKey(profile, requests);
  return { key, columns, notes, rows: () => resumedReports(profile, requests, parts) };
}

export async function askReporting1(
  profile: ProfileClient,
  { report, wanted: { columns: named, ...others } }: ReportWanted,
  { pending, seconds, tell, signal }: AskingParts,
): Promise<ReportCall> {
  if (typeof report !== "string") {
    throw new ConfigurationError(
      `Cannot ask the new reports for a configuration: they have ${
        REPORT_PRESET_NAMES.map(spellReport).join(", ")
      }`,
    );
  }
  const { fieldsOfPreset, presetRows, sourcesOfPreset } = await import(
    "../../../client/reports/fields/preset_rows.ts"
  );
  const { missingColumns } = await import("../../../client/reports/fields/preset_sources.ts");
  const { today } = profile.reports;
  const accountType = profile.profile.accountInfo.type;
  const asked = { report: presetName(report), start: others.start, end: others.end, accountType, today };
  const { sources: all } = await sourcesOfPreset(asked.report, accountType);
  const wanted = { ...others, columns: named && withCounted(named, all) };
  const { sources } = await fieldsOfPreset(asked, wanted);
  const { requests } = profile.reports.requests(asked.report, wanted);
  const request = ({ start, end }: { readonly start: string; readonly end: string }): ReportRequest => ({
    ...requests[0]!,
    startDate: start,
    endDate: end,
    configuration: { ...requests[0]!.configuration, reporting: 1 },
  });
  const { profileId } = profile;
  const notes = missingColumns(sources);
  const rows = async function* (): AsyncGenerator<ReportRow> {
    const batches = presetRows(profile, asked, {
      ...wanted,
      signal,
      timeout: seconds,
      asked: earlierReports(pending, profileId, request),
      onWarning: (message) => void (notes.includes(message) || notes.push(message)),
      onProgress: ({ request: { startDate: start, endDate: end }, ...told }) =>
        tellOf(tell, { ...told, start, end }),
    });
    for await (const batch of batches) yield* batch;
  };
  const columns = sources.flatMap(({ column, missing }) => missing === undefined ? [column] : []);
  return { key: reportKey(profile, [request(wanted)]), columns, notes, rows };
}

function earlierReports(
  pending: PendingReports,
  profileId: string,
  request: (period: DayRange) => ReportRequest,
): EarlierJobs<DayRange> {
  return {
    find: (period) => pending.find(profileId, request(period)),
    add: (period, reportId) => pending.add(profileId, request(period), reportId),
    remove: (period) => pending.remove(profileId, request(period)),
  };
}

function tellOf(
  tell: AskingParts["tell"],
  { kind, reportId, start, end, status, seconds }:
    & Pick<FieldsProgress, keyof DayRange | "reportId" | "status" | "seconds">
    & {
      readonly kind: string;
    },
): void {
  if (kind === "requested") void tell(`Asked for report ${reportId}`);
  else if (kind === "adopted") void tell(`Resuming report ${reportId}`);
  else if (kind === "waiting") {
    void tell(`Report over ${start} to ${end}: ${status} for ${Math.round(seconds)} s`);
  }
}

interface FieldsArguments {
  readonly filters?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly [name: string]: unknown;
}

export async function askFields(
  profile: ProfileClient,
  { report: { fields, currency, ...unknown }, given, days: { start, end } }: {
    readonly report: Pick<FieldsReport, "fields" | "currency">;
    readonly given: FieldsArguments;
    readonly days: DayRange;
  },
  { pending, seconds, tell, signal }: AskingParts,
): Promise<ReportCall> {
  const { checkedFields, fieldsRows } = await import("../../../client/reports/fields/run_fields.ts");
  refuseOthers(unknown, given);
  if (currency !== undefined && typeof currency !== "string") {
    throw new ConfigurationError("Cannot convert amounts: currency is not a text such as USD");
  }
  const { filters = {} } = given;
  const { today } = profile.reports;
  const asked: FieldsReport = { fields, start, end, filter: filters, currency };
  const check = await checkedFields(asked, today);
  await refuseMarketplaces(filters);
  const { profileId } = profile;
  const request = (period: DayRange): ReportRequest => ({
    name: "fields",
    startDate: period.start,
    endDate: period.end,
    configuration: {
      adProduct: currency ?? "",
      reportTypeId: "fields",
      groupBy: [],
      columns: check.fields,
      filters: Object.entries(filters).map(([field, values]) => ({ field, values: [...values] })),
      timeUnit: "DAILY",
      reporting: 1,
    },
  });
  const notes: string[] = [];
  const rows = async function* (): AsyncGenerator<ReportRow> {
    const batches = fieldsRows(profile, asked, {
      today,
      signal,
      timeout: seconds,
      asked: earlierReports(pending, profileId, request),
      onWarning: (message) => void (notes.includes(message) || notes.push(message)),
      onProgress: (told) => tellOf(tell, told),
    });
    for await (const batch of batches) yield* batch;
  };
  return { key: reportKey(profile, [request({ start, end })]), columns: check.fields, notes, rows };
}

function refuseOthers(unknown: Readonly<Record<string, unknown>>, given: FieldsArguments): void {
  const [other] = Object.keys(unknown);
  if (other !== undefined) {
    throw new ConfigurationError(
      `Cannot use "${other}" in a report of fields: it has fields and currency; rows are chosen by filters, profiles by market`,
    );
  }
  for (const name of ["columns", "time_unit"]) {
    if (given[name] === undefined) continue;
    throw new ConfigurationError(
      `Cannot use ${name} with a report of fields: its fields are the columns, and date.value among them divides it by days`,
    );
  }
  if (given["reporting"] === 3) {
    throw new ConfigurationError("Cannot read fields from old reports: leave out reporting");
  }
}

/** Rejects marketplace filters, because the call's market decides which profiles are visible. */
async function refuseMarketplaces(filters: Readonly<Record<string, unknown>>): Promise<void> {
  const { isMarketplace } = await import("../../../client/reports/fields/account_marketplaces.ts");
  for (const name of Object.keys(filters)) {
    if (!await isMarketplace(name)) continue;
    throw new ConfigurationError(`Cannot filter by "${name}": market says whose rows the report has`);
  }
}

function withCounted(columns: readonly string[], all: readonly PresetSource[]): string[] {
  const counts = (column: string): string => column.replace(/\d+d$/, "");
  const counted = columns.filter((column) => counts(column) !== column).flatMap((column) =>
    all.filter((one) => one.missing === undefined && counts(one.column) === counts(column))
  );
  return [...new Set([...columns, ...counted.map(({ column }) => column)])];
}

function reportKey({ profileId }: ProfileClient, requests: readonly ReportRequest[]): string {
  const parts = requests.map(({ configuration, startDate: start, endDate: end }) =>
    reportFingerprint(configuration, { start, end })
  );
  return sha256([profileId, ...parts].join("\n"));
}
