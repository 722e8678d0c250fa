import { JOB_REPORTS, type JobReport, spellJobReport } from "../../account/runs/job_reports.ts";
import { dayIn, type DayRange } from "../../base/time/calendar.ts";
import { readDayRange } from "../../base/time/moment.ts";
import { sha256 } from "../../base/text/sha256.ts";
import type { PollOptions } from "../../client/jobs/poller.ts";
import type { EarlierJobs } from "../../client/jobs/run_jobs.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { ReportComparison } from "../../client/reports/compare_presets.ts";
import type { FieldsReport } from "../../client/reports/fields_report.ts";
import type { ColumnType, ReportRow } from "../../client/reports/file/report_row.ts";
import { REPORT_PRESET_NAMES, spellReport } from "../../client/reports/requests/presets.ts";
import { reportFingerprint } from "../../client/reports/requests/report_configuration.ts";
import type { ReportKind, ReportRequest } from "../../client/reports/requests/report_requests.ts";
import type { ReportProgress } from "../../client/reports/requests/run_options.ts";
import { byFamily } from "../model/by_family.ts";
import type { Fields, InputOf } from "../model/field.ts";
import { defineOperation, JSON_SPELLING, type Spelling } from "../model/operation.ts";
import { fieldConditions, fieldsAsked } from "./fields_asked.ts";
import { fileFormat, presetOfNew, reportSubject, REQUEST_FIELDS, shapeOf } from "./report_subject.ts";

/** Progress of one report of a run. */
export interface ReportStep
  extends DayRange, Pick<ReportProgress, "kind" | "reportId" | "status" | "seconds" | "rows"> {
  /** Number of the report among those of the run, from 1. */
  readonly at?: number | undefined;
  /** Number of reports of the run. */
  readonly of?: number | undefined;
}

/** A profile, and options for waiting for its reports. */
export interface ReportContext extends Pick<PollOptions, "signal"> {
  readonly profile: ProfileClient;
  /** Reports that earlier runs requested and did not read. */
  readonly earlier?: EarlierJobs<ReportRequest> | undefined;
  /** Called with each remark once, before or while rows arrive. */
  readonly onWarning: (message: string) => void;
  readonly onStep: (step: ReportStep) => void;
}

/** A report that is ready to be requested. */
export interface ReportRun {
  /** Digest of what is requested. */
  readonly key: string;
  readonly days: DayRange;
  readonly columns: readonly string[];
  /** Columns that the platform fills. */
  readonly filled: readonly string[];
  /** Types of the columns, unless their names alone tell them. */
  readonly types?: ReadonlyMap<string, ColumnType> | undefined;
  /** True for a report whose rows may have other columns, which depend on the account. */
  readonly hasMore?: true;
  /**
   * How to get reports that were still being built when the run ended: download them by their ids, or run the same
   * report again. `undefined` if a later run would request new ones.
   */
  readonly resume?: "download" | "again";
  /** Requests the report and yields its rows. */
  readonly rows: () => AsyncIterable<ReportRow>;
}

const PRESETS = REPORT_PRESET_NAMES.map(spellReport);

const REPORTING = {
  type: "reporting",
  orCompare: true,
  help:
    "old: old reports, which end in 2027 (default); new: new reports, which go back 15 months; compare: both, " +
    "and their differences",
  brief: "1: 15 months back",
} as const;

const FIELDS = {
  ...REQUEST_FIELDS,
  reporting: REPORTING,
  advertiser: {
    type: "text",
    value: "id",
    isRare: true,
    help: "DSP advertiser id, or for dsp-campaigns also an entity id",
  },
  timeout: {
    type: "whole",
    min: 1,
    value: "minutes",
    isRare: true,
    help: "stop waiting after this many minutes; run the command again to resume",
    otherwise: "180",
  },
} as const satisfies Fields;

type ReportInput = InputOf<typeof FIELDS>;

/** Runs a report, by name, configuration or fields. */
export const runReport = defineOperation<ReportContext, ReportRun>()({
  name: "report",
  effect: "read",
  tool: "run_report",
  title: "Run a report",
  summary: "Run a performance report and print its rows",
  details:
    `Reports by name: ${REPORT_PRESET_NAMES.map(spellReport).join(", ")}, and from separate APIs: ${
      JOB_REPORTS.map(({ name }) => spellJobReport(name)).join(", ")
    }. A type from adsctl report types, ` +
    "such as sdCampaigns:matchedTarget, returns all its columns. @file reads a configuration as JSON. Ranges " +
    "over 31 days are split into several reports. The platform keeps reports for 60 to 95 days; adsctl sync " +
    "keeps them for good. Old reports, the default, end in 2027. --reporting new uses new reports, which go back 15 months; columns they lack are " +
    "empty and listed. --reporting compare runs both and lists the differences: exit code 0 if there are " +
    "none, otherwise 6.",
  brief: `Presets of one profile: ${byFamily(PRESETS)}; or a ` +
    "configuration, or {fields} of report_fields. Takes minutes; repeat the call to resume. Prefer SUMMARY " +
    "with sort_by, and query_result for long results.",
  examples: [
    {
      input: { report: "attribution-campaigns", start: "-30" },
      about: "traffic from other sites, by campaign",
    },
    { input: { report: "campaigns", start: "-7", reporting: 1 }, about: "read new reports" },
    {
      input: { report: "targeting", start: "-40", time_unit: "SUMMARY" },
      about: "totals of the last 40 days",
    },
  ],
  library: 'const rows = await profile.reports.run("sp_placement", "2026-08-01", "2026-09-25")',
  input: FIELDS,
  async check(input, spelling) {
    const asked = await reportSubject(input.report);
    if ("job" in asked) return refuseFields(input, { spelling, names: OF_NAMED, with: `"${input.report}"` });
    if (input.advertiser !== undefined) {
      throw new TypeError(
        `Cannot use ${spelling.field("advertiser")} with "${input.report}": it is for DSP reports`,
      );
    }
    fileFormat(input.file_format, spelling);
    if ("fields" in asked) return await checkFieldsReport(asked.fields, input, spelling);
    if (input.reporting === 1 || input.reporting === "compare") presetOfNew(asked.kind, spelling);
  },
  async run(context, input) {
    const asked = await reportSubject(input.report);
    const told = new Set<string>();
    const onWarning = (message: string): void => {
      if (!told.has(message)) context.onWarning(message);
      told.add(message);
    };
    const run = { ...context, onWarning, timeout: secondsOf(input) };
    return "job" in asked
      ? jobRun(asked.job, input, run)
      : "fields" in asked
      ? await fieldsRun(asked.fields, input, run)
      : input.reporting === 1
      ? await newRun(asked.kind, input, run)
      : await oldRun(asked.kind, input, run);
  },
});

/** Fields for reports by name or configuration only. */
const OF_NAMED = [
  "time_unit",
  "columns",
  "filters",
  "name",
  "file_format",
  "send_anyway",
  "reporting",
] as const;

/** Runs old and new reports of the same name, and compares their rows. */
export async function compareReports(
  { profile, onWarning, onStep, ...waiting }: ReportContext,
  input: ReportInput,
): Promise<ReportComparison> {
  const asked = await reportSubject(input.report);
  const report = presetOfNew("kind" in asked ? asked.kind : "", JSON_SPELLING);
  const { start, end, ...shape } = shapeOf(input, profile.reports.today);
  return await profile.reports.compare(report, start, end, {
    ...shape,
    ...waiting,
    timeout: secondsOf(input),
    onWarning,
    onProgress: ({ request: { startDate, endDate }, ...step }) =>
      onStep({ ...step, start: startDate, end: endDate }),
  });
}

type RunContext = ReportContext & { readonly timeout: number | undefined };

async function oldRun(kind: ReportKind, input: ReportInput, context: RunContext): Promise<ReportRun> {
  const { profile, onWarning, onStep, ...waiting } = context;
  const { today } = profile.reports;
  const shape = shapeOf(input, today);
  const { requests, warnings } = profile.reports.requests(kind, shape);
  await profile.reports.check(kind, shape);
  for (const warning of warnings) onWarning(warning);
  const { timeUnit, columns = [] } = requests[0]?.configuration ?? {};
  if (requests.length > 1 && timeUnit === "SUMMARY") {
    onWarning(`More than 31 days: each of ${requests.length} parts has its own totals`);
  }
  const rows = async function* (): AsyncGenerator<ReportRow> {
    const { reportsRows, withRange } = await import("../../client/reports/requests/report_job.ts");
    const batches = reportsRows(profile, requests, {
      ...waiting,
      finish: withRange,
      tell: ({ jobId: reportId, ...step }, request) =>
        onStep({
          ...step,
          reportId,
          start: request.startDate,
          end: request.endDate,
          at: requests.indexOf(request) + 1,
          of: requests.length,
        }),
    });
    for await (const batch of batches) yield* batch;
  };
  return {
    key: keyOf(profile, requests),
    days: shape,
    columns,
    filled: columns,
    rows,
    resume: "download",
  };
}

async function newRun(kind: ReportKind, input: ReportInput, context: RunContext): Promise<ReportRun> {
  const { profile, onStep, earlier, ...waiting } = context;
  const { fieldsOfPreset, presetRows } = await import("../../client/reports/preset_rows.ts");
  const { missingColumns } = await import("../../client/reports/preset_sources.ts");
  const { today } = profile.reports;
  const { start, end, ...shape } = shapeOf(input, today);
  const report = presetOfNew(kind, JSON_SPELLING);
  const asked = { report, start, end, accountType: profile.profile.accountInfo.type, today };
  const { sources } = await fieldsOfPreset(asked, shape);
  for (const message of missingColumns(sources)) context.onWarning(message);
  const [first] = profile.reports.requests(report, { ...shape, start, end }).requests;
  const request = (days: DayRange): ReportRequest => ({
    ...first!,
    startDate: days.start,
    endDate: days.end,
    configuration: { ...first!.configuration, reporting: 1 },
  });
  const rows = async function* (): AsyncGenerator<ReportRow> {
    const batches = presetRows(profile, asked, {
      ...shape,
      ...waiting,
      asked: earlierOf(earlier, request),
      onProgress: ({ request: { startDate, endDate }, ...step }) =>
        onStep({ ...step, start: startDate, end: endDate }),
    });
    for await (const batch of batches) yield* batch;
  };
  const days = shape.timeUnit === "SUMMARY" ? ["startDate", "endDate"] : ["date"];
  const names = (list: typeof sources): string[] => [...days, ...list.map(({ column }) => column)];
  return {
    key: keyOf(profile, [request({ start, end })]),
    days: { start, end },
    columns: names(sources),
    filled: names(sources.filter(({ missing }) => missing === undefined)),
    rows,
  };
}

async function fieldsRun(
  { fields, currency }: Pick<FieldsReport, "fields" | "currency">,
  input: ReportInput,
  { profile, onStep, earlier, ...waiting }: RunContext,
): Promise<ReportRun> {
  const { fieldsRows } = await import("../../client/reports/run_fields.ts");
  const { fieldTypes } = await import("../../client/reports/field_table.ts");
  const { today } = profile.reports;
  const { filters = {} } = input;
  const { report: asked, check } = await fieldsAsked({ fields, currency }, input, { today });
  const days = { start: asked.start, end: asked.end };
  const request = ({ start, end }: DayRange): ReportRequest => ({
    name: "fields",
    startDate: start,
    endDate: end,
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
  const rows = async function* (): AsyncGenerator<ReportRow> {
    const batches = fieldsRows(profile, asked, {
      ...waiting,
      today,
      check,
      asked: earlierOf(earlier, request),
      onProgress: onStep,
    });
    for await (const batch of batches) yield* batch;
  };
  const types = await fieldTypes(check.fields);
  return {
    key: keyOf(profile, [request(days)]),
    days,
    columns: check.fields,
    filled: check.fields,
    types,
    rows,
  };
}

const COLUMN_TYPES = { text: "text", number: "real", day: "date" } as const;

async function jobRun(
  report: JobReport,
  input: ReportInput,
  { profile, onStep, signal, timeout }: RunContext,
): Promise<ReportRun> {
  const { checkJobReport, runJobReport, zoneOf } = await import(
    "../../account/runs/run_job_report.ts"
  );
  const days = readDayRange(input, dayIn(zoneOf(report, profile), profile.transport.now()));
  const asked = { ...days, advertiser: input.advertiser };
  checkJobReport(profile, report, asked);
  const columns = Object.keys(report.columns);
  const step = { ...days, kind: "requested", status: "PENDING", seconds: 0, rows: 0 } as const;
  return {
    key: sha256([profile.profileId, report.name, JSON.stringify(asked)].join("\n")),
    days,
    columns,
    filled: columns,
    types: new Map(Object.entries(report.columns).map(([name, type]) => [name, COLUMN_TYPES[type]])),
    hasMore: true,
    resume: "again",
    rows: async function* (): AsyncGenerator<ReportRow> {
      yield* runJobReport(profile, report, {
        ...asked,
        signal,
        timeout,
        onStart: ({ record: { jobId }, adopted }) =>
          onStep({ ...step, kind: adopted ? "adopted" : "requested", reportId: jobId }),
        onStatus: ({ jobId, status, phase }, seconds) =>
          onStep({ ...step, kind: phase === "done" ? "done" : "waiting", reportId: jobId, status, seconds }),
      });
    },
  };
}

function secondsOf({ timeout }: ReportInput): number | undefined {
  return timeout === undefined ? undefined : timeout * 60;
}

function earlierOf(
  earlier: EarlierJobs<ReportRequest> | undefined,
  request: (days: DayRange) => ReportRequest,
): EarlierJobs<DayRange> | undefined {
  return earlier && {
    find: (days) => earlier.find(request(days)),
    add: (days, reportId) => earlier.add(request(days), reportId),
    remove: (days) => earlier.remove(request(days)),
  };
}

function keyOf({ profileId }: ProfileClient, requests: readonly ReportRequest[]): string {
  const parts = requests.map(({ configuration, startDate: start, endDate: end }) =>
    reportFingerprint(configuration, { start, end })
  );
  return sha256([profileId, ...parts].join("\n"));
}

async function checkFieldsReport(
  { fields: _, currency, ...unknown }: Pick<FieldsReport, "fields" | "currency">,
  input: ReportInput,
  spelling: Spelling,
): Promise<void> {
  const [other] = Object.keys(unknown);
  if (other !== undefined) {
    throw new TypeError(
      `Cannot use "${other}" in a report of fields: it has fields and currency; rows are chosen by filters, profiles by market`,
    );
  }
  for (const name of ["columns", "time_unit"] as const) {
    if (input[name] === undefined) continue;
    throw new TypeError(
      `Cannot use ${
        spelling.field(name)
      } with a report of fields: its fields are the columns, and date.value among them divides it by days`,
    );
  }
  if (input.reporting !== undefined && input.reporting !== 1) {
    throw new TypeError(`Cannot read fields from old reports: leave out ${spelling.field("reporting")}`);
  }
  refuseFields(input, {
    spelling,
    names: ["name", "file_format", "send_anyway"],
    with: "a report of fields",
  });
  if (currency !== undefined && typeof currency !== "string") {
    throw new TypeError("Cannot convert amounts: currency is not a text such as USD");
  }
  const { isMarketplace } = await import("../../client/reports/account_marketplaces.ts");
  for (const name of Object.keys(fieldConditions(input.filters, spelling))) {
    if (!await isMarketplace(name)) continue;
    // The market of a call decides which profiles are visible.
    throw new TypeError(`Cannot filter by "${name}": market says whose rows the report has`);
  }
}

function refuseFields(
  input: ReportInput,
  { spelling, names, with: what }: {
    readonly spelling: Spelling;
    readonly names: readonly (keyof ReportInput)[];
    readonly with: string;
  },
): void {
  const given = names.filter((name) => input[name] !== undefined).map(spelling.field);
  if (given.length > 0) throw new TypeError(`Cannot use ${given.join(" and ")} with ${what}`);
}
