import { addDays, countDays, type DayRange } from "../internal/calendar.ts";
import type { ReportPresetName } from "../reports/presets.ts";
import type { CoveredRange } from "./store_driver.ts";

/** What the store has of one report of one profile. */
export interface Coverage {
  /** Country of the profile. */
  readonly countryCode: string;
  /** Profile. */
  readonly profileId: string;
  /** Report. */
  readonly report: ReportPresetName;
  /** First stored day. */
  readonly firstDay: string;
  /** Last stored day. */
  readonly lastDay: string;
  /** Days that are stored whole, also those without rows. */
  readonly days: number;
  /** Stored rows. */
  readonly rows: number;
  /** When the newest pull was, ISO 8601. */
  readonly lastPull: string;
  /** Days between the first and the last that are not stored. */
  readonly gaps: readonly DayRange[];
}

/** Sums up covered ranges, a line for each profile and report. The ranges come by profile, report and day. */
export function coverageOf(ranges: Iterable<CoveredRange>): Coverage[] {
  const lines: Coverage[] = [];
  for (const range of ranges) {
    const line = lines.at(-1);
    if (line?.profileId === range.profileId && line.report === range.report) {
      lines[lines.length - 1] = extended(line, range);
    } else {
      const { countryCode, profileId, report, start, end, rows, lastPull } = range;
      lines.push({
        countryCode,
        profileId,
        report,
        firstDay: start,
        lastDay: end,
        days: countDays(range),
        rows,
        lastPull,
        gaps: [],
      });
    }
  }
  return lines;
}

function extended(line: Coverage, range: CoveredRange): Coverage {
  return {
    ...line,
    lastDay: range.end,
    days: line.days + countDays(range),
    rows: line.rows + range.rows,
    lastPull: line.lastPull > range.lastPull ? line.lastPull : range.lastPull,
    gaps: [...line.gaps, { start: addDays(line.lastDay, 1), end: addDays(range.start, -1) }],
  };
}
