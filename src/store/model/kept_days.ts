import { addDays, type Day, type DayRange, eachDay } from "../../base/time/calendar.ts";
import type { DayFigures, DayTally } from "./encode_rows.ts";
import type { StoredDay } from "./store_driver.ts";

export interface KeepRules {
  readonly madeAt: string;
  readonly firstKept: Day;
  readonly today: Day;
  readonly acceptShrink: boolean;
  readonly whole: boolean;
  /** True for an empty report that may be wrong; days that were never stored then remain unknown. */
  readonly isDoubtful: boolean;
}

export interface KeptDays {
  /** Days that would shrink a lot; a person must decide. */
  readonly held: readonly Day[];
  /** Days that stay as stored: from a newer report, outside of the platform's retention, or unknown. */
  readonly left: readonly Day[];
}

/** A day with fewer rows than this may lose most of its cost. */
const FEW_ROWS = 10;
const LOST_ROWS = 5;

/** Days during which clicks are removed as invalid. */
const UNSETTLED_DAYS = 4;

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

function isShrunk(before: DayFigures, after: DayFigures): boolean {
  return areFarFewer(before.rows, after.rows) ||
    before.rows >= FEW_ROWS && after.cost * 2 < before.cost;
}

export function areFarFewer(before: number, after: number): boolean {
  return before > 0 && after === 0 || before - after >= LOST_ROWS && after * 2 < before;
}
