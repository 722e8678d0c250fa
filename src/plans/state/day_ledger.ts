import type { DayTotals, FirstValue, WriteTotals } from "./day_totals.ts";
import type { EntityFields } from "../model/change.ts";

/** Share of a plan in a day's limits. */
export interface DayEntry extends WriteTotals {
  /** Amounts that this plan moves for the first time on the day. */
  readonly first: readonly FirstValue[];
}

/** Identifies an attempt at a plan in the ledger. */
export interface LedgerAttempt {
  /** Names the plan. */
  readonly key: string;
  /** True to replace the last entry with this key, left behind by a process that died. */
  readonly resumes: boolean;
  /**
   * True if only one of all attempts at the plan can send it; open reservations of the other attempts then count as its
   * own.
   * @default false
   */
  readonly exclusive?: boolean | undefined;
}

/** Request for a share of a day's limits. */
export interface Reservation extends LedgerAttempt {
  /** Returns the entry; throws to record nothing. */
  readonly decide: (today: DayTotals) => DayEntry;
}

/** One write of a plan, as the account was read right before it was sent. */
export interface SentWrite {
  /** Resource kind. */
  readonly kind: string;
  /** Id of the entity. */
  readonly id: string;
  /** Values of the written fields before, as read from the account; absent for what the plan created. */
  readonly was?: EntityFields;
  /** Values that were written; absent for what the plan created. */
  readonly wrote?: EntityFields;
}

/** A plan whose writes are kept. */
export interface SentPlan {
  /** Profile that the writes went to, digits as text. */
  readonly profileId: string;
  /** As in its file, for example `20261118-100000-a1b2c3d4`. */
  readonly planId: string;
}

/** Records what was applied to each profile on each day, to enforce daily limits. */
export interface DayLedger {
  /**
   * Passes the totals of a day to `decide` and records the entry that it returns, atomically, so concurrent processes
   * see each other's shares. Records nothing if `decide` throws.
   *
   * @param place The day is one in the market's time zone.
   * @returns Function that ends the reservation: call it with the final totals after sending, or without an argument to
   * release the reservation if this process sent nothing.
   */
  reserve(
    place: { readonly profileId: string; readonly day: string },
    reservation: Reservation,
  ): Promise<EndReservation>;
  /**
   * The totals of a day.
   *
   * @param attempt Attempt with an entry to replace; that entry is left out of the totals.
   */
  totals(
    place: { readonly profileId: string; readonly day: string },
    attempt?: LedgerAttempt,
  ): Promise<DayTotals>;
  /**
   * Records the values that a plan overwrites, for 30 days, to tell a real undo from a plan that only claims to be one.
   * Without it, the policy remembers them only while the process lives.
   */
  keepSent?(plan: SentPlan, writes: readonly SentWrite[]): Promise<void>;
  /** Values that a plan overwrote, recorded when it was sent. */
  sentBy?(plan: SentPlan): Promise<readonly SentWrite[]>;
}

/** One line of a day: an entry, or the outcome of an earlier one. */
export interface LedgerLine extends DayEntry {
  readonly id: string;
  readonly key: string;
  readonly at: string;
  /** Attempt that wrote it. */
  readonly attempt?: string;
  /** True in a reservation if only one attempt may send its plan. @default false */
  readonly exclusive?: boolean;
}

/** Ends a reservation; see {@linkcode DayLedger.reserve}. */
export type EndReservation = (actual?: WriteTotals) => Promise<void>;
