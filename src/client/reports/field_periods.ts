import {
  addDays,
  type Day,
  dayOf,
  type DayRange,
  eachDay,
  splitRange,
  startOfMonth,
  startOfWeek,
} from "../../base/time/calendar.ts";
import type { ReportFieldCheck, ReportTimeLimits } from "./report_field.ts";

interface Span {
  readonly days?: number;
  readonly months?: number;
}

/** Strictest first. */
const TIMES: readonly { readonly field: string; readonly history: Span; readonly longest: Span }[] = [
  { field: "hour.value", history: { days: 14 }, longest: { days: 14 } },
  { field: "date.value", history: { months: 15 }, longest: { days: 120 } },
  { field: "day.value", history: { months: 15 }, longest: { months: 15 } },
  { field: "week.value", history: { months: 15 }, longest: { months: 15 } },
  { field: "month.value", history: { months: 72 }, longest: { months: 25 } },
  { field: "year.value", history: { months: 72 }, longest: { months: 72 } },
  { field: "dateRange.value", history: { months: 72 }, longest: { months: 72 } },
];

const REPEATING: readonly {
  readonly field: string;
  readonly period: (day: Day) => string;
  readonly number: (day: Day) => string;
  readonly longer: readonly string[];
}[] = [
  {
    field: "day.value",
    period: (day) => day,
    number: (day) => day.slice(8),
    longer: ["month.value", "year.value"],
  },
  { field: "week.value", period: startOfWeek, number: weekNumber, longer: ["year.value", "month.value"] },
  {
    field: "month.value",
    period: (day) => day.slice(0, 7),
    number: (day) => day.slice(5, 7),
    longer: ["year.value"],
  },
];
const LONGER: Readonly<Record<string, (day: Day) => string>> = {
  "month.value": (day) => day.slice(5, 7),
  "year.value": (day) => day.slice(0, 4),
};

/**
 * Adds the month or year to fields with day, week or month numbers, because equal numbers would otherwise be summed in
 * one row.
 *
 * @param wanted Modified in place.
 */
export function withLongerPeriods(
  wanted: Set<string>,
  range: DayRange,
): ReportFieldCheck["added"][number][] {
  if (wanted.has("date.value") || range.start > range.end) return [];
  const days = [...eachDay(range)];
  return REPEATING.filter(({ field }) => wanted.has(field)).flatMap(({ field, period, number, longer }) => {
    const repeats = (): boolean => {
      const told = Object.entries(LONGER).flatMap(([name, part]) => wanted.has(name) ? part : []);
      const periods = new Map<string, string>();
      return days.some((day) => {
        const key = [number(day), ...told.map((part) => part(day))].join();
        const known = periods.get(key) ?? period(day);
        periods.set(key, known);
        return known !== period(day);
      });
    };
    return longer.filter((name) => {
      if (wanted.has(name) || !repeats()) return false;
      wanted.add(name);
      return true;
    }).map((name) => ({ field: name, requiredBy: [field] }));
  });
}

function weekNumber(day: Day): string {
  const thursday = addDays(startOfWeek(day), 3);
  const first = `${thursday.slice(0, 4)}-01-01`;
  return String(1 + Math.floor((Date.parse(thursday) - Date.parse(first)) / (7 * 86_400_000)));
}

export function timeLimits(fields: readonly string[], today: Day | undefined): ReportTimeLimits {
  const { field, history, longest } = strictest(fields);
  return {
    field,
    history: written(history),
    longest: written(longest),
    firstDay: today === undefined ? undefined : earlier(today, history),
  };
}

export function periodsOf(
  range: DayRange,
  { time, today }: { time: ReportTimeLimits; today: Day },
): DayRange[] | string {
  const { start, end } = range;
  const { history, longest } = strictest([time.field]);
  const first = earlier(today, history);
  if (start > end) return `The first day, ${start}, is after the last, ${end}. Exchange them`;
  if (end > today) return `${end} is in the future: where the account is, it is ${today}`;
  if (start < first) {
    return `${start} is before what the platform keeps by ${time.field}: ${written(history)}. ` +
      `Begin on ${first} or later${hint(start, today)}`;
  }
  if (longest.days !== undefined) return splitRange(range, longest.days);
  // The others give their whole history in one report, and a total over two reports would be no total.
  return time.field === "month.value" ? byMonths(range, longest.months ?? 0) : [range];
}

/** Splits a range at the ends of months, so that no month is in two parts. */
function byMonths({ start, end }: DayRange, months: number): DayRange[] {
  const parts: DayRange[] = [];
  for (let from = start; from <= end;) {
    const next = from === start && end < monthsLater(start, months)
      ? addDays(end, 1)
      : monthsLater(startOfMonth(from), months);
    const last = addDays(next, -1);
    parts.push({ start: from, end: last < end ? last : end });
    from = next;
  }
  return parts;
}

function strictest(fields: readonly string[]): typeof TIMES[number] {
  return TIMES.find(({ field }) => fields.includes(field)) ?? TIMES.at(-1)!;
}

function hint(start: Day, today: Day): string {
  const other = TIMES.find(({ history }) => earlier(today, history) <= start);
  return other === undefined ? "" : `, or take ${other.field}, which goes back ${written(other.history)}`;
}

function earlier(day: Day, { days = 0, months = 0 }: Span): Day {
  return monthsLater(addDays(day, -days), -months);
}

/** Returns the day a number of months later, or the last day of that month if it is shorter. */
function monthsLater(day: Day, count: number): Day {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year, month + count, 0));
  return dayOf(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), Math.min(date, last.getUTCDate())));
}

function written({ days, months }: Span): string {
  return days === undefined ? `${months} months` : `${days} days`;
}

/** Parses an hour: 7, 07:00:00, or a moment that ends with the hour. */
export function hourOf(value: unknown): number {
  return Number(/(\d{1,2})(?::\d\d){0,2}$/.exec(String(value))?.[1] ?? value);
}
