import { addDays, checkDay, type Day } from "./calendar.ts";

/** A moment: a `Date`, milliseconds since the epoch, or ISO 8601 text; without a time zone it is UTC, a day its midnight. */
export type Moment = Date | number | string;

const DAY_AND_TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:\d{2})?)?$/i;

/**
 * A moment in milliseconds since the epoch.
 *
 * @throws {TypeError} when it is none.
 */
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
const DAY = 86_400_000;
const UNITS: ReadonlyMap<string | undefined, number> = new Map([["h", 3_600_000], ["m", 60_000]]);

/**
 * A moment as people type it: `-7` or `-7d` (days ago), `-3h`, `-45m`, or ISO 8601 text as in {@linkcode milliseconds}.
 *
 * @param what What the moment is for, named in the error.
 * @param now Milliseconds since the epoch.
 * @returns Milliseconds since the epoch.
 * @throws {TypeError} when it is none of these.
 */
export function readMoment(text: string, what: string, now: number): number {
  const [ago, count, unit] = AGO.exec(text.trim()) ?? [];
  if (ago !== undefined) return now - Number(count) * (UNITS.get(unit) ?? DAY);
  const time = fromText(text.trim());
  if (Number.isFinite(time)) return time;
  throw new TypeError(
    `Cannot use "${text}" as ${what}: write days ago (-7), hours ago (-3h), a day (2026-11-20) or a moment (2026-11-20T10:00:00Z)`,
  );
}

/**
 * A day as people type it: `2026-11-20`, or `-7` for so many days before today.
 *
 * @param what What the day is for, named in the error.
 * @param today The day it is where the profile is.
 * @throws {RangeError} when it is neither.
 */
export function readDay(text: string, what: string, today: Day): Day {
  const [ago, count, unit] = AGO.exec(text.trim()) ?? [];
  if (ago !== undefined && (unit === "" || unit === "d")) return addDays(today, -Number(count));
  return checkDay(text.trim(), what);
}
