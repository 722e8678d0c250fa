import { keptOr } from "../lists/kept_or.ts";

export interface ZonedDateTime {
  /** `YYYY-MM-DD`. */
  readonly plainDate: string;
  /** Hour, 0 to 23. An hour repeats when clocks go back and is skipped when they go forward. */
  readonly hour: number;
  readonly minute: number;
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
