import {
  addDays,
  checkDay,
  type Day,
  dayIn,
  dayOfWeek,
  type DayRange,
  eachDay,
  endOfMonth,
} from "../../base/time/calendar.ts";
import type { Workflow, WorkflowType } from "./clean_room_types.ts";

/** Retention in months. */
const KEPT_MONTHS = 13;
/** Days until a day's data is complete. */
const COMPLETE_AFTER = 2;

/** Time window of a run. */
export interface RunWindow {
  /** First day, `YYYY-MM-DD`. */
  readonly start: string;
  /** Last day, `YYYY-MM-DD`. */
  readonly end: string;
  /** IANA time zone of the days. @default "UTC" */
  readonly zone?: string | undefined;
  /**
   * Splits the window into separate runs, whose distinct counts do not add up to that of the window. @default one run
   */
  readonly each?: "day" | "week" | "month" | undefined;
}

export interface CheckedWindow {
  readonly zone: string;
  readonly parts: readonly DayRange[];
  readonly warnings: readonly string[];
}

/** @throws {RangeError} when days have no data yet or no longer; nothing is sent. */
export function checkWindow({ start, end, zone = "UTC", each }: RunWindow, now: number): CheckedWindow {
  checkDay(start, "start");
  checkDay(end, "end");
  const today = todayIn(zone, now);
  if (end < start) throw new RangeError(`Cannot run from ${start} to ${end}: the end is before the start`);
  if (end >= today) {
    throw new RangeError(
      `Cannot run until ${end}: the day is not over in ${zone}. End on ${addDays(today, -1)}`,
    );
  }
  const first = monthsBefore(today, KEPT_MONTHS);
  if (start < first) {
    throw new RangeError(
      `Cannot run from ${start}: clean rooms keep ${KEPT_MONTHS} months of data. Start on ${first} or later`,
    );
  }
  const complete = addDays(today, -1 - COMPLETE_AFTER);
  const warnings = end <= complete
    ? []
    : [`Figures after ${complete} are not complete yet: data is complete after 48 hours`];
  return { zone, parts: partsOf({ start, end }, each), warnings };
}

/** Days that a sync cuts into calendar parts. */
export interface SyncWindows {
  /** First day. @default by `days` */
  readonly start?: Day | undefined;
  /** Last day. @default the last complete one */
  readonly end?: Day | undefined;
  /** Calendar part of a window. */
  readonly each: "day" | "week" | "month";
  /** Number of days back from the last complete day. */
  readonly days: number;
  /** IANA time zone of the days. */
  readonly zone: string;
}

/**
 * Returns the whole calendar parts whose data is complete and still kept, so that the same days always make the same
 * windows.
 *
 * @throws {RangeError} for days that make no sense.
 */
export function closedParts({ start, end, each, days, zone }: SyncWindows, now: number): DayRange[] {
  if (start !== undefined) checkDay(start, "start");
  if (end !== undefined) checkDay(end, "end");
  const today = todayIn(zone, now);
  const complete = addDays(today, -1 - COMPLETE_AFTER);
  const last = end === undefined || end > complete ? complete : end;
  const kept = monthsBefore(today, KEPT_MONTHS);
  const wanted = start ?? addDays(last, 1 - days);
  const first = wanted < kept ? kept : wanted;
  if (last < first) throw new RangeError(`Cannot sync from ${first} to ${last}: there are no complete days`);
  // A part is whole if the days around it belong to others.
  const parts = partsOf({ start: addDays(first, -1), end: addDays(last, 1) }, each);
  return parts.filter((part) => part.start >= first && part.end <= last);
}

function todayIn(zone: string, now: number): Day {
  try {
    return dayIn(zone, now);
  } catch {
    throw new RangeError(`Cannot use time zone "${zone}": it is not an IANA name such as Europe/Berlin`);
  }
}

function monthsBefore(day: Day, months: number): Day {
  const date = new Date(`${day.slice(0, 8)}01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() - months);
  const month = date.toISOString().slice(0, 8);
  const last = endOfMonth(`${month}01`);
  const same = `${month}${day.slice(8)}`;
  return same > last ? last : same;
}

/** Splits a range into calendar days, weeks from Monday, or months; the first and last part may be shorter. */
function partsOf({ start, end }: DayRange, each: RunWindow["each"]): DayRange[] {
  if (each === undefined) return [{ start, end }];
  const parts: DayRange[] = [];
  let from = start;
  for (const day of eachDay({ start, end })) {
    const isLast = each === "day" || day === end || (each === "month" && day === endOfMonth(day)) ||
      (each === "week" && dayOfWeek(day) === 7);
    if (!isLast) continue;
    parts.push({ start: from, end: day });
    from = addDays(day, 1);
  }
  return parts;
}

/** Values of parameters by name. */
export type ParameterValues = Readonly<Record<string, string | number | boolean>>;

/**
 * Checks the values of a workflow's parameters. Values are passed separately and never inserted into the query.
 *
 * @throws {TypeError} naming every unknown, missing or mistyped parameter; nothing is sent.
 */
export function checkParameters(workflow: Workflow, values: ParameterValues = {}): Record<string, string> {
  const { workflowId, inputParameters = [] } = workflow;
  const known = inputParameters.map(({ name }) => name);
  const problems = Object.keys(values).filter((name) => !known.includes(name)).map((name) =>
    `"${name}" is not one of its parameters${known.length === 0 ? "" : ` (${known.join(", ")})`}`
  );
  const texts: Record<string, string> = {};
  for (const { name, dataType = "STRING", defaultValue } of inputParameters) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) {
      if (defaultValue === undefined) problems.push(`"${name}" has no value and no default`);
      continue;
    }
    const text = String(value);
    const why = typeProblem(text, dataType);
    if (why !== undefined) problems.push(`"${name}" is "${text}", not ${why}`);
    else texts[name] = text;
  }
  if (problems.length > 0) throw new TypeError(`Cannot run "${workflowId}": ${problems.join("; ")}`);
  return texts;
}

const WHOLE = ["BYTE", "INTEGER", "LONG", "SHORT"];
const NUMBERS = [...WHOLE, "DECIMAL", "DOUBLE", "FLOAT"];

export function typeProblem(text: string, type: WorkflowType): string | undefined {
  if (WHOLE.includes(type)) return /^[+-]?\d+$/.test(text) ? undefined : "a whole number";
  if (NUMBERS.includes(type)) {
    return text.trim() !== "" && Number.isFinite(Number(text)) ? undefined : "a number";
  }
  if (type === "BOOLEAN") return /^(?:true|false)$/.test(text) ? undefined : "true or false";
  if (type === "DATE") {
    const isDate = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
    return isDate ? undefined : "a day such as 2026-09-30";
  }
  if (type === "TIMESTAMP") {
    return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?/.test(text)
      ? undefined
      : "a time such as 2026-09-30T12:00:00";
  }
  return undefined;
}
