/**
 * An amount whose first value of a day is kept: the bid, its own or inherited, the budget, the cap by its portfolio, the
 * factor by which a campaign raises bids in a placement, the bid or budget of what was archived, which an equal one may be
 * created for, or the state of an entity of Display, 1 for enabled.
 */
export type DayField = "bid" | "budget" | "cap" | "state" | "archived" | `factor${string}`;

/** The value that a field had before its first change of a day. */
export interface FirstValue {
  /** Resource kind, for example `sp.keywords`. */
  readonly kind: string;
  /** Id of the entity; for `archived` what makes another one equal to it, as JSON. */
  readonly id: string;
  /** Which of its amounts. */
  readonly field: DayField;
  /** The amount in the account's currency. */
  readonly value: number;
}

/** Sums over writes: of a plan, or of what was applied since midnight in the market's time zone. */
export interface WriteTotals {
  /** Changes of every kind. */
  readonly changes: number;
  /** Entities that are created. */
  readonly creates: number;
  /** Entities that are updated. */
  readonly updates: number;
  /** Entities that are archived, by an update too. */
  readonly archives: number;
  /** Upper end of the increase in spend a day, in the account's currency; `undefined` when a part is unknown. */
  readonly spendIncrease: number | undefined;
}

/** Totals applied to a profile since midnight, so that a limit cannot be evaded by splitting a plan. */
export interface DayTotals extends WriteTotals {
  /** The value that a bid or budget had before its first change of the day. */
  firstValue(kind: string, id: string | null, field: DayField): number | undefined;
  /** First values of all amounts that were changed on the day. */
  readonly moved: readonly FirstValue[];
  /** Entry that the attempt replaces, excluded from these totals. @default none */
  readonly replaces?: WriteTotals | undefined;
}

export const NO_WRITES: WriteTotals = { changes: 0, creates: 0, updates: 0, archives: 0, spendIncrease: 0 };

export const NO_TOTALS: DayTotals = {
  ...NO_WRITES,
  firstValue: () => undefined,
  moved: [],
};

/** Sum of two totals; unknown where either is. */
export function addTotals(a: WriteTotals, b: WriteTotals): WriteTotals {
  return {
    changes: a.changes + b.changes,
    creates: a.creates + b.creates,
    updates: a.updates + b.updates,
    archives: a.archives + b.archives,
    spendIncrease: a.spendIncrease === undefined || b.spendIncrease === undefined
      ? undefined
      : a.spendIncrease + b.spendIncrease,
  };
}

/** Larger of two totals, sum by sum; unknown where either is. */
export function largerTotals(a: WriteTotals, b: WriteTotals): WriteTotals {
  return {
    changes: Math.max(a.changes, b.changes),
    creates: Math.max(a.creates, b.creates),
    updates: Math.max(a.updates, b.updates),
    archives: Math.max(a.archives, b.archives),
    spendIncrease: a.spendIncrease === undefined || b.spendIncrease === undefined
      ? undefined
      : Math.max(a.spendIncrease, b.spendIncrease),
  };
}
