import { addDays, type Day, type DayRange, eachDay } from "../../base/time/calendar.ts";
import type { DayFigures, DayTally } from "./encode_rows.ts";
import type { StoredDay } from "./store_driver.ts";

/** Rules for replacing stored days by a report. */
export interface KeepRules {
  /** When the platform made the report, or was asked for it where it does not say, ISO 8601. */
  readonly madeAt: string;
  /** First day that the platform still kept at that time. */
  readonly firstKept: Day;
  /** The day it was at that time where the profile is. */
  readonly today: Day;
  /** True to take a report with far fewer rows or less cost than what is stored. */
  readonly acceptShrink: boolean;
  /** True for a whole report, false for some of its days. */
  readonly whole: boolean;
}

/** Stored days that a report does not replace. */
export interface KeptDays {
  /** Days for which the report has far less than what is stored: a person decides. */
  readonly held: readonly Day[];
  /** Days that are stored from a newer report, or that the platform did not keep any more. */
  readonly left: readonly Day[];
}

/** Days with fewer rows may lose most of them without anything being wrong. */
const FEW_ROWS = 10;

/** Days during which clicks and impressions are taken back as invalid. */
const UNSETTLED_DAYS = 4;

/**
 * Decides which days stay as they are although a report names them.
 *
 * @param before What is stored of the days.
 * @param after What the report has.
 */
export function keptDays(
  range: DayRange,
  { before, after }: { before: readonly StoredDay[]; after: Pick<DayTally, "on"> },
  rules: KeepRules,
): KeptDays {
  const stored = new Map(before.map((figures) => [figures.day, figures]));
  const left: Day[] = [];
  const rest: Day[] = [];
  for (const day of eachDay(range)) {
    const there = stored.get(day);
    const newer = there !== undefined && there.madeAt !== null && there.madeAt > rules.madeAt;
    const expired = day < rules.firstKept && (there !== undefined || after.on(day).rows === 0);
    (newer || expired ? left : rest).push(day);
  }
  if (rules.acceptShrink) return { held: [], left };

  const sum = (figuresOf: (day: Day) => DayFigures | undefined): DayFigures =>
    rest.reduce<DayFigures>((total, day) => {
      const { rows = 0, cost = 0 } = figuresOf(day) ?? {};
      return { rows: total.rows + rows, cost: total.cost + cost };
    }, { rows: 0, cost: 0 });
  if (rules.whole && isShrunk(sum((day) => stored.get(day)), sum((day) => after.on(day)))) {
    return { held: rest, left };
  }
  const unsettled = addDays(rules.today, -UNSETTLED_DAYS);
  const held = rest.filter((day) => {
    const there = stored.get(day);
    if (there === undefined || day >= unsettled && there.rows < FEW_ROWS) return false;
    return isShrunk(there, after.on(day));
  });
  return { held, left };
}

/** True for far fewer rows or less cost than before, which a person has to accept. */
function isShrunk(before: DayFigures, after: DayFigures): boolean {
  return areFarFewer(before.rows, after.rows) ||
    before.rows >= FEW_ROWS && after.cost * 2 < before.cost;
}

/** True for far fewer rows than before, which a person has to accept. */
export function areFarFewer(before: number, after: number): boolean {
  return before > 0 && after === 0 || before >= FEW_ROWS && after * 2 < before;
}
