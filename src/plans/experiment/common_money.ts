/** Clicks and their cost in one currency. */
export interface CostOfClicks {
  /** Code of the currency. */
  readonly currency: string;
  /** Number of clicks. */
  readonly clicks: number;
  /** Their cost, in that currency. */
  readonly cost: number;
}

/**
 * Factors by currency that make amounts of several currencies comparable without rates of exchange: with them, a click
 * costs 1 on average in each. One currency alone keeps its amounts.
 *
 * @param parts Figures from before a change, so that the factors know nothing of what it did.
 */
export function commonMoney(parts: readonly CostOfClicks[]): ReadonlyMap<string, number> {
  const groups = Map.groupBy(parts, ({ currency }) => currency);
  return new Map(
    [...groups].map(([currency, own]) => {
      const sum = (name: "clicks" | "cost"): number => own.reduce((all, one) => all + one[name], 0);
      const [clicks, cost] = [sum("clicks"), sum("cost")];
      return [currency, groups.size > 1 && clicks > 0 && cost > 0 ? clicks / cost : 1];
    }),
  );
}
