import { addDays, countDays, dayIn, type DayRange, eachDay, joinDays } from "../../base/time/calendar.ts";
import { timeZoneOf } from "../../base/markets/markets.ts";
import type { ReportName } from "../../client/reports/requests/named_report.ts";
import { firstKeptDay } from "../../client/reports/requests/report_requests.ts";
import type { ReportLayout } from "./report_layout.ts";
import type { CoveredRange, StoredProfile } from "./store_driver.ts";

/** Stored days of one report of one profile. */
export interface Coverage extends StoredProfile {
  /** Name of the preset, for example `sp_placement`. */
  readonly report: ReportName;
  /** First stored day. */
  readonly firstDay: string;
  /** Last stored day. */
  readonly lastDay: string;
  /** Number of completely stored days, including days without rows. */
  readonly days: number;
  /** Number of stored rows. */
  readonly rows: number;
  /** Time of the newest pull, ISO 8601. */
  readonly lastPull: string;
  /** Number of days stored from the new reports. */
  readonly fromReporting1: number;
  /** Days between the first and the last that are not stored. */
  readonly gaps: readonly DayRange[];
  /** Missing days that the platform still retains; the next sync fetches them. */
  readonly available: readonly DayRange[];
  /** Missing days between the first and the last that the platform no longer retains. */
  readonly lost: readonly DayRange[];
  /** Last day on which the oldest of the available days can be fetched; `null` when there are none. */
  readonly fetchBy: string | null;
}

/**
 * Computes the coverage of reports from ranges, which must be sorted by profile, report and day.
 *
 * @param parts `now`: epoch milliseconds.
 */
export function coverageOf(
  ranges: Iterable<CoveredRange>,
  { layouts, now }: { layouts: readonly ReportLayout[]; now: number },
): Coverage[] {
  const groups: CoveredRange[][] = [];
  for (const range of ranges) {
    const last = groups.at(-1)?.at(-1);
    if (last?.profileId === range.profileId && last.report === range.report) groups.at(-1)?.push(range);
    else groups.push([range]);
  }
  return groups.flatMap((group) => {
    const layout = layouts.find(({ report }) => report === group[0]?.report);
    return layout === undefined ? [] : [coverageLine(group, layout, now)];
  });
}

function coverageLine(ranges: readonly CoveredRange[], { source }: ReportLayout, now: number): Coverage {
  const [{ countryCode, profileId, report, start: firstDay }] = ranges as [CoveredRange];
  const lastDay = ranges.at(-1)?.end ?? firstDay;
  const today = dayIn(timeZoneOf({ countryCode }), now);
  // As sync counts: midnight may come on the platform before it comes here.
  const keptFrom = addDays(firstKeptDay(source, today), 1);
  const gaps = lacking({ start: firstDay, end: lastDay }, ranges);
  const available = lacking({ start: keptFrom, end: addDays(today, -1) }, ranges);
  const lost = joinDays(gaps.flatMap((gap) => [...eachDay(gap)].filter((day) => day < keptFrom)));
  const oldest = available[0]?.start;
  return {
    countryCode,
    profileId,
    report,
    firstDay,
    lastDay,
    days: ranges.reduce((sum, range) => sum + countDays(range), 0),
    rows: ranges.reduce((sum, range) => sum + range.rows, 0),
    lastPull: ranges.reduce((newest, range) => newest > range.lastPull ? newest : range.lastPull, ""),
    fromReporting1: ranges.reduce((sum, range) => sum + (range.fromReporting1 ?? 0), 0),
    gaps,
    available,
    lost,
    fetchBy: oldest === undefined ? null : addDays(today, countDays({ start: keptFrom, end: oldest }) - 1),
  };
}

function lacking(range: DayRange, covered: readonly DayRange[]): DayRange[] {
  return joinDays(
    [...eachDay(range)].filter((day) => !covered.some(({ start, end }) => start <= day && day <= end)),
  );
}
