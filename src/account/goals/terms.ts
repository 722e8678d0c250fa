import type { GoalTarget, TermFigures } from "./model.ts";

/**
 * Orders that the prior of a term is worth, for a coefficient of variation of 0.35 between the terms of a product, and
 * clicks of a target that count without a term.
 */
const [TERM_ORDERS, OTHER_CLICKS] = [8, 5];

/** A search term of a target. */
export interface KnownTerm extends TermFigures {
  /** Orders per click of this term in other targets, relative to those that their ad groups let expect. */
  readonly ratio: number;
}

/**
 * Compares the search terms of each target with the same terms in other targets of its product: credibility estimates
 * (O + a) / (E + a) of the orders O that ad groups let expect as E (Bühlmann and Gisler, A Course in Credibility
 * Theory, chapter 4). Reports of terms and of targets count the same clicks, so the target's own orders are left out
 * here; they count in its own rate.
 *
 * @param parent Orders per click that the ad group of each target lets expect.
 */
export function knownTerms(targets: readonly GoalTarget[], parent: Float64Array): (readonly KnownTerm[])[] {
  const keyOf = (product: string, term: string): string => `${product}\n${term}`;
  const byTerm = new Map<string, { orders: number; expected: number }>();
  const expectedOf = ({ periods }: GoalTarget, at: number): number => {
    let [clicks, known] = [0, 0];
    for (const period of periods) {
      clicks += period.clicks;
      known += period.clicks * period.maturity;
    }
    return clicks === 0 ? 0 : parent[at]! * known / clicks;
  };
  const products = new Map<string, { orders: number; expected: number }>();
  targets.forEach((target, at) => {
    const each = expectedOf(target, at);
    const product = products.get(target.product) ?? { orders: 0, expected: 0 };
    products.set(target.product, product);
    for (const { term, clicks, orders } of target.terms ?? []) {
      product.orders += orders;
      product.expected += clicks * each;
      if (term === null) continue;
      const key = keyOf(target.product, term);
      const sum = byTerm.get(key) ?? { orders: 0, expected: 0 };
      byTerm.set(key, sum);
      sum.orders += orders;
      sum.expected += clicks * each;
    }
  });
  return targets.map((target, at) => {
    // The report of terms may be older than that of targets: its orders are compared with one another.
    const { orders: known, expected: all } = products.get(target.product)!;
    const scale = all > 0 ? known / all : 1;
    const each = expectedOf(target, at);
    return (target.terms ?? []).map(({ term, clicks, orders }) => {
      if (term === null) return { term, clicks, orders, ratio: 1 };
      const sum = byTerm.get(keyOf(target.product, term)) ?? { orders: 0, expected: 0 };
      const [others, expected] = [sum.orders - orders, scale * Math.max(0, sum.expected - clicks * each)];
      return { term, clicks, orders, ratio: (others + TERM_ORDERS) / (expected + TERM_ORDERS) };
    });
  });
}

/** Returns the orders per click that a target's terms let expect, relative to its ad group: the mean by clicks. */
export function termsRatio(terms: readonly KnownTerm[]): number {
  let [sum, clicks] = [OTHER_CLICKS, OTHER_CLICKS];
  for (const one of terms) {
    sum += one.clicks * one.ratio;
    clicks += one.clicks;
  }
  return sum / clicks;
}
