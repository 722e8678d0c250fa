import type { EntityTotals } from "./entity_totals.ts";

/** Sums of an entity over the days of one side of a comparison; amounts in the account's currency. */
export interface OutcomeFigures extends EntityTotals {
  /** Cost divided by the number of days. */
  readonly cost_per_day: number;
  /** Cost divided by sales, 0.25 for 25 %; `null` without sales. */
  readonly acos: number | null;
}

/** Adds what follows from the sums; `null` where they are unknown. */
export function outcomeFigures(totals: EntityTotals | undefined, days: number): OutcomeFigures | null {
  if (totals === undefined) return null;
  const { cost, sales } = totals;
  return { ...totals, cost_per_day: cost / days, acos: sales > 0 ? cost / sales : null };
}
