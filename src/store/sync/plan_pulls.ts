import { addDays, type Day, type DayRange, eachDay, joinDays, splitRange } from "../../base/time/calendar.ts";
import type { ReportingApi } from "../../client/reports/requests/report_configuration.ts";
import { isOpen, type LedgerEntry } from "../model/ledger_entry.ts";

/** Days that one report may span, by reporting API. */
const MAX_REPORT = { 3: 31, 1: 120 } as const;

/** Hours after which the days of a report that is being built are asked for anew beside it: figures have changed. */
const FRESH_HOURS = 12;

/** Days after which the platform does not deliver a report any more; it may forget it earlier, and says so then. */
const DELIVERABLE_DAYS = 14;

/** Facts for deciding the pulls of one report of one profile. */
export interface PullFacts {
  /** First day that the platform still keeps. */
  readonly firstKept: Day;
  /** Last day that is wanted. */
  readonly end: Day;
  /** First day that is wanted, where the caller says so. */
  readonly start?: Day | undefined;
  /** Days before the newest stored one that are pulled again. */
  readonly restateDays: number;
  /** Stored days, in order. */
  readonly covered: readonly DayRange[];
  /** Days that were asked for and have not been stored since. */
  readonly missing: readonly DayRange[];
  /** Reports that are being built and that the platform may still deliver. */
  readonly building: readonly LedgerEntry[];
  readonly now: number;
}

export interface Pulls {
  /** Reports that were asked for already and only need to be fetched. */
  readonly resume: readonly LedgerEntry[];
  /** Further days that are wanted, in order. */
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
 * True for a report that is being built and that the platform may still deliver.
 *
 * @param wanted What the same days would be asked with today, and milliseconds since the epoch.
 */
export function isDeliverable(entry: LedgerEntry, wanted: { fingerprint: string; now: number }): boolean {
  return isOpen(entry) && entry.fingerprint === wanted.fingerprint &&
    wanted.now - Date.parse(entry.askedAt) < DELIVERABLE_DAYS * 24 * 3600_000;
}

/** True for a report that was asked for so lately that its figures are those of now. */
export function isFresh({ askedAt }: LedgerEntry, now: number): boolean {
  return now - Date.parse(askedAt) < FRESH_HOURS * 3600_000;
}

/** The fewest reports that hold these days, each day in one of them. */
export function reportRanges(days: readonly Day[], reporting: ReportingApi = 3): DayRange[] {
  return joinDays(days).flatMap((range) => splitRange(range, MAX_REPORT[reporting]));
}

/** Days that are in the first ranges and in none of the others. */
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
