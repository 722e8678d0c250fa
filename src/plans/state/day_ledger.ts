import type { DayTotals, FirstValue, WriteTotals } from "./day_totals.ts";
import type { EntityFields } from "../model/change.ts";

/** Share of a plan in a day's limits. */
export interface DayEntry extends WriteTotals {
  /** Amounts that this plan moves for the first time on the day. */
  readonly first: readonly FirstValue[];
}

/** An attempt at a plan, as the ledger tells it from others. */
export interface LedgerAttempt {
  /** Names the plan. */
  readonly key: string;
  /** True replaces the last entry of that name, which a process that died left behind. */
  readonly resumes: boolean;
  /**
   * True where of all attempts at the plan one alone gets to send it, so that what another of them reserved and did not end
   * is its share too. @default false
   */
  readonly exclusive?: boolean | undefined;
}

/** Request for a share of a day's limits. */
export interface Reservation extends LedgerAttempt {
  /** Gives the entry, or throws to record nothing. */
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

/** Remembers what was applied to each profile on each day, for limits that hold for a day. */
export interface DayLedger {
  /**
   * Shows the totals of a day to `decide` and records the entry that it returns, in one step: of several processes
   * that decide at once, each sees what the ones before it took. A `decide` that throws records nothing.
   *
   * @param place The day is one in the market's time zone.
   * @returns What to call with the entry as it was in the end, once the plan was sent; without it where nothing was sent from
   * here, so that this reservation counts no more.
   */
  reserve(
    place: { readonly profileId: string; readonly day: string },
    reservation: Reservation,
  ): Promise<EndReservation>;
  /**
   * The totals of a day.
   *
   * @param attempt An attempt whose reservation would replace an entry: the totals are those beside that one.
   */
  totals(
    place: { readonly profileId: string; readonly day: string },
    attempt?: LedgerAttempt,
  ): Promise<DayTotals>;
  /**
   * Keeps what a plan writes over, for 30 days, so that undoing it differs from a plan that
   * only claims to. Without it the policy remembers for as long as the process lives.
   */
  keepSent?(plan: SentPlan, writes: readonly SentWrite[]): Promise<void>;
  /** Values that a plan wrote over, as recorded from its sending. */
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
