import { addDays, type Day, type DayRange, eachDay, joinDays, splitRange } from "../../base/time/calendar.ts";
import type { ReportingApi } from "../../client/reports/requests/report_configuration.ts";
import { isOpen, type LedgerEntry } from "../model/ledger_entry.ts";

/** Maximum days of a report, by reporting API. */
const MAX_REPORT = { 3: 31, 1: 120 } as const;

/** Hours after which a report in progress is requested again, since figures have changed. */
const FRESH_HOURS = 12;

/** Days for which the platform delivers a report, at most. */
const DELIVERABLE_DAYS = 14;

/** Input of {@linkcode planPulls}. */
export interface PullFacts {
  /** First day that the platform keeps. */
  readonly firstKept: Day;
  /** Last wanted day. */
  readonly end: Day;
  /** First wanted day, if given. */
  readonly start?: Day | undefined;
  /** Days before the newest stored one to pull again. */
  readonly restateDays: number;
  readonly covered: readonly DayRange[];
  /** Requested days that were never stored. */
  readonly missing: readonly DayRange[];
  /** Reports in progress that may still be delivered. */
  readonly building: readonly LedgerEntry[];
  readonly now: number;
}

export interface Pulls {
  /** Requested reports to fetch. */
  readonly resume: readonly LedgerEntry[];
  /** Further wanted days, in order. */
  readonly days: readonly Day[];
}

/**
 * Decides what to pull. Without a first day that is: the restatement window before the newest stored day, every day that
 * the platform still keeps and the store lacks, days that were requested and not delivered, and every report that is
 * being built. Days for which a report is being built are left to it while it is fresh, and asked for beside it later: the
 * older report is stored all the same, and never over newer figures. Over exactly the same days the new one is asked for once the old one is stored.
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
 * True for a report in progress that may still be delivered.
 *
 * @param wanted What the same days would be asked with today, and milliseconds since the epoch.
 */
export function isDeliverable(entry: LedgerEntry, wanted: { fingerprint: string; now: number }): boolean {
  return isOpen(entry) && entry.fingerprint === wanted.fingerprint &&
    wanted.now - Date.parse(entry.askedAt) < DELIVERABLE_DAYS * 24 * 3600_000;
}

/** True for a recent request, whose figures are current. */
export function isFresh({ askedAt }: LedgerEntry, now: number): boolean {
  return now - Date.parse(askedAt) < FRESH_HOURS * 3600_000;
}

/** Smallest set of reports for these days, each day once. */
export function reportRanges(days: readonly Day[], reporting: ReportingApi = 3): DayRange[] {
  return joinDays(days).flatMap((range) => splitRange(range, MAX_REPORT[reporting]));
}

/** Days of the first ranges that the others lack. */
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
