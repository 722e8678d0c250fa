import type { DayTotals, FirstValue, WriteTotals } from "./day_totals.ts";
import type { EntityFields } from "../model/change.ts";

/** Counts of one plan towards a profile's limits for a day. */
export interface DayEntry extends WriteTotals {
  /** Amounts that this plan changes for the first time that day. */
  readonly first: readonly FirstValue[];
}

/** Identifies an attempt at a plan in the ledger. */
export interface LedgerAttempt {
  /** Key of the plan. */
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

/** Request to reserve part of a day's limits. */
export interface Reservation extends LedgerAttempt {
  /** Returns the entry; throws to record nothing. */
  readonly decide: (today: DayTotals) => DayEntry;
}

/** One write of a plan, with the values read right before it was sent. */
export interface SentWrite {
  /** Resource kind. */
  readonly kind: string;
  /** Id of the entity. */
  readonly id: string;
  /** Previous values of the written fields, as read from the account; absent for entities that the plan created. */
  readonly was?: EntityFields;
  /** Written values; absent for entities that the plan created. */
  readonly wrote?: EntityFields;
}

/** A plan whose writes are recorded. */
export interface SentPlan {
  /** Profile that the writes went to, digits as text. */
  readonly profileId: string;
  /** Id of the plan, as in its file, for example `20261118-100000-a1b2c3d4`. */
  readonly planId: string;
}

/** Records what was applied to each profile on each day, to enforce daily limits. */
export interface DayLedger {
  /**
   * Passes the totals of a day to `decide` and records the entry that it returns. This is atomic, so concurrent
   * processes see each other's entries. Records nothing if `decide` throws.
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
   * Returns the totals of a day.
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

export interface LedgerLine extends DayEntry {
  readonly id: string;
  readonly key: string;
  readonly at: string;
  readonly attempt?: string;
  readonly exclusive?: boolean;
}

/** Ends a reservation; see {@linkcode DayLedger.reserve}. */
export type EndReservation = (actual?: WriteTotals) => Promise<void>;
