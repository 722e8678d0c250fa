import { keptOr } from "../json/kept_or.ts";

export interface ZonedDateTime {
  /** `YYYY-MM-DD`. */
  readonly plainDate: string;
  /** Hour, 0 to 23. An hour repeats when clocks go back and is skipped when they go forward. */
  readonly hour: number;
  readonly minute: number;
  /** Minutes since midnight on the clock, 0 to 1439. */
  readonly minuteOfDay: number;
  /** Day of the week: 1 is Monday, 7 is Sunday. */
  readonly dayOfWeek: number;
}

/** Milliseconds in a quarter of an hour, because UTC offsets change only on quarter hours. */
const QUARTER = 900_000;
const MAX_OFFSETS = 20_000;

const ZONES = new Map<string, (quarter: number) => number>();

/**
 * @param time Epoch milliseconds.
 * @throws {RangeError} when the time zone or time is invalid.
 */
export function zonedDateTime(time: number, timeZone: string): ZonedDateTime {
  const offsetAt = keptOr(ZONES, timeZone, () => offsets(timeZone));
  const local = new Date(time + offsetAt(Math.floor(time / QUARTER)));
  return {
    plainDate: local.toISOString().slice(0, 10),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    minuteOfDay: 60 * local.getUTCHours() + local.getUTCMinutes(),
    dayOfWeek: local.getUTCDay() || 7,
  };
}

/** Returns the UTC offsets of a time zone, cached because formatting is far slower than arithmetic. */
function offsets(timeZone: string): (quarter: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "iso8601",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  const known = new Map<number, number>();
  return (quarter) => {
    let offset = known.get(quarter);
    if (offset === undefined) {
      const time = quarter * QUARTER;
      const parts = format.formatToParts(time);
      const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value);
      // Also right for years below 100 and above 9999, which neither Date.UTC nor Date.parse takes.
      const local = new Date(0);
      local.setUTCFullYear(part("year"), part("month") - 1, part("day"));
      offset = local.setUTCHours(part("hour"), part("minute"), part("second")) - time;
      if (known.size >= MAX_OFFSETS) known.clear();
      known.set(quarter, offset);
    }
    return offset;
  };
}

/** A day as `YYYY-MM-DD`; sorts lexicographically. */
export type Day = string;

/** Days from `start` to `end`, both included. */
export interface DayRange {
  /** First day. */
  readonly start: string;
  /** Last day, included in the range. */
  readonly end: string;
}

const MILLISECONDS = 86_400_000;

export function checkDay(text: string, what: string): Day {
  if (isDay(text)) return text;
  throw new RangeError(
    `Cannot use "${text}" as ${what}: it is not a day of the calendar, written as YYYY-MM-DD`,
  );
}

export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < "0001") return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && dayOf(time) === text;
}

/** Day of the week: 1 is Monday, 7 is Sunday. */
export function dayOfWeek(day: Day): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
}

/** Monday of a week. */
export function startOfWeek(day: Day): Day {
  return addDays(day, 1 - dayOfWeek(day));
}

export function startOfMonth(day: Day): Day {
  return `${day.slice(0, 8)}01`;
}

export function endOfMonth(day: Day): Day {
  const [year = 0, month = 1] = day.split("-").map(Number);
  return dayOf(Date.UTC(year, month, 0));
}

export function addDays(day: Day, count: number): Day {
  return dayOf(Date.parse(`${day}T00:00:00Z`) + count * MILLISECONDS);
}

/** Counts the days of a range, both ends included; 0 for a reversed range. */
export function countDays({ start, end }: DayRange): number {
  return Math.max(0, Math.round((Date.parse(end) - Date.parse(start)) / MILLISECONDS) + 1);
}

// Days are counted here, because the day after 9999-12-31 sorts before it.
export function* eachDay(range: DayRange): Generator<Day> {
  const count = countDays(range);
  for (let at = 0; at < count; at++) yield addDays(range.start, at);
}

export function splitRange(range: DayRange, days: number): DayRange[] {
  const count = countDays(range);
  const parts: DayRange[] = [];
  for (let at = 0; at < count; at += days) {
    const end = Math.min(at + days, count) - 1;
    parts.push({ start: addDays(range.start, at), end: addDays(range.start, end) });
  }
  return parts;
}

export function joinDays(days: Iterable<Day>): DayRange[] {
  const ranges: { start: Day; end: Day }[] = [];
  for (const day of days) {
    const current = ranges.at(-1);
    if (current !== undefined && addDays(current.end, 1) === day) current.end = day;
    else ranges.push({ start: day, end: day });
  }
  return ranges;
}

export function dayIn(timeZone: string, now: number): Day {
  return zonedDateTime(now, timeZone).plainDate;
}

const BEGINNINGS = new Map<string, number>();

/**
 * Epoch milliseconds.
 *
 * @throws {RangeError} when the time zone is unknown.
 */
export function startOfDay(day: Day, timeZone: string): number {
  return keptOr(BEGINNINGS, `${day} ${timeZone}`, () => {
    const midnight = Date.parse(`${day}T00:00:00Z`);
    // Zones differ from UTC by at most 14 hours, in steps of a quarter of an hour. A day whose midnight is skipped begins later.
    for (let ahead = 14 * 60; ahead >= -14 * 60; ahead -= 15) {
      const time = midnight - ahead * 60_000;
      if (dayIn(timeZone, time) === day && dayIn(timeZone, time - 1) !== day) return time;
    }
    return midnight;
  });
}

/**
 * Converts a local time to epoch milliseconds. A time that the clock repeats gives the first of both moments; a time
 * that it skips gives one an hour later.
 */
export function momentAt(day: Day, minuteOfDay: number, timeZone: string): number {
  const guess = startOfDay(day, timeZone) + minuteOfDay * 60_000;
  const shown = zonedDateTime(guess, timeZone);
  // The clock may have changed since the day began, so that the guess may even be on the next day.
  const early = minuteOfDay - shown.minuteOfDay -
    1440 * (countDays({ start: day, end: shown.plainDate }) - 1);
  const moved = guess + early * 60_000;
  const isThere = zonedDateTime(moved, timeZone);
  return isThere.minuteOfDay === minuteOfDay && isThere.plainDate === day ? moved : guess;
}

export function dayOf(time: number): Day {
  return new Date(time).toISOString().slice(0, 10);
}
