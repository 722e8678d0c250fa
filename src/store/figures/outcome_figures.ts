import type { EntityTotals } from "./entity_totals.ts";
import type { ChangeOutcome } from "../../plans/model/change_result.ts";

/** Sums of an entity over the days before or after; amounts in the account's currency. */
export interface OutcomeFigures extends EntityTotals {
  /** Cost divided by the number of days. */
  readonly cost_per_day: number;
  /** Cost divided by sales, 0.25 for 25 %; `null` without sales. */
  readonly acos: number | null;
}

export function outcomeFigures(totals: EntityTotals | undefined, days: number): OutcomeFigures | null {
  if (totals === undefined) return null;
  const { cost, sales } = totals;
  return { ...totals, cost_per_day: cost / days, acos: sales > 0 ? cost / sales : null };
}

/** One change of a plan, with its figures before and after. */
export interface ChangedEntity {
  /** Position in the plan. */
  readonly change: number;
  /** Resource kind. */
  readonly kind: string;
  /** Id of the entity; `null` for one that was not created. */
  readonly id: string | null;
  /** Display name of the entity. */
  readonly label: string;
  /** Outcome of the change. */
  readonly outcome: ChangeOutcome;
  /** Sums over the days before; `null` if unknown. */
  readonly before: OutcomeFigures | null;
  /** Sums over the days after; `null` if unknown. */
  readonly after: OutcomeFigures | null;
}
