/**
 * Reports: presets, typed requests, reports of free fields, and their rows.
 *
 * @module
 */
export type { DayRange } from "../../base/time/calendar.ts";
export type { AccountReports, AccountsReport } from "./account_reports.ts";
export {
  type FieldCondition,
  type FieldsProgress,
  type FieldsReport,
  type FieldsRow,
  type FieldsRunOptions,
  type ReportFieldCatalog,
  type ReportFieldName,
  reportFields,
  type ReportNumberField,
  type ReportTextField,
} from "./fields_report.ts";
export type { ReportComparison, ReportDifference } from "./compare_presets.ts";
export type {
  CheckFieldsOptions,
  ReportField,
  ReportFieldCheck,
  ReportFieldFinding,
  ReportTimeLimits,
} from "./report_field.ts";
export {
  REPORT_PRESET_NAMES,
  REPORT_PRESETS,
  type ReportPreset,
  type ReportPresetName,
} from "./requests/presets.ts";
export type {
  ReportConfiguration,
  ReportFilter,
  ReportingApi,
  TimeUnit,
} from "./requests/report_configuration.ts";
export type {
  HyphenatedName,
  KnownReport,
  ReportCells,
  ReportColumnOf,
  ReportGrouping,
  ReportKind,
  ReportName,
  ReportPresetColumns,
  ReportPresetRow,
  ReportRequest,
  ReportRequests,
  ReportShape,
  ReportShapes,
  ReportTypeName,
  SpelledReport,
  TypedReport,
  TypedReportRow,
} from "./requests/report_requests.ts";
export type { ReportRow, ReportValue } from "./file/report_row.ts";
export type { ReportState, ReportStatus } from "./requests/report_status.ts";
export { type ReportGroup, type ReportType, reportTypes } from "./requests/report_types.ts";
export { type CreateReportOptions, Reports } from "./reports.ts";
export type {
  PresetRunOptions,
  ReportProgress,
  RunOptions,
  TypedRunOptions,
} from "./requests/run_options.ts";
export type { CreatedReport, WaitOptions } from "./requests/report_job.ts";
export type { PollOptions } from "../jobs/poller.ts";
