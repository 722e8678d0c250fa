import { keptOr } from "../lists/kept_or.ts";

/** A moment as local date and time. The fields are those of `Temporal.ZonedDateTime`. */
export interface ZonedDateTime {
  /** `YYYY-MM-DD`. */
  readonly plainDate: string;
  /** 0 to 23. Where clocks are set back, an hour comes twice; where they are set forward, one is missing. */
  readonly hour: number;
  readonly minute: number;
  /** 1 is Monday, 7 is Sunday. */
  readonly dayOfWeek: number;
}

/** Offsets from UTC change at full quarters of an hour only. */
const QUARTER = 900_000;
const MAX_OFFSETS = 20_000;

const ZONES = new Map<string, (quarter: number) => number>();

/**
 * The local time in a time zone.
 *
 * @param time Milliseconds since the epoch.
 * @param timeZone Name of the zone, for example `America/Los_Angeles`.
 * @throws {RangeError} when there is no such zone or moment.
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

/** Reads the offset of a quarter of an hour, in milliseconds. A format costs far more than arithmetic, so offsets are kept. */
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
