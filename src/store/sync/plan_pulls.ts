import { addDays, type Day, type DayRange, eachDay, joinDays, splitRange } from "../../reports/calendar.ts";
import { isOpen, type LedgerEntry } from "../ledger_entry.ts";

/** Days that one report may span. */
const LONGEST_REPORT = 31;

/** Hours after which a report that was asked for is not taken up any more: the platform has newer figures by then. */
const FRESH_HOURS = 12;

/** What is known when it is decided what to pull of one report of one profile. */
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
  /** Reports that were asked for and are not stored. */
  readonly unfinished: readonly LedgerEntry[];
  /** Fingerprint of a report over these days; an open entry with another one holds other columns. */
  readonly fingerprint: (range: DayRange) => string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What to pull. */
export interface Pulls {
  /** Reports that were asked for already and only need to be fetched. */
  readonly resume: readonly LedgerEntry[];
  /** Further days that are wanted, in order. */
  readonly days: readonly Day[];
  /** Open entries that are not worth waiting for. */
  readonly drop: readonly LedgerEntry[];
}

/**
 * Decides what to pull. Without a first day that is: the restatement window before the newest stored day, gaps, and
 * days that were asked for and never came; everything that is kept when nothing is stored. Days for which a fresh
 * report is being built are left to it.
 */
export function planPulls(facts: PullFacts): Pulls {
  const wanted = new Set(wantedDays(facts));
  const resume: LedgerEntry[] = [];
  const drop: LedgerEntry[] = [];
  for (const entry of facts.unfinished.filter(isOpen)) {
    const days = [...eachDay(entry)];
    const usable = isFresh(entry, facts.now) && entry.fingerprint === facts.fingerprint(entry);
    if (!usable) drop.push(entry);
    else if (days.every((day) => wanted.has(day))) {
      resume.push(entry);
      for (const day of days) wanted.delete(day);
    }
  }
  return { resume, days: [...wanted].sort(), drop };
}

/** The fewest reports that hold these days, each day in one of them. */
export function reportRanges(days: readonly Day[]): DayRange[] {
  return joinDays(days).flatMap((range) => splitRange(range, LONGEST_REPORT));
}

function* wantedDays(facts: PullFacts): Generator<Day> {
  const { covered, start, end, firstKept, unfinished } = facts;
  if (start !== undefined) {
    yield* eachDay({ start, end });
    return;
  }
  const newest = covered.at(-1);
  if (newest === undefined) {
    yield* eachDay({ start: firstKept, end });
    return;
  }
  const restated = addDays(newest.end, -facts.restateDays);
  yield* eachDay({ start: restated > firstKept ? restated : firstKept, end });
  for (const range of [...gapsOf(covered), ...unfinished]) {
    for (const day of eachDay(range)) {
      if (day >= firstKept && day <= end && !isCovered(day, covered)) yield day;
    }
  }
}

function gapsOf(covered: readonly DayRange[]): DayRange[] {
  return covered.slice(1).map((range, index) => ({
    start: addDays(covered[index]!.end, 1),
    end: addDays(range.start, -1),
  }));
}

function isCovered(day: Day, covered: readonly DayRange[]): boolean {
  return covered.some(({ start, end }) => start <= day && day <= end);
}

function isFresh(entry: LedgerEntry, now: number): boolean {
  return now - Date.parse(entry.askedAt) < FRESH_HOURS * 3600_000;
}
