/** A day of a time zone: its name and the moments it begins and ends. */
export interface DaySpan {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Its first moment, milliseconds since the epoch. */
  readonly start: number;
  /** The first moment of the day after it. */
  readonly end: number;
}

const DAY = 86_400_000;

/** A day as it passes in a time zone. */
export function daySpan(day: string, timeZone: string): DaySpan {
  return spanOf(day, offsetsOf(timeZone));
}

/** Days as they pass in a time zone. */
export function daySpans(days: readonly string[], timeZone: string): DaySpan[] {
  const offsetAt = offsetsOf(timeZone);
  return days.map((day) => spanOf(day, offsetAt));
}

/** The days from `start` to `end`, both included, as `YYYY-MM-DD`. */
export function eachDay(start: string, end: string): string[] {
  const days: string[] = [];
  for (let day = start; day <= end; day = nextDay(day)) days.push(day);
  return days;
}

/** Formats of days by time zone: making one costs far more than using it. */
const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** The day it is in a time zone at a moment, in milliseconds since the epoch. */
export function dayAt(moment: number, timeZone: string): string {
  let format = dayFormats.get(timeZone);
  if (format === undefined) {
    const parts = { timeZone, year: "numeric", month: "2-digit", day: "2-digit" } as const;
    format = new Intl.DateTimeFormat("sv-SE", parts);
    dayFormats.set(timeZone, format);
  }
  return format.format(moment);
}

/** The day `count` days later, or earlier for a negative number. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY).toISOString().slice(0, 10);
}

function nextDay(day: string): string {
  return addDays(day, 1);
}

function spanOf(day: string, offsetAt: (moment: number) => number): DaySpan {
  return { day, start: startOf(day, offsetAt), end: startOf(nextDay(day), offsetAt) };
}

/** Midnight of a day in a time zone: found from the zone's difference to UTC, looked at twice for days it changes. */
function startOf(day: string, offsetAt: (moment: number) => number): number {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const guess = midnight - offsetAt(midnight);
  return midnight - offsetAt(guess);
}

/** Reads the offset of many moments in a time zone: making the format costs far more than using it. */
export function offsetsOf(timeZone: string): (moment: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  return (moment) => {
    const parts = Object.fromEntries(
      format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]),
    );
    const local = Date.UTC(parts.year!, parts.month! - 1, parts.day, parts.hour, parts.minute, parts.second);
    return local - moment;
  };
}
