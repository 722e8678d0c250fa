import { dayOf, isDay } from "../../base/time/calendar.ts";
import type { JobRow } from "../../client/jobs/job_options.ts";
import type { JobReport } from "./job_reports.ts";

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
  if (type === "day") return dayIn(value);
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
function dayIn(value: unknown): string | null {
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
