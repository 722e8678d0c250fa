import type { ReportPresetColumns } from "../../../../catalog/report_shapes/preset_columns.ts";
import type { ReportCells } from "../../../../catalog/report_shapes/report_cells.ts";
import { REPORT_LIMITS } from "../../../../catalog/report_shapes/report_limits.ts";
import type { ReportShapes } from "../../../../catalog/report_shapes/report_shapes.ts";
import { nearest } from "../../../base/text/nearest.ts";
import { addDays, checkDay, type Day, splitRange } from "../../../base/time/calendar.ts";
import type { ReportRow, ReportValue } from "../file/report_row.ts";
import { presetName, REPORT_PRESETS, type ReportPreset, type ReportPresetName } from "./presets.ts";
import type { ReportConfiguration, ReportFilter, TimeUnit } from "./report_configuration.ts";
import { ConfigurationError } from "../../../errors.ts";

const MAX_DAYS = 31;

const ABSURD_YEARS = 5;

/** A report to request: a preset name or a full configuration. */
export type ReportKind = ReportPresetName | (string & Record<never, never>) | ReportConfiguration;

/** A name with hyphens in place of underscores. */
export type HyphenatedName<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}-${HyphenatedName<Tail>}`
  : Name;
/** Name of a preset in adsctl's spelling: `search-terms` for `sp_search_terms`. */
export type SpelledReport<Name extends string> = Name extends `sp_${infer Rest}` ? HyphenatedName<Rest>
  : Name extends `sb_${infer Rest}` ? `brands-${HyphenatedName<Rest>}`
  : Name extends `sd_${infer Rest}` ? `display-${HyphenatedName<Rest>}`
  : HyphenatedName<Name>;

/** Name of a preset in the spelling of adsctl or the library: `search-terms`, `sp_search_terms`, `sp-search-terms`. */
export type ReportName =
  | ReportPresetName
  | HyphenatedName<ReportPresetName>
  | SpelledReport<ReportPresetName>;

/** A report whose name must be that of a preset if it is a literal; names known only at run time are not restricted. */
export type KnownReport<Kind> = Kind extends string
  // A record of literals has required keys; one of all texts, or of a pattern, has none.
  ? Record<never, never> extends Record<Kind, 1> ? Kind : Kind extends ReportName ? Kind : ReportName
  : Kind;

/** Settings of a report that replace those of the preset or configuration. */
export interface ReportShape {
  /** Columns to use instead of the preset's; `date` is added or removed to match the time unit. */
  readonly columns?: readonly string[] | undefined;
  /** Conditions on the rows: filters in the platform's format, or the values for each field. */
  readonly filters?:
    | readonly ReportFilter[]
    | Readonly<Record<string, string | readonly string[]>>
    | undefined;
  /**
   * One row per day, or one for the whole range (or for each part, if the range is split).
   *
   * @default "DAILY", where the type has rows by day
   */
  readonly timeUnit?: TimeUnit | undefined;
  /** File format: `GZIP_JSON`, `CSV` or `XLSX`, if the type supports it; the rows are the same. @default "GZIP_JSON" */
  readonly format?: string | undefined;
  /** False to skip the check against the published limits of the type. @default true */
  readonly check?: boolean | undefined;
  /** Name of the report on the platform. @default preset or report type, with the days */
  readonly name?: string | undefined;
}

/** Body of a report request. */
export interface ReportRequest {
  /** Name of the report on the platform. */
  readonly name: string;
  /** First day. */
  readonly startDate: string;
  /** Last day, included; most report types allow 31 days per request. */
  readonly endDate: string;
  /** Requested contents. */
  readonly configuration: ReportConfiguration;
}

/** Report requests for a range of days. */
export interface ReportRequests {
  /** Requests in order of days, each covering at most the days that one report may span (31 for most types). */
  readonly requests: readonly ReportRequest[];
  /** Remarks for the caller, known before any rows arrive. */
  readonly warnings: readonly string[];
}

/**
 * @param range Includes the current day of the profile.
 * @throws {ConfigurationError} when the preset is unknown.
 * @throws {RangeError} when days are reversed, in the future or implausible.
 * @throws {TypeError} when the configuration is incomplete.
 */
export function reportRequests(
  report: ReportKind | TypedReport,
  range: { start: Day; end: Day; today: Day } & ReportShape,
): ReportRequests {
  const { start, end, today } = checkRange(range);
  const preset = typeof report === "string" ? presetName(report) : undefined;
  const configuration = shaped(
    preset === undefined ? configurationOf(report) : REPORT_PRESETS[preset],
    range,
  );
  const label = range.name ?? preset ?? configuration.reportTypeId;
  const limits = preset === undefined ? reportLimits(configuration.reportTypeId) : undefined;
  const parts = splitRange({ start, end }, limits?.maxDays ?? MAX_DAYS);
  return {
    requests: parts.map((part) => ({
      name: range.name !== undefined && parts.length === 1 ? label : `${label} ${part.start}..${part.end}`,
      startDate: part.start,
      endDate: part.end,
      configuration,
    })),
    warnings: preset === undefined ? [] : retentionWarnings(preset, start, today),
  };
}

export function firstKeptDay({ retentionDays }: { retentionDays: number }, today: Day): Day {
  return addDays(today, -retentionDays);
}

function checkRange(range: { start: Day; end: Day; today: Day }): { start: Day; end: Day; today: Day } {
  const start = checkDay(range.start, "the first day");
  const end = checkDay(range.end, "the last day");
  const { today } = range;
  const refused = (why: string): RangeError => new RangeError(`Cannot report on ${start} to ${end}: ${why}`);
  if (start > end) {
    throw refused("the first day is after the last. Choose an earlier first day, or a later last day");
  }
  if (end > today) throw refused(`"${end}" is in the future; where the profile is, it is "${today}"`);
  if (start < addDays(today, -365 * ABSURD_YEARS)) {
    throw refused(`"${start}" is more than ${ABSURD_YEARS} years ago, and no report is kept that long`);
  }
  return { start, end, today };
}

function configurationOf(report: ReportKind | TypedReport): Partial<ReportConfiguration> {
  if (typeof report !== "object" || report === null) return {};
  if (!("type" in report)) return report;
  return typedConfiguration(report);
}

function shaped(
  source: Partial<ReportConfiguration> | ReportPreset,
  shape: ReportShape,
): ReportConfiguration {
  const given = checkConfiguration(source);
  const limits = reportLimits(given.reportTypeId);
  const usual = limits?.isDaily === false ? "SUMMARY" : "DAILY";
  const timeUnit = shape.timeUnit ?? given.timeUnit ?? usual;
  if (timeUnit !== "DAILY" && timeUnit !== "SUMMARY") {
    throw new RangeError(`Cannot report by "${timeUnit}": the time unit is DAILY or SUMMARY`);
  }
  const filters = filterList(shape.filters) ?? given.filters ?? [];
  return {
    adProduct: given.adProduct,
    reportTypeId: given.reportTypeId,
    groupBy: given.groupBy,
    columns: columnsFor(
      timeUnit === "DAILY" ? ["date"] : limits?.hasRange === false ? [] : ["startDate", "endDate"],
      checkNames(shape.columns ?? given.columns, "columns"),
    ),
    timeUnit,
    format: shape.format ?? given.format ?? "GZIP_JSON",
    ...(filters.length === 0 ? {} : { filters }),
  };
}

/**
 * Returns the columns with the right date columns. `date` is required in daily reports and rejected in summaries,
 * which use start and end dates if the type has them.
 */
function columnsFor(days: readonly string[], columns: readonly string[]): string[] {
  const others = columns.filter((column) => column !== "date");
  return [...new Set([...days, ...others])];
}

function checkConfiguration(given: Partial<ReportConfiguration> | ReportPreset): ReportConfiguration {
  for (const field of ["adProduct", "reportTypeId"] as const) {
    if (typeof given[field] !== "string" || given[field] === "") {
      throw new TypeError(`Cannot ask for a report whose configuration has no "${field}"`);
    }
  }
  checkNames(given.groupBy, "groupBy");
  checkNames(given.columns, "columns");
  return given as ReportConfiguration;
}

function checkNames(names: unknown, field: string): readonly string[] {
  if (!Array.isArray(names) || names.length === 0 || names.some((name) => !/^[\w.]+$/.test(String(name)))) {
    throw new TypeError(`Cannot ask for a report whose "${field}" is not a list of names`);
  }
  return names;
}

function filterList(filters: ReportShape["filters"]): readonly ReportFilter[] | undefined {
  if (filters === undefined) return undefined;
  const list = Array.isArray(filters)
    ? filters as readonly ReportFilter[]
    : Object.entries(filters).map(([field, values]) => ({ field, values: [values].flat() }));
  for (const { field, values } of list) {
    checkNames([field], "filters");
    if (!Array.isArray(values) || values.length === 0 || values.some((value) => typeof value !== "string")) {
      throw new TypeError(`Cannot filter a report by "${field}": its values are not a list of texts`);
    }
  }
  return list;
}

function retentionWarnings(preset: ReportPresetName, start: Day, today: Day): string[] {
  const first = firstKeptDay(REPORT_PRESETS[preset], today);
  if (start >= first) return [];
  return [
    `The platform keeps "${preset}" for ${REPORT_PRESETS[preset].retentionDays} days: ` +
    `days before ${first} may come back empty or be refused`,
  ];
}

export type { ReportCells, ReportPresetColumns, ReportShapes };

/** Name of a published type of report, for example `spCampaigns`. */
export type ReportTypeName = keyof ReportShapes;

/** Groupings of a type's rows. */
export type ReportGrouping<Type extends ReportTypeName> = keyof ReportShapes[Type]["groups"] & string;

/** Columns of a type for its groupings, and the date columns. */
export type ReportColumnOf<Type extends ReportTypeName, Group extends ReportGrouping<Type>> =
  | ReportShapes[Type]["base"]
  | (ReportShapes[Type]["groups"][Group] & string)
  | "date"
  | "startDate"
  | "endDate";

/** A report of a published type. The compiler checks its columns and derives the names and types in its rows. */
export interface TypedReport<
  Type extends ReportTypeName = ReportTypeName,
  Group extends string = string,
  Column extends string = string,
  Unit extends TimeUnit = TimeUnit,
> {
  /** The platform's name for the type. */
  readonly type: Type;
  /** Dimensions of a row. */
  readonly groupBy: readonly Group[];
  /** Columns of a row; the date columns are added automatically. */
  readonly columns: readonly Column[];
  /** One row per day, or one for the whole range. @default "DAILY", where the type has rows by day */
  readonly timeUnit?: Unit | undefined;
  /** Conditions on the rows. */
  readonly filters?: readonly ReportFilter[] | undefined;
  /** File format. @default "GZIP_JSON" */
  readonly format?: string | undefined;
}

/**
 * A row of a {@linkcode TypedReport}: texts and ids are strings, metrics are numbers; `null` if the platform has no
 * value.
 */
export type TypedReportRow<Column extends string, Unit extends TimeUnit = "DAILY"> =
  & {
    [Name in Exclude<Column, "date" | "startDate" | "endDate">]: Name extends keyof ReportCells
      ? ReportCells[Name]
      : ReportValue;
  }
  & (Unit extends "SUMMARY" ? { startDate: string; endDate: string } : { date: string });

/**
 * A row of a preset, typed as in a {@linkcode TypedReport}; a {@linkcode ReportRow} if the preset is unknown at compile
 * time.
 */
export type ReportPresetRow<
  Name extends ReportPresetName,
  Column extends string = ReportPresetColumns[Name],
  Unit extends TimeUnit = "DAILY",
> = { [Each in Name]: [Name] extends [Each] ? TypedReportRow<Column, Unit> : ReportRow }[Name];

interface ReportLimits {
  readonly adProduct: string;
  readonly maxDays: number;
  readonly isDaily: boolean;
  readonly hasRange: boolean;
}

export function reportLimits(reportTypeId: string): ReportLimits | undefined {
  const limits: Readonly<Record<string, readonly [string, number, boolean, boolean]>> = REPORT_LIMITS;
  if (!Object.hasOwn(limits, reportTypeId)) return undefined;
  const found = limits[reportTypeId];
  return found && { adProduct: found[0], maxDays: found[1], isDaily: found[2], hasRange: found[3] };
}

function typedConfiguration({ type, ...rest }: TypedReport): ReportConfiguration {
  const { groupBy, columns, timeUnit, filters, format } = rest;
  const limits = reportLimits(type);
  if (limits === undefined) {
    const near = nearest(type, Object.keys(REPORT_LIMITS));
    const advice = near === undefined ? "reportTypes() lists them" : `Did you mean "${near}"?`;
    throw new ConfigurationError(`Cannot find a type of report "${type}". ${advice}`);
  }
  return {
    adProduct: limits.adProduct,
    reportTypeId: type,
    groupBy,
    columns,
    ...(timeUnit === undefined ? {} : { timeUnit }),
    ...(filters === undefined ? {} : { filters }),
    ...(format === undefined ? {} : { format }),
  };
}
