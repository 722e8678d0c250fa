import { addDays, type DayRange } from "../../internal/calendar.ts";
import type { Warehouse } from "../warehouse.ts";

/** Days that are not stored of reports that are stored at all: their figures are missing and not 0. */
export async function missingNotes(
  store: Pick<Warehouse, "coverage">,
  { period, reports, markets, profileIds }: {
    period: DayRange;
    reports: readonly string[];
    markets?: readonly string[] | undefined;
    profileIds?: readonly string[] | undefined;
  },
): Promise<string[]> {
  const all = (await store.coverage()).filter(({ report, countryCode, profileId }) =>
    reports.includes(report) && (markets?.includes(countryCode) ?? true) &&
    (profileIds?.includes(profileId) ?? true)
  );
  if (all.length === 0) {
    return [
      `Nothing is stored of ${reports.join(", ")}. Fetch it: adsctl sync --report ${
        reports.slice(0, 1).join()
      }`,
    ];
  }
  const notes: string[] = [];
  for (const { report, countryCode, firstDay, lastDay, gaps } of all) {
    const hasBetter = report === "sp_placement" &&
      all.some((one) => one.report === "sp_campaigns" && one.countryCode === countryCode);
    if (hasBetter) continue;
    const missing = [
      ...(firstDay > period.start
        ? [{ start: period.start, end: min(period.end, addDays(firstDay, -1)) }]
        : []),
      ...gaps.filter(({ start, end }) => start <= period.end && end >= period.start),
      ...(lastDay < period.end ? [{ start: max(period.start, addDays(lastDay, 1)), end: period.end }] : []),
    ];
    for (const { start, end } of missing) {
      notes.push(
        `Not stored: ${report} of ${countryCode} from ${start} to ${end}, so that sums and changes lack these days`,
      );
    }
  }
  return notes;
}

function min(a: string, b: string): string {
  return a < b ? a : b;
}

function max(a: string, b: string): string {
  return a > b ? a : b;
}
