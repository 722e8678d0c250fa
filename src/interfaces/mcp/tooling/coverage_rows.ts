import type { DayRange } from "../../../base/time/calendar.ts";
import { type Row, textTable } from "../calls/text_table.ts";
import type { Coverage } from "../../../store/model/coverage.ts";
import * as z from "zod";
import type { SyncOutcome, SyncResult } from "../../../store/sync/sync_result.ts";
import { expiresSoon } from "../../../operations/reads/store_coverage.ts";
import { firstWarnings, fittingRows, MAX_ROWS } from "./rows.ts";
import type { ToolAnswer } from "./tool.ts";

export function coverageRows(coverage: readonly Coverage[], now: number): Row[] {
  return coverage.map((line) => ({
    country: line.countryCode,
    profile_id: line.profileId,
    report: line.report,
    first_day: line.firstDay,
    last_day: line.lastDay,
    days: line.days,
    rows: line.rows,
    last_pull: line.lastPull,
    ...(line.gaps.length === 0 ? {} : { gaps: texts(line.gaps) }),
    ...(line.available.length === 0
      ? {}
      : { still_available: texts(line.available), fetch_by: line.fetchBy }),
    ...(expiresSoon(line, now) ? { expires: true } : {}),
    ...(line.lost.length === 0 ? {} : { lost_for_good: texts(line.lost) }),
  }));
}

function texts(ranges: readonly DayRange[]): string[] {
  return ranges.map(({ start, end }) => `${start}..${end}`);
}

export const SYNCED = z.object({
  ok: z.boolean(),
  rows_stored: z.int(),
  entities_stored: z.int(),
  outcomes: z.array(z.record(z.string(), z.unknown())),
  warnings: z.array(z.string()).optional(),
});

export function syncAnswer(
  result: SyncResult,
  warnings: readonly string[],
): ToolAnswer<z.input<typeof SYNCED>> {
  const { outcomes: all, failures } = result;
  const open = all.filter(({ state }) => state !== "stored");
  const sorted = [...open, ...all.filter(({ state }) => state === "stored")];
  const { rows } = fittingRows(sorted.slice(0, MAX_ROWS).map(outcomeRow));
  const told = firstWarnings(warnings);
  if (rows.length < all.length) {
    told.push(`The first ${rows.length} of ${all.length} outcomes; report_coverage tells what is stored`);
  }
  const text = [result.summary(), ...told].join("\n");
  return {
    data: {
      ok: result.ok,
      rows_stored: result.rows,
      entities_stored: result.entities.reduce((sum, { entities }) => sum + entities, 0),
      outcomes: rows.map((row) => ({ ...row })),
      ...(told.length === 0 ? {} : { warnings: told }),
    },
    text: rows.length === 0 ? text : `${text}\n\n${textTable(rows)}`,
    failed: all.length > 0 && failures.length === all.length,
  };
}

function outcomeRow({ countryCode, profileId, report, start, end, state, rows, error }: SyncOutcome): Row {
  return {
    country: countryCode,
    profile_id: profileId,
    report,
    start,
    end,
    state,
    rows,
    ...(error === undefined ? {} : { why: error.message }),
  };
}
