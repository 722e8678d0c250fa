import { addDays, countDays, type DayRange, eachDay, joinDays } from "../../base/time/calendar.ts";
import type { Coverage } from "../model/coverage.ts";
import type { StoredProfile } from "../model/store_driver.ts";

/** Which stored reports are looked at. */
export interface MissingDaysOptions {
  /** First and last day. */
  readonly period: DayRange;
  readonly reports: readonly string[];
  /** Only these countries. @default all that are stored */
  readonly markets?: readonly string[] | undefined;
  /** Only these profiles. @default all that are stored */
  readonly profileIds?: readonly string[] | undefined;
}

/** Days that a report of a profile lacks. */
export interface MissingDays extends StoredProfile, DayRange {
  readonly report: string;
}

/** Days of a profile and a product that a comparison leaves out. */
export interface LeftOutDays extends DayRange {
  /** The platform's id of the profile. */
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

/**
 * Days of a period that are not stored of reports that are stored at all. Days of placements stand for days of campaigns,
 * so that a day is missing where neither has it.
 */
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

/** Days that a comparison of two periods leaves out of each. */
interface UnsharedDays {
  /** Days of the period. */
  readonly now: readonly LeftOutDays[];
  /** Days of the period before. */
  readonly then: readonly LeftOutDays[];
}

/**
 * Days of two periods that are not stored in both, counted from the first day of each, so that a change compares like with
 * like. Where that leaves fewer than half of the days, all are left out and nothing is compared.
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
