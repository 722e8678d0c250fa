import {
  addDays,
  checkDay,
  type Day,
  dayIn,
  type DayRange,
  startOfDay,
  startOfMonth,
  startOfWeek,
} from "./calendar.ts";

/**
 * A moment: a `Date`, milliseconds since the epoch, or ISO 8601 text. Text without a time zone is UTC; a day means its
 * midnight.
 */
export type Moment = Date | number | string;

const DAY_AND_TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:\d{2})?)?$/i;

export function milliseconds(moment: Moment): number {
  const time = moment instanceof Date
    ? moment.getTime()
    : typeof moment === "number"
    ? moment
    : fromText(moment);
  if (Number.isFinite(time)) return time;
  throw new TypeError(
    `Cannot use "${
      String(moment)
    }" as a moment: give a Date, milliseconds, or a text such as 2026-09-30T12:00:00Z`,
  );
}

function fromText(text: string): number {
  const [, day, time = "00:00", zone = "Z"] = DAY_AND_TIME.exec(text) ?? [];
  if (day === undefined) return NaN;
  const midnight = Date.parse(`${day}T00:00Z`);
  // A runtime takes 31 November for 1 December.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return NaN;
  return Date.parse(`${day}T${time}${zone.toUpperCase()}`);
}

const AGO = /^-(\d{1,5})([dhm]?)$/;
const UNITS: ReadonlyMap<string | undefined, number> = new Map([
  ["", 86_400_000],
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
]);
const DAYS_AGO: ReadonlyMap<string, number> = new Map([["today", 0], ["yesterday", 1]]);

export interface MomentOptions {
  readonly now: number;
  /**
   * Time zone of the account's days.
   *
   * @default "UTC"
   */
  readonly timeZone?: string | undefined;
  readonly edge?: "start" | "end" | undefined;
}

/**
 * Parses a moment: `-7` or `-7d` (seven times 24 hours ago), `-3h`, `-45m`, a day of the account (`2026-11-20`,
 * `today`), a period (`last week`), or ISO 8601.
 *
 * @returns Epoch milliseconds.
 * @throws {TypeError} when the text has none of these forms.
 */
export function readMoment(text: string, what: string, options: MomentOptions): number {
  const { now, timeZone = "UTC", edge = "start" } = options;
  const trimmed = text.trim();
  const [, count, unit] = AGO.exec(trimmed) ?? [];
  const length = UNITS.get(unit);
  if (length !== undefined) return now - Number(count) * length;
  const today = dayIn(timeZone, now);
  const day = dayOfText(trimmed, today) ?? periodOfText(trimmed, today)?.[edge];
  if (day !== undefined) {
    return edge === "start" ? startOfDay(day, timeZone) : startOfDay(addDays(day, 1), timeZone) - 1;
  }
  const time = fromText(trimmed);
  if (Number.isFinite(time)) return time;
  throw new TypeError(
    `Cannot use "${text}" as ${what}: write days ago (-7), hours ago (-3h), a day (2026-11-20, yesterday) or a moment (2026-11-20T10:00:00Z)`,
  );
}

/**
 * Parses the time at which figures were known, in the forms of {@linkcode readMoment}. A day means its end, which
 * includes everything stored on that day.
 *
 * @returns ISO 8601; now at the latest.
 */
export function readAsOf(text: string, what: string, { now }: { readonly now: number }): string {
  return new Date(Math.min(readMoment(text, what, { now, edge: "end" }), now)).toISOString();
}

/**
 * Parses a day: `2026-11-20`, `-7` (days before today), `today` or `yesterday`.
 *
 * @param today Current day in the profile's time zone.
 * @throws {RangeError} for any other text.
 */
export function readDay(text: string, what: string, today: Day): Day {
  return dayOr(text, what, { today, forms: "a day (2026-11-20, yesterday) or days ago (-7)" });
}

function dayOr(text: string, what: string, { today, forms }: { today: Day; forms: string }): Day {
  const trimmed = text.trim();
  const day = dayOfText(trimmed, today);
  if (day !== undefined) return day;
  if (/^\d{4}-\d{2}-\d{2}$/.test(trimmed)) return checkDay(trimmed, what);
  throw new RangeError(`Cannot use "${text}" as ${what}: write ${forms}`);
}

/**
 * Parses a range: two days as in {@linkcode readDay}, with yesterday as the default end, or a period such as `last
 * week` (Monday to Sunday), `this month` or `last 14 days`.
 *
 * @param today Current day in the profile's time zone.
 * @throws {RangeError} when a day is invalid.
 */
export function readDayRange(
  { start, end }: { readonly start: string; readonly end?: string | undefined },
  today: Day,
): DayRange {
  const first = periodOfText(start.trim(), today);
  const last = end === undefined ? first : periodOfText(end.trim(), today);
  const options = { today, forms: DAYS_OR_PERIODS };
  return {
    start: first?.start ?? dayOr(start, "start", options),
    end: last?.end ?? dayOr(end ?? "yesterday", "end", options),
  };
}

/** @throws {RangeError} for a text that is neither a day, as in {@linkcode readDay}, nor a period. */
export function checkDayOrPeriod(text: string, what: string): void {
  const today = "2026-01-01";
  if (periodOfText(text.trim(), today) === undefined) dayOr(text, what, { today, forms: DAYS_OR_PERIODS });
}

const DAYS_OR_PERIODS = "a day (2026-11-20, yesterday), days ago (-7) or a period (last week)";

const PERIOD = /^(this|last) (week|month)$/i;
const LAST_SEVERAL = /^(?:last )?(\d{1,4}) (day|week|month)s?$/i;

/**
 * Parses a period. Weeks start on Monday. The current week and month end today; a number of weeks or months means the
 * last complete ones.
 */
function periodOfText(text: string, today: Day): DayRange | undefined {
  const [, count, unit = ""] = LAST_SEVERAL.exec(text.toLowerCase()) ?? [];
  const first = (day: Day, length: string): Day =>
    length === "month" ? startOfMonth(day) : length === "day" ? day : startOfWeek(day);
  if (count !== undefined && Number(count) > 0) {
    const end = addDays(first(today, unit), -1);
    let start = first(end, unit);
    for (let more = 1; more < Number(count); more++) start = first(addDays(start, -1), unit);
    return { start, end };
  }
  const [, which, length = ""] = PERIOD.exec(text.toLowerCase()) ?? [];
  if (which === undefined) return undefined;
  const current = first(today, length);
  const previousEnd = addDays(current, -1);
  return which === "this"
    ? { start: current, end: today }
    : { start: first(previousEnd, length), end: previousEnd };
}

function dayOfText(text: string, today: Day): Day | undefined {
  const [ago, count, unit] = AGO.exec(text) ?? [];
  if (ago !== undefined) return unit === "" || unit === "d" ? addDays(today, -Number(count)) : undefined;
  const days = DAYS_AGO.get(text.toLowerCase());
  if (days !== undefined) return addDays(today, -days);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && Number.isFinite(fromText(text)) ? text : undefined;
}
