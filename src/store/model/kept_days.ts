import { addDays, type Day, type DayRange, eachDay } from "../../base/time/calendar.ts";
import type { DayFigures, DayTally } from "./encode_rows.ts";
import type { StoredDay } from "./store_driver.ts";

/** Rules for replacing stored days. */
export interface KeepRules {
  /** Time at which the platform made the report, or was asked for it, ISO 8601. */
  readonly madeAt: string;
  /** First day that the platform kept at that time. */
  readonly firstKept: Day;
  /** The profile's day at that time. */
  readonly today: Day;
  /** True to accept far fewer rows or less cost. */
  readonly acceptShrink: boolean;
  /** True for a whole report. */
  readonly whole: boolean;
  /** True for an empty report that may be wrong: days that were never stored stay unknown. */
  readonly isDoubtful: boolean;
}

/** Stored days that stay. */
export interface KeptDays {
  /** Days that would shrink a lot: a person decides. */
  readonly held: readonly Day[];
  /** Days from a newer report, past the platform's retention, or unknown. */
  readonly left: readonly Day[];
}

/** Smaller days may lose most of their cost. */
const FEW_ROWS = 10;
/** Days may lose fewer rows than this, whatever the share. */
const LOST_ROWS = 5;

/** Days in which clicks are withdrawn as invalid. */
const UNSETTLED_DAYS = 4;

/**
 * Decides which stored days a report leaves alone.
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
    const unknown = rules.isDoubtful && there === undefined;
    (newer || expired || unknown ? left : rest).push(day);
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

/** True for far fewer rows or less cost, which a person has to accept. */
function isShrunk(before: DayFigures, after: DayFigures): boolean {
  return areFarFewer(before.rows, after.rows) ||
    before.rows >= FEW_ROWS && after.cost * 2 < before.cost;
}

/** True for far fewer rows, which a person has to accept. */
export function areFarFewer(before: number, after: number): boolean {
  return before > 0 && after === 0 || before - after >= LOST_ROWS && after * 2 < before;
}
