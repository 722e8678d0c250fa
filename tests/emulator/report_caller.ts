import { gunzipSync } from "node:zlib";
import { REPORT_PRESETS, type ReportPresetName } from "../../src/client/reports/requests/presets.ts";
import { parseJson } from "../../src/emulator/core/json.ts";
import type { Answered, Caller, CallOptions } from "./caller.ts";

const TYPE = "application/vnd.createasyncreportrequest.v3+json";

/** A row, ids past 2^53 as `bigint`. */
export type Row = Record<string, string | number | bigint | null>;

/** The configuration of a preset, with parts of it changed. */
export function configurationOf(preset: ReportPresetName, changes: Record<string, unknown> = {}): unknown {
  const { adProduct, reportTypeId, groupBy, columns } = REPORT_PRESETS[preset];
  return {
    adProduct,
    reportTypeId,
    groupBy,
    columns: ["date", ...columns],
    timeUnit: "DAILY",
    format: "GZIP_JSON",
    ...changes,
  };
}

/** Asks for a report. */
export function createReport(
  caller: Caller,
  body: unknown,
  options: CallOptions = {},
): Promise<Answered> {
  return caller.call("POST", "/reporting/reports", body, {
    ...options,
    headers: {
      "content-type": TYPE,
      accept: TYPE.replace("request", "response"),
      ...options.headers,
    },
  });
}

/** Looks at a report. */
export function lookAt(caller: Caller, reportId: string, options: CallOptions = {}): Promise<Answered> {
  return caller.call("GET", `/reporting/reports/${reportId}`, undefined, options);
}

/** Asks for a report, lets its time pass, and reads its rows; the emulator's clock moves on by as much. */
export async function rowsOf(
  caller: Caller,
  preset: ReportPresetName,
  asked: { start: string; end: string; changes?: Record<string, unknown>; options?: CallOptions },
): Promise<Row[]> {
  const { start, end, changes, options } = asked;
  const configuration = configurationOf(preset, changes);
  const created = await createReport(caller, { startDate: start, endDate: end, configuration }, options);
  if (created.status !== 200) throw new Error(`${created.status} ${created.text}`);
  caller.emulator.advance(10);
  const { url } = (await lookAt(caller, created.json.reportId, options)).json;
  return url === null ? [] : await readFile(url);
}

/** Fetches and unpacks a file, with no headers at all. */
export async function readFile(url: string): Promise<Row[]> {
  const response = await fetch(url);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(`${response.status} ${new TextDecoder().decode(bytes)}`);
  return parseJson(new TextDecoder().decode(gunzipSync(bytes))) as unknown as Row[];
}

/** The sum of a column. */
export function sum(rows: readonly Row[], column: string): number {
  return Math.round(100 * rows.reduce((total, row) => total + Number(row[column] ?? 0), 0)) / 100;
}
