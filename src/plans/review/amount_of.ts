import type { EntityFields } from "../change.ts";

/** The bid or budget of an entity, in the account's currency; `undefined` without one. */
export function amountOf(fields: EntityFields): number | undefined {
  const { bid, defaultBid, budget } = fields;
  const inner = typeof budget === "object" && budget !== null && "budget" in budget ? budget.budget : budget;
  return [bid, defaultBid, inner].find((value) => typeof value === "number");
}
