import type { LastChanges } from "../model/amount_changes.ts";
import type { DayTotals } from "../state/day_totals.ts";
import type { JudgedChange } from "./judged_change.ts";
import type { MarketMoment } from "./market_moment.ts";
import type { MovedBid } from "./moved_today.ts";

export interface PlainFinding {
  /** The key, for example `max_bid`. */
  readonly rule: string;
  readonly message: string;
  readonly allowed?: string;
  readonly hint?: string;
  /** True where only a fact is unknown that decides how far a raise may go: what lowers spend passes. @default false */
  readonly isUnknown?: boolean;
}

export interface PlainContext {
  readonly countryCode: string;
  readonly currency: string;
  readonly today: DayTotals;
  readonly moment: MarketMoment;
  /** Bids that were moved earlier on the day, as they are now. */
  readonly moved?: readonly MovedBid[] | undefined;
  /** Earlier changes of bids, budgets and states. */
  readonly changes?: Pick<LastChanges, "dayOf"> | undefined;
}

export type ChangeRule = (judged: JudgedChange, context: PlainContext) => PlainFinding | undefined;
