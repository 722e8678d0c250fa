import type { ReportPresetColumns } from "../../../../catalog/report_shapes/preset_columns.ts";
import type { ReportCells } from "../../../../catalog/report_shapes/report_cells.ts";
import { REPORT_LIMITS } from "../../../../catalog/report_shapes/report_limits.ts";
import type { ReportShapes } from "../../../../catalog/report_shapes/report_shapes.ts";
import { ConfigurationError } from "../../../errors.ts";
import { nearest } from "../../../base/text/nearest.ts";
import type { ReportConfiguration, ReportFilter, TimeUnit } from "./report_configuration.ts";
import type { ReportRow, ReportValue } from "../file/report_row.ts";
import type { ReportPresetName } from "./presets.ts";

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

export function typedConfiguration({ type, ...rest }: TypedReport): ReportConfiguration {
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
