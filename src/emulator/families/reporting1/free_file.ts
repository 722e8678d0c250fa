import type { FileSource } from "../../files/file_store.ts";
import type { EmulatorState } from "../../state/emulator_state.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import { asFreeReport, FREE_REPORTS, type FreeReport, freeStatus } from "./free_report.ts";
import { freeRows } from "./free_rows.ts";

/** Rows of a part, where there are not more than a hundred parts. */
const PART_ROWS = 2000;
const MAX_PARTS = 100;

/** Names of the files of a report, one for each part; none when it has no rows. */
export function partsOf({ reportId, format }: FreeReport, rows: number): string[] {
  const size = format.startsWith("PARTITIONED") ? Math.max(PART_ROWS, Math.ceil(rows / MAX_PARTS)) : rows;
  return rows === 0
    ? []
    : Array.from({ length: Math.ceil(rows / size) }, (_, index) => `${reportId}-${index}-${size}`);
}

/** Rows of a completed report. */
export function countRows(report: FreeReport, state: EmulatorState): number {
  let sum = 0;
  for (const _row of freeRows(report, state)) sum++;
  return sum;
}

/** The rows of one part of a completed report; `undefined` for a file that is none. */
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
    rows: () => slice(freeRows(report, state), from, from + Number(size)),
    format: report.format.endsWith("CSV") ? "CSV" : "GZIP_JSON",
  };
}

function* slice(rows: Iterable<string>, from: number, until: number): Generator<string> {
  let at = 0;
  for (const row of rows) {
    if (at >= until) return;
    if (at++ >= from) yield row;
  }
}
