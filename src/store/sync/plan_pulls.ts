import { addDays, type Day, type DayRange, eachDay, joinDays, splitRange } from "../../base/time/calendar.ts";
import type { ReportingApi } from "../../client/reports/requests/report_configuration.ts";
import { isOpen, type LedgerEntry } from "../model/ledger_entry.ts";

const MAX_REPORT = { 3: 31, 1: 120 } as const;

/** Hours after which a report in progress is requested again, since figures have changed. */
const FRESH_HOURS = 12;

const DELIVERABLE_DAYS = 14;

export interface PullFacts {
  readonly firstKept: Day;
  readonly end: Day;
  readonly start?: Day | undefined;
  readonly restateDays: number;
  readonly covered: readonly DayRange[];
  readonly missing: readonly DayRange[];
  readonly building: readonly LedgerEntry[];
  readonly now: number;
}

export interface Pulls {
  readonly resume: readonly LedgerEntry[];
  readonly days: readonly Day[];
}

/**
 * By default, plans the restatement window, every available day that is not stored, undelivered days, and pending
 * reports. Days of a fresh pending report are not requested now, but again later; the older report never replaces
 * newer figures. For identical days, the new request waits until the old report is stored.
 */
export function planPulls(facts: PullFacts): Pulls {
  const wanted = new Set(wantedDays(facts));
  const resume: LedgerEntry[] = [];
  for (const entry of facts.building) {
    const days = [...eachDay(entry)];
    if (facts.start !== undefined && !days.every((day) => wanted.has(day))) continue;
    resume.push(entry);
    if (isFresh(entry, facts.now)) { for (const day of days) wanted.delete(day); }
  }
  return { resume, days: [...wanted].sort() };
}

/**
 * True if an open report for the same days may still be delivered. `wanted.fingerprint` is the fingerprint of a
 * current request for these days.
 */
export function isDeliverable(entry: LedgerEntry, wanted: { fingerprint: string; now: number }): boolean {
  return isOpen(entry) && entry.fingerprint === wanted.fingerprint &&
    wanted.now - Date.parse(entry.askedAt) < DELIVERABLE_DAYS * 24 * 3600_000;
}

export function isFresh({ askedAt }: LedgerEntry, now: number): boolean {
  return now - Date.parse(askedAt) < FRESH_HOURS * 3600_000;
}

export function reportRanges(days: readonly Day[], reporting: ReportingApi = 3): DayRange[] {
  return joinDays(days).flatMap((range) => splitRange(range, MAX_REPORT[reporting]));
}

export function* daysWithout(ranges: Iterable<DayRange>, others: readonly DayRange[]): Generator<Day> {
  for (const range of ranges) {
    for (const day of eachDay(range)) {
      if (!others.some(({ start, end }) => start <= day && day <= end)) yield day;
    }
  }
}

function* wantedDays(facts: PullFacts): Generator<Day> {
  const { covered, start, end, firstKept, missing } = facts;
  if (start !== undefined) {
    yield* eachDay({ start, end });
    return;
  }
  const newest = covered.at(-1);
  if (newest === undefined) {
    yield* eachDay({ start: firstKept, end });
    return;
  }
  const restated = eachDay({ start: addDays(newest.end, -facts.restateDays), end });
  const lacking = daysWithout([{ start: firstKept, end }], covered);
  for (const day of [...restated, ...lacking, ...daysWithout(missing, [])]) {
    if (day >= firstKept && day <= end) yield day;
  }
}
