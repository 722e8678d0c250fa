import { addDays, countDays, type DayRange, eachDay, joinDays } from "../../base/time/calendar.ts";
import { spellReport } from "../../client/reports/requests/presets.ts";
import type { Coverage } from "../model/coverage.ts";
import type { StoredProfile } from "../model/store_driver.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";

export interface MissingDaysOptions {
  readonly period: DayRange;
  readonly reports: readonly string[];
  readonly markets?: readonly string[] | undefined;
  readonly profileIds?: readonly string[] | undefined;
}

export interface MissingDays extends StoredProfile, DayRange {
  readonly report: string;
}

export interface LeftOutDays extends DayRange {
  readonly profileId: string;
  /** `sp`, `sb` or `sd`. */
  readonly product: string;
}

export function coverageFor(
  all: readonly Coverage[],
  { reports, markets, profileIds }: Omit<MissingDaysOptions, "period">,
): Coverage[] {
  return all.filter(({ report, countryCode, profileId }) =>
    reports.includes(report) && (markets?.includes(countryCode) ?? true) &&
    (profileIds?.includes(profileId) ?? true)
  );
}

/** Finds the missing days of reports. For campaign days, stored placement days are sufficient. */
export function missingDays(all: readonly Coverage[], options: MissingDaysOptions): MissingDays[] {
  const covered = coverageFor(all, options);
  const period = [...eachDay(options.period)];
  return covered.flatMap((coverage) => {
    const { report, countryCode, profileId } = coverage;
    const other = STANDS_FOR[report];
    const standIn = other === undefined
      ? undefined
      : covered.find((one) => one.report === other && one.profileId === profileId);
    if (report === "sp_placement" && standIn !== undefined) return [];
    const lacks = (one: Coverage, day: string): boolean =>
      day < one.firstDay || day > one.lastDay ||
      one.gaps.some(({ start, end }) => day >= start && day <= end);
    const days = period.filter((day) =>
      lacks(coverage, day) && (standIn === undefined || lacks(standIn, day))
    );
    return joinDays(days).map((range) => ({ report, countryCode, profileId, ...range }));
  });
}

const STANDS_FOR: Readonly<Record<string, string>> = {
  sp_campaigns: "sp_placement",
  sp_placement: "sp_campaigns",
};

interface UnsharedDays {
  readonly now: readonly LeftOutDays[];
  readonly then: readonly LeftOutDays[];
}

/**
 * Leaves a day that is missing in either period out of both, counted from the start of each period. If fewer than half
 * of the days remain, all are left out.
 */
export function unsharedDays(
  missing: readonly MissingDays[],
  { period, before }: { readonly period: DayRange; readonly before: DayRange },
): UnsharedDays {
  const count = countDays(period);
  const offsets = (start: string, left: readonly number[]): DayRange[] =>
    joinDays(left.map((at) => addDays(start, at)));
  const [now, then]: [LeftOutDays[], LeftOutDays[]] = [[], []];
  for (const own of Map.groupBy(missing, (one) => `${one.report.slice(0, 2)} ${one.profileId}`).values()) {
    const [{ report, profileId }] = own as [MissingDays];
    const lacks = (day: string): boolean => own.some(({ start, end }) => day >= start && day <= end);
    const all = Array.from({ length: count }, (_, at) => at);
    const some = all.filter((at) => lacks(addDays(period.start, at)) || lacks(addDays(before.start, at)));
    const left = some.length * 2 > count ? all : some;
    const of = { profileId, product: report.slice(0, 2) };
    now.push(...offsets(period.start, left).map((range) => ({ ...of, ...range })));
    then.push(...offsets(before.start, left).map((range) => ({ ...of, ...range })));
  }
  return { now, then };
}

/** Missing days are unknown, not 0. */
export async function missingNotes(
  store: Pick<Warehouse, "coverage">,
  options: MissingDaysOptions & {
    readonly compared?: boolean;
  },
): Promise<string[]> {
  const all = await store.coverage();
  const { reports, compared = false } = options;
  if (coverageFor(all, options).length === 0) {
    return [
      `Nothing is stored for ${reports.map(spellReport).join(", ")}. Fetch it: sync() with the report ${
        reports.slice(0, 1).map(spellReport).join()
      }`,
    ];
  }
  const result = compared
    ? "totals exclude these days, and changes exclude the same days of both periods"
    : "totals and changes exclude these days";
  const unique = (texts: readonly string[]): string => [...new Set(texts)].toSorted().join(", ");
  const ranges = Map.groupBy(
    missingDays(all, options),
    ({ countryCode, start, end }) => [start, end, countryCode].join(),
  );
  const notes = [...ranges.values()].map((own) => {
    const [{ start, end, countryCode }] = own as [MissingDays];
    const days = start === end ? `on ${start}` : `from ${start} to ${end}`;
    return { countryCode, days, reports: unique(own.map(({ report }) => spellReport(report))) };
  });
  return [...Map.groupBy(notes, ({ reports, days }) => `${reports} ${days}`).values()].map((own) => {
    const [{ reports: names, days }] = own as [typeof notes[number]];
    const countries = unique(own.map(({ countryCode }) => countryCode));
    return `Not stored: ${names} for ${countries} ${days}, so ${result}`;
  });
}
