/** A day of a time zone. */
export interface DaySpan {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** First moment, epoch milliseconds. */
  readonly start: number;
  /** First moment of the next day. */
  readonly end: number;
}

const DAY = 86_400_000;

/** Known spans by time zone and day: reading an offset is slow, and every report asks for the same days. */
const knownSpans = new Map<string, Map<string, DaySpan>>();
const MAX_KNOWN_DAYS = 10_000;

export function daySpan(day: string, timeZone: string): DaySpan {
  return daySpans([day], timeZone)[0]!;
}

export function daySpans(days: readonly string[], timeZone: string): DaySpan[] {
  const known = knownSpans.get(timeZone) ?? new Map<string, DaySpan>();
  if (known.size === 0) knownSpans.set(timeZone, known);
  else if (known.size > MAX_KNOWN_DAYS) known.clear();
  let offsetAt: ((moment: number) => number) | undefined;
  return days.map((day) => {
    let span = known.get(day);
    if (span === undefined) known.set(day, span = spanOf(day, offsetAt ??= offsetsOf(timeZone)));
    return span;
  });
}

/** Days from `start` to `end`, inclusive. */
export function eachDay(start: string, end: string): string[] {
  const days: string[] = [];
  for (let day = start; day <= end; day = nextDay(day)) days.push(day);
  return days;
}

/** Cached formats by time zone, which are slow to make. */
const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** Day of a moment (epoch milliseconds) in a time zone. */
export function dayAt(moment: number, timeZone: string): string {
  let format = dayFormats.get(timeZone);
  if (format === undefined) {
    const parts = { timeZone, year: "numeric", month: "2-digit", day: "2-digit" } as const;
    format = new Intl.DateTimeFormat("sv-SE", parts);
    dayFormats.set(timeZone, format);
  }
  return format.format(moment);
}

/** The day `count` days later; earlier if negative. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY).toISOString().slice(0, 10);
}

function nextDay(day: string): string {
  return addDays(day, 1);
}

function spanOf(day: string, offsetAt: (moment: number) => number): DaySpan {
  return { day, start: startOf(day, offsetAt), end: startOf(nextDay(day), offsetAt) };
}

/** Midnight in a time zone, by its offset, read twice in case it changes that day. */
function startOf(day: string, offsetAt: (moment: number) => number): number {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const guess = midnight - offsetAt(midnight);
  return midnight - offsetAt(guess);
}

/** Reads offsets of a time zone with one format, which is slow to make. */
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
