/**
 * An amount whose first value of a day is recorded: a bid (own or inherited), a budget, the cap set by a portfolio,
 * the factor by which a campaign raises bids in a placement, the bid or budget of an archived entity (which may be
 * created again), or the state of a Display entity (1 for enabled).
 */
export type DayField = "bid" | "budget" | "cap" | "state" | "archived" | `factor${string}`;

/** The value that a field had before its first change of a day. */
export interface FirstValue {
  /** Resource kind, for example `sp.keywords`. */
  readonly kind: string;
  /** Id of the entity; for `archived`, the properties that identify an equal entity, as JSON. */
  readonly id: string;
  /** Amount that the value belongs to. */
  readonly field: DayField;
  /** The amount in the account's currency. */
  readonly value: number;
}

/** Sums over the writes of one plan, or over everything applied since midnight in the market's time zone. */
export interface WriteTotals {
  /** Number of changes of every kind. */
  readonly changes: number;
  /** Number of created entities. */
  readonly creates: number;
  /** Number of updated entities. */
  readonly updates: number;
  /** Number of archived entities, including those archived by an update. */
  readonly archives: number;
  /** Upper end of the increase in daily spend, in the account's currency; `undefined` if a part is unknown. */
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
