export interface DaySpan {
  readonly day: string;
  readonly start: number;
  readonly end: number;
}

const DAY = 86_400_000;

/** Cache of days, because reading an offset is slow and reports repeat days. */
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

export function eachDay(start: string, end: string): string[] {
  const days: string[] = [];
  for (let day = start; day <= end; day = nextDay(day)) days.push(day);
  return days;
}

/** Cache of date formats by time zone, because creating one is slow. */
const dayFormats = new Map<string, Intl.DateTimeFormat>();

export function dayAt(moment: number, timeZone: string): string {
  let format = dayFormats.get(timeZone);
  if (format === undefined) {
    const parts = { timeZone, year: "numeric", month: "2-digit", day: "2-digit" } as const;
    format = new Intl.DateTimeFormat("sv-SE", parts);
    dayFormats.set(timeZone, format);
  }
  return format.format(moment);
}

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY).toISOString().slice(0, 10);
}

function nextDay(day: string): string {
  return addDays(day, 1);
}

function spanOf(day: string, offsetAt: (moment: number) => number): DaySpan {
  return { day, start: startOf(day, offsetAt), end: startOf(nextDay(day), offsetAt) };
}

/** Returns the start of a day. Checks the offset twice, because it may change on that day. */
function startOf(day: string, offsetAt: (moment: number) => number): number {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const guess = midnight - offsetAt(midnight);
  return midnight - offsetAt(guess);
}

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
