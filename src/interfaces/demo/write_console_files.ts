import { csvOf } from "../../account/tables/csv_lines.ts";
import { writeXlsxTabs } from "../../account/sheets/write_xlsx.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { DayRange } from "../../base/time/calendar.ts";
import { marketOf } from "../../base/markets/markets.ts";
import { dayNumber } from "../../base/text/row_cells.ts";
import type { ReportRow } from "../../client/reports/file/report_row.ts";
import { bulkLines } from "./bulk_lines.ts";
import {
  CONSOLE_REPORTS,
  type ConsoleCell,
  consoleCells,
  type ConsoleReport,
  type ConsoleRow,
} from "./console_reports.ts";

interface ConsoleFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly rows: number;
}

interface ConsoleFileOptions extends DayRange {
  readonly isSummary: boolean;
  readonly language: ConsoleReport["language"];
  readonly only?: readonly (ConsoleReport["preset"] | "bulk")[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Mimics the console's downloads: reports have no ids, and headers, separators, dates and amounts follow real files.
 */
export async function writeConsoleFiles(
  profile: ProfileClient,
  options: ConsoleFileOptions,
): Promise<ConsoleFile[]> {
  const { start, end, isSummary, language, only, signal } = options;
  const isWanted = (name: ConsoleReport["preset"] | "bulk"): boolean => only?.includes(name) ?? true;
  const wanted = CONSOLE_REPORTS.filter((one) =>
    one.language === language && one.isSummary === isSummary && isWanted(one.preset)
  );
  const currency = marketOf(profile.countryCode)?.currency ?? "USD";
  const country = new Intl.DisplayNames([language], { type: "region" }).of(
    profile.countryCode === "UK" ? "GB" : profile.countryCode,
  ) ?? profile.countryCode;
  const files = await Promise.all(wanted.map(async (report): Promise<ConsoleFile> => {
    const rows = await profile.reports.run(report.preset, start, end, { signal });
    // Search terms are reported with a click only.
    const shown = rows.filter((row) => report.preset !== "sp_search_terms" || Number(row["clicks"]) > 0);
    const lines = (report.isSummary ? summed(shown) : shown.map(dated)).map((row): ConsoleRow => ({
      ...row,
      currency,
      country,
    }));
    return reportFile(report, lines);
  }));
  if (!isWanted("bulk")) return files;
  const bulk = await bulkLines(profile, { signal });
  const name = `bulk-${start.replaceAll("-", "")}-${end.replaceAll("-", "")}.xlsx`;
  files.push({
    name,
    bytes: writeXlsxTabs([{ name: "Sponsored Products Campaigns", lines: bulk }]),
    rows: bulk.length - 1,
  });
  return files;
}

export function consoleForms(): string[] {
  return [
    ...new Set(
      CONSOLE_REPORTS.map(({ language, isSummary }) => `${language} ${isSummary ? "summary" : "daily"}`),
    ),
  ];
}

function dated(row: ReportRow): Pick<ConsoleRow, "row" | "start" | "end"> {
  return { row, start: String(row["date"]), end: String(row["date"]) };
}

const FIGURES = ["impressions", "clicks", "cost", "sales7d", "purchases7d"];

/** Sums rows by name, from the first to the last active day. */
function summed(rows: readonly ReportRow[]): Pick<ConsoleRow, "row" | "start" | "end">[] {
  const keys = ["campaignName", "adGroupName", "targeting", "matchType", "searchTerm"];
  const groups = Map.groupBy(rows, (row) => JSON.stringify(keys.map((key) => row[key] ?? "")));
  return [...groups.values()].map((own) => {
    const days = own.map((row) => String(row["date"])).sort();
    const sums = Object.fromEntries(
      FIGURES.map((
        name,
      ) => [name, Number(own.reduce((sum, row) => sum + Number(row[name] ?? 0), 0).toFixed(2))]),
    );
    return { row: { ...own[0]!, ...sums }, start: days[0]!, end: days.at(-1)! };
  });
}

function reportFile(report: ConsoleReport, rows: readonly ConsoleRow[]): ConsoleFile {
  const { file, tab, format, separator, headers } = report;
  const cells = rows.map((row) => consoleCells(report, row));
  if (format === "xlsx") {
    const lines = [headers.split("|"), ...cells.map((line) => line.map(xlsxCell))];
    return {
      name: `${file}.xlsx`,
      bytes: writeXlsxTabs([{ name: tab, lines, formats: formatsOf(cells[0] ?? []) }]),
      rows: rows.length,
    };
  }
  const write = report.language === "es" ? spanishCell : englishCell;
  const text = csvOf([headers.split("|"), ...cells.map((line) => line.map(write))], {
    delimiter: separator,
    newline: "\r\n",
    hasMark: true,
  });
  return { name: `${file}.csv`, bytes: new TextEncoder().encode(text), rows: rows.length };
}

function formatsOf(cells: readonly ConsoleCell[]): ReadonlyMap<number, string> {
  return new Map(cells.flatMap((cell, at) => {
    if (typeof cell === "string" || "number" in cell) return [];
    return [[at, "day" in cell ? "mmm dd, yyyy" : "money" in cell ? "#,##0.00" : "0.0000%"] as const];
  }));
}

/** Excel dates are numbers and rates are ratios; a division by zero is an empty cell. */
function xlsxCell(cell: ConsoleCell): string | number {
  if (typeof cell === "string") return cell;
  if ("day" in cell) return dayNumber(cell.day);
  if ("money" in cell) return cell.money ?? "";
  return "rate" in cell ? cell.rate ?? "" : cell.number;
}

function englishCell(cell: ConsoleCell): string {
  if (typeof cell === "string") return cell;
  if ("day" in cell) return monthDay(cell.day, "en");
  if ("money" in cell) return cell.money === undefined ? "" : `$${cell.money}`;
  return "rate" in cell ? `${((cell.rate ?? 0) * 100).toFixed(2)}%` : String(cell.number);
}

function spanishCell(cell: ConsoleCell): string {
  if (typeof cell === "string") return cell;
  if ("day" in cell) return monthDay(cell.day, "es");
  const number = (value: number, digits: number): string =>
    new Intl.NumberFormat("de", { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
      value,
    );
  if ("money" in cell) return cell.money === undefined ? "" : `€${number(cell.money, 2)}`;
  if ("rate" in cell) return cell.rate === undefined ? "" : `${number(cell.rate * 100, 4)}%`;
  return Number.isInteger(cell.number) ? String(cell.number) : number(cell.number, 2);
}

/** Formats a day as in the console's files, for example `Dec 1, 2019` or `ago 20, 2026`. */
function monthDay(day: string, language: string): string {
  const month = new Intl.DateTimeFormat(language, { month: "short", timeZone: "UTC" }).format(
    Date.parse(day),
  );
  return `${month.replace(".", "").slice(0, 3)} ${Number(day.slice(8))}, ${day.slice(0, 4)}`;
}
