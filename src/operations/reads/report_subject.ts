import { JOB_REPORTS, type JobReport, jobReport, spellJobReport } from "../../account/runs/job_reports.ts";
import { nearest } from "../../base/text/nearest.ts";
import type { DayRange } from "../../base/time/calendar.ts";
import { readDayRange } from "../../base/time/moment.ts";
import { type FieldsReport, isFieldsReport } from "../../client/reports/fields_report.ts";
import { namedReport } from "../../client/reports/requests/named_report.ts";
import {
  isPreset,
  REPORT_PRESET_NAMES,
  type ReportPresetName,
  spellReport,
} from "../../client/reports/requests/presets.ts";
import type { ReportConfiguration } from "../../client/reports/requests/report_configuration.ts";
import type { ReportKind, ReportShape } from "../../client/reports/requests/report_requests.ts";
import { ConfigurationError } from "../../errors.ts";
import type { Fields, InputOf, ReportText } from "../model/field.ts";
import { JSON_SPELLING, type Spelling } from "../model/operation.ts";

/** Fields of a report request. */
export const REQUEST_FIELDS = {
  report: {
    type: "report",
    required: true,
    help: "report name or type, or @file with a configuration",
  },
  start: {
    type: "day",
    orPeriod: true,
    default: "-7",
    help: "first day: YYYY-MM-DD, -N days before today, or a period such as last week",
    brief: "YYYY-MM-DD, -N days ago, or last week",
  },
  end: {
    type: "day",
    orPeriod: true,
    help: "last day",
    otherwise: "end of the period, or yesterday in the profile's time zone",
    brief: "Default: yesterday or that week's end",
  },
  time_unit: {
    type: "choice",
    choices: ["DAILY", "SUMMARY"],
    flag: "SUMMARY",
    option: "summary",
    help: "totals for the period instead of a row per day",
  },
  columns: {
    type: "words",
    option: "columns",
    help: "these columns instead of the preset's",
    brief: "Default: usual ones, acos",
  },
  filters: {
    type: "pairs",
    values: "words",
    value: "field=values",
    option: "filter",
    help: "only rows with these values",
    brief: 'Of fields also "campaign.id!": without them',
    sample: "campaignStatus",
  },
  name: { type: "text", value: "name", isRare: true, help: "name of the report on the platform" },
  file_format: {
    type: "text",
    value: "name",
    isRare: true,
    help: "format of the platform's file: json (default), csv or xlsx",
  },
  send_anyway: {
    type: "switch",
    isRare: true,
    help: "send it even if it does not match the published report type",
  },
} as const satisfies Fields;

export type RequestInput = InputOf<typeof REQUEST_FIELDS>;

/** A report by its API: one of its own, new reports by fields, or old and new reports by name or configuration. */
export type ReportSubject =
  | { readonly job: JobReport }
  | { readonly fields: Pick<FieldsReport, "fields" | "currency"> }
  | { readonly kind: ReportKind };

/** @throws {ConfigurationError} with the nearest name when there is no such report. */
export async function reportSubject(report: ReportText): Promise<ReportSubject> {
  if (typeof report !== "string") {
    // A request's body contains the configuration.
    const given = report["configuration"] ?? report;
    return isFieldsReport(given) ? { fields: given } : { kind: given as ReportConfiguration };
  }
  const job = jobReportNamed(report);
  return job === undefined ? { kind: await reportKind(report) } : { job };
}

function jobReportNamed(word: string): JobReport | undefined {
  const found = jobReport(word);
  if (found !== undefined) return found;
  const words = JOB_REPORTS.map(({ name }) => spellJobReport(name));
  const near = nearest(word, [...REPORT_PRESET_NAMES, ...REPORT_PRESET_NAMES.map(spellReport), ...words]);
  if (near === undefined || !words.includes(near)) return undefined;
  throw new ConfigurationError(`Cannot find a report "${word}". Did you mean "${near}"?`);
}

async function reportKind(word: string): Promise<ReportKind> {
  const named = await namedReport(word);
  return REPORT_PRESET_NAMES.find((preset) => preset === named.report) ?? named;
}

/** @throws {TypeError} for a report that new reports don't have. */
export function presetOfNew(kind: ReportKind, { field }: Spelling): ReportPresetName {
  if (typeof kind === "string" && isPreset(kind)) return kind;
  throw new TypeError(
    `Cannot use ${field("reporting")} with this report: the new reports have ${
      REPORT_PRESET_NAMES.map(spellReport).join(", ")
    }, and other reports by their fields`,
  );
}

const FILE_FORMATS = { json: "GZIP_JSON", csv: "CSV", xlsx: "XLSX" } as const;

/** @throws {RangeError} for an unknown format. */
export function fileFormat(text: string | undefined, { field }: Spelling): string | undefined {
  if (text === undefined) return undefined;
  const found = Object.entries(FILE_FORMATS).find(([word, format]) =>
    word === text.toLowerCase() || format === text
  );
  if (found !== undefined) return found[1];
  throw new RangeError(`Cannot use ${field("file_format")} "${text}": expected one of json, csv, xlsx`);
}

/** Days and contents of a report, for the library. */
export function shapeOf(input: RequestInput, today: string): ReportShape & DayRange {
  return {
    ...readDayRange(input, today),
    columns: input.columns,
    filters: input.filters,
    timeUnit: input.time_unit,
    name: input.name,
    format: fileFormat(input.file_format, JSON_SPELLING),
    check: input.send_anyway !== true,
  };
}
