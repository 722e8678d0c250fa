import type { LastChanges } from "../model/amount_changes.ts";
import type { DayTotals } from "../state/day_totals.ts";
import type { JudgedChange } from "./judged_change.ts";
import type { MarketMoment } from "./market_moment.ts";
import type { MovedBid } from "./moved_today.ts";

export interface PlainFinding {
  readonly rule: string;
  readonly message: string;
  readonly allowed?: string;
  readonly hint?: string;
  /**
   * True if only the limit of an increase is unknown, so that decreases may pass.
   *
   * @default false
   */
  readonly isUnknown?: boolean;
}

export interface PlainContext {
  readonly countryCode: string;
  readonly currency: string;
  readonly today: DayTotals;
  readonly moment: MarketMoment;
  readonly moved?: readonly MovedBid[] | undefined;
  readonly changes?: Pick<LastChanges, "dayOf"> | undefined;
}

export type ChangeRule = (judged: JudgedChange, context: PlainContext) => PlainFinding | undefined;
