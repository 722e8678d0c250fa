import type { FirstValue } from "../plans/day/day_ledger.ts";
import type { DayTotals } from "../plans/day/day_totals.ts";
import type { JudgedChange } from "./judged_change.ts";

/** The bids and budgets that changes move for the first time today, as they were. */
export function firstValues(judged: readonly JudgedChange[], today: DayTotals): FirstValue[] {
  return judged.flatMap(({ change: { kind, id }, before, after }) =>
    (["bid", "budget"] as const).flatMap((field): FirstValue[] => {
      const value = before[field];
      if (id === null || value === undefined || value === after[field]) return [];
      return today.firstValue(kind, id, field) === undefined ? [{ kind, id, field, value }] : [];
    })
  );
}
