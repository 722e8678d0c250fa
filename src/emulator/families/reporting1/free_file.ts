import type { FileSource } from "../../state/file_store.ts";
import type { EmulatorState } from "../../state/emulator_state.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { asFreeReport, FREE_REPORTS, type FreeReport, freeStatus } from "./free_report.ts";
import { freeRows } from "./free_rows.ts";

const PART_ROWS = 2000;
const MAX_PARTS = 100;
const KEPT_ROWS = 20_000;

export function partsOf({ reportId, format }: FreeReport, rows: number): string[] {
  const size = format.startsWith("PARTITIONED") ? Math.max(PART_ROWS, Math.ceil(rows / MAX_PARTS)) : rows;
  return rows === 0
    ? []
    : Array.from({ length: Math.ceil(rows / size) }, (_, index) => `${reportId}-${index}-${size}`);
}

/**
 * Counts the rows of a report. If there are few enough, they are kept so that the file does not generate them again.
 */
export function countRows(report: FreeReport, state: EmulatorState): number {
  const first: string[] = [];
  let sum = 0;
  for (const row of freeRows(report, state)) if (sum++ < KEPT_ROWS) first.push(row);
  if (sum <= KEPT_ROWS) readings.set(state, { id: report.reportId, rows: first.values(), at: 0 });
  return sum;
}

export function freeReportFile(
  profile: ProfileState,
  name: string,
  { state, now }: { state: EmulatorState; now: number },
): FileSource | undefined {
  const [, id = "", index, size] = /^(.+)-(\d+)-(\d+)$/.exec(name) ?? [];
  const found = profile.collection(FREE_REPORTS).get(id);
  if (found === undefined) return undefined;
  const report = asFreeReport(found);
  if (report.deleted || freeStatus(report, now) !== "COMPLETED") return undefined;
  const from = Number(index) * Number(size);
  return {
    rows: () => slice({ report, state }, from, from + Number(size)),
    format: report.format.endsWith("CSV") ? "CSV" : "GZIP_JSON",
  };
}

interface Reading {
  readonly id: string;
  readonly rows: Iterator<string>;
  at: number;
}

/** Last report read per state, so that sequential parts compute each row only once. */
const readings = new WeakMap<EmulatorState, Reading>();

function* slice(
  { report, state }: { report: FreeReport; state: EmulatorState },
  from: number,
  until: number,
): Generator<string> {
  const { reportId: id } = report;
  let reading = readings.get(state);
  if (reading?.id !== id || reading.at !== from) reading = { id, rows: freeRows(report, state), at: 0 };
  readings.set(state, reading);
  while (reading.at < until) {
    const row = reading.rows.next();
    if (row.done) return;
    if (reading.at++ >= from) yield row.value;
  }
}
