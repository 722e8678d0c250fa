/** Fields that hold an amount of money, as paths. */
export const MONEY_FIELDS: ReadonlySet<string> = new Set([
  "bid",
  "defaultBid",
  "budget",
  "budget.budget",
  "budget.amount",
]);
