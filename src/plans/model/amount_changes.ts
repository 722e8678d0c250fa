import { addDays, dayIn } from "../../base/time/calendar.ts";

/** Part of an entity that affects its figures: its bid (including default bids), its budget, or its state. */
export type ChangedPart = "bid" | "budget" | "state";

/** A change of a bid, a budget or a state that was made in the account. */
export interface AmountChange {
  /** Id of the entity, digits as text. */
  readonly id: string;
  /** The part that was changed. */
  readonly part: ChangedPart;
  /** Time of the change, milliseconds since the epoch; the end of the day if only the day is known. */
  readonly at: number;
  /** Value before the change, as text; `null` for none, absent if unknown. */
  readonly before?: string | null;
  /** Value after the change, as text; `null` for none, absent if unknown. */
  readonly after?: string | null;
}

/** Finds the changes made in a profile since a moment, in milliseconds since the epoch; in any order. */
export type ChangesSource = (profileId: string, since: number) => Promise<readonly AmountChange[]>;

const PARTS: Readonly<Record<string, ChangedPart>> = {
  bid: "bid",
  defaultBid: "bid",
  budget: "budget",
  state: "state",
};

export function changedParts(fields: Readonly<Record<string, unknown>>): ChangedPart[] {
  return [...new Set(Object.keys(fields).flatMap((field) => PARTS[field] ?? []))];
}

/**
 * Last changes of entities, by day.
 *
 * @example
 * ```ts
 * import type { LastChanges } from "@platform/ads/plans";
 *
 * function wasRaisedLately(changes: LastChanges, keywordId: string): boolean {
 *   return changes.dayOf(keywordId, ["bid"]) !== undefined;
 * }
 * ```
 */
export class LastChanges {
  readonly #byKey: ReadonlyMap<string, readonly AmountChange[]>;
  readonly #zone: string;
  /** Reason why the changes could not be read, in one line; `undefined` if they were read. */
  readonly unread: string | undefined;

  /**
   * Indexes changes by entity.
   *
   * @param zone IANA time zone of the profile's days.
   */
  constructor(changes: readonly AmountChange[], zone: string, { unread }: { readonly unread?: string } = {}) {
    this.unread = unread;
    this.#byKey = Map.groupBy(changes, ({ id, part }) => `${id} ${part}`);
    this.#zone = zone;
  }

  /** Day of the last change of some parts of an entity; `undefined` where none is known. */
  dayOf(id: string, parts: readonly ChangedPart[]): string | undefined {
    const moments = this.#of(id, parts).map(({ at }) => at);
    return moments.length === 0 ? undefined : dayIn(this.#zone, Math.max(...moments));
  }

  /**
   * Returns the day of the last change that happened during or after some days, so that their figures cover it only in
   * part or not at all. Changes after these days that were reverted are ignored, because the figures match the current
   * value.
   */
  dayNotIn(
    days: { readonly start: string; readonly end: string },
    id: string,
    parts: readonly ChangedPart[],
  ): string | undefined {
    const found = parts.filter((part) => {
      const own = this.#of(id, [part]).toSorted((a, b) => a.at - b.at);
      const isWithin = own.some(({ at }) => {
        const day = dayIn(this.#zone, at);
        return days.start <= day && day <= days.end;
      });
      const later = own.filter(({ at }) => dayIn(this.#zone, at) > days.end);
      return isWithin || later.length > 0 && !isTakenBack(later);
    });
    return this.dayOf(id, found);
  }

  /** Known changes of a part of an entity, oldest first. */
  of(id: string, part: ChangedPart): readonly AmountChange[] {
    return this.#of(id, [part]).toSorted((a, b) => a.at - b.at);
  }

  #of(id: string, parts: readonly ChangedPart[]): readonly AmountChange[] {
    return parts.flatMap((part) => this.#byKey.get(`${id} ${part}`) ?? []);
  }
}

function isTakenBack(changes: readonly AmountChange[]): boolean {
  const known = changes.filter(({ before, after }) => before !== undefined && after !== undefined);
  const [first, last] = [known[0], known.at(-1)];
  return first !== undefined && sameText(first.before, last?.after);
}

function sameText(a: string | null | undefined, b: string | null | undefined): boolean {
  if (typeof a !== "string" || typeof b !== "string") return a === b;
  return a.toLowerCase() === b.toLowerCase() || Number(a) === Number(b);
}

/**
 * First day on which all judged days lie after a change. The judged days are the days before today, without the most
 * recent `lag` days.
 */
export function judgedAgainFrom(changed: string, { days, lag }: { days: number; lag: number }): string {
  return addDays(changed, days + lag + 1);
}
