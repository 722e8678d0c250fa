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
  return { day, start: startOf(day, timeZone), end: startOf(nextDay(day), timeZone) };
}

/** The days from `start` to `end`, both included, as `YYYY-MM-DD`. */
export function eachDay(start: string, end: string): string[] {
  const days: string[] = [];
  for (let day = start; day <= end; day = nextDay(day)) days.push(day);
  return days;
}

/** The day it is in a time zone at a moment, in milliseconds since the epoch. */
export function dayAt(moment: number, timeZone: string): string {
  const parts = { timeZone, year: "numeric", month: "2-digit", day: "2-digit" } as const;
  return new Intl.DateTimeFormat("sv-SE", parts).format(moment);
}

/** The day so many days later, or earlier for a negative number. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY).toISOString().slice(0, 10);
}

function nextDay(day: string): string {
  return addDays(day, 1);
}

/** Midnight of a day in a time zone: found from the zone's difference to UTC, looked at twice for days it changes. */
function startOf(day: string, timeZone: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const guess = midnight - offsetAt(midnight, timeZone);
  return midnight - offsetAt(guess, timeZone);
}

function offsetAt(moment: number, timeZone: string): number {
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
  const parts = Object.fromEntries(
    format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]),
  );
  const local = Date.UTC(parts.year!, parts.month! - 1, parts.day, parts.hour, parts.minute, parts.second);
  return local - moment;
}
