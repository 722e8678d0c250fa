import type { DayField, DayTotals, WriteTotals } from "./day_totals.ts";

/** The value that a field had before its first change of a day. */
export interface FirstValue {
  /** Resource kind, for example `sp.keywords`. */
  readonly kind: string;
  /** Id of the entity. */
  readonly id: string;
  /** Which of its amounts. */
  readonly field: DayField;
  /** The amount in the account's currency. */
  readonly value: number;
}

/** What a plan takes of a day's limits. */
export interface DayEntry extends WriteTotals {
  /** Amounts that this plan moves for the first time on the day. */
  readonly first: readonly FirstValue[];
}

/** What asks for a part of a day's limits. */
export interface Reservation {
  /** Names the plan. */
  readonly key: string;
  /** True replaces the last entry of that name, which a process that died left behind. */
  readonly resumes: boolean;
  /** Gives the entry, or throws to record nothing. */
  readonly decide: (today: DayTotals) => DayEntry;
}

/** Remembers what was applied to each profile on each day, for limits that hold for a day. */
export interface DayLedger {
  /**
   * Shows the totals of a day to `decide` and records the entry that it returns, in one step: of several processes
   * that decide at once, each sees what the ones before it took. A `decide` that throws records nothing.
   *
   * @param place The day is one in the market's time zone.
   * @returns What to call with the entry as it was in the end, once the plan was sent.
   */
  reserve(
    place: { readonly profileId: string; readonly day: string },
    reservation: Reservation,
  ): Promise<(actual: WriteTotals) => Promise<void>>;
  /** The totals of a day. */
  totals(place: { readonly profileId: string; readonly day: string }): Promise<DayTotals>;
}

/** One line of a day: an entry, or the outcome of an earlier one. */
export interface LedgerLine extends DayEntry {
  readonly id: string;
  readonly key: string;
  readonly at: string;
}
