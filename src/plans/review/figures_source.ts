import type { Change } from "../change.ts";
import type { AccountReading } from "./account_reading.ts";
import { campaignIdOf } from "./campaign_id_of.ts";
import type { EntityFigures } from "./estimate_money.ts";

/** Entities whose figures are wanted. */
export interface FiguresRequest {
  /** Digits, exact past 2^53. */
  readonly profileId: string;
  /** The current day in the profile's time zone; figures end with the day before. */
  readonly today: string;
  /** Whose figures are wanted; made when it is read. */
  readonly entities: readonly { readonly kind: string; readonly id: string }[];
}

/** Gives figures of entities by id, from a report store; an entity whose figures are unknown is absent. */
export type FiguresSource = (request: FiguresRequest) => Promise<ReadonlyMap<string, EntityFigures>>;

/** The entities whose figures a plan is weighed by: those that change, and the campaigns whose budgets bound them. */
export function figureEntities(
  changes: readonly Change[],
  account: AccountReading,
): { readonly kind: string; readonly id: string }[] {
  const entities = new Map<string, { kind: string; id: string }>();
  const add = (kind: string, id: unknown): void => {
    if (typeof id === "string") entities.set(`${kind} ${id}`, { kind, id });
  };
  for (const change of changes) {
    const { kind, id } = change;
    add(kind, id);
    const family = /^(\w+)\./.exec(kind)?.[1];
    if (family !== undefined) add(`${family}.campaigns`, campaignIdOf(change, account.entity(kind, id)));
  }
  return [...entities.values()];
}
