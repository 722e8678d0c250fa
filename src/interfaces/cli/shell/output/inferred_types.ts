import type { ColumnType, ReportRow, ReportValue } from "../../../../client/reports/file/report_row.ts";
import { isDay } from "../../../../base/time/calendar.ts";

export function inferredTypes(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
): Map<string, ColumnType> {
  return new Map(columns.map((name) => [name, typeOfAll(rows.map((row) => plainValue(row[name])))]));
}

export function plainRow(row: Readonly<Record<string, unknown>>): ReportRow {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plainValue(value)]));
}

function typeOfAll(values: readonly ReportValue[]): ColumnType {
  const given = values.filter((value) => value !== null);
  if (given.length === 0) return "text";
  if (given.every((value) => typeof value === "number")) {
    return given.every((value) => Number.isSafeInteger(value)) ? "integer" : "real";
  }
  return given.every((value) => typeof value === "string" && isDay(value)) ? "date" : "text";
}

function plainValue(value: unknown): ReportValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
