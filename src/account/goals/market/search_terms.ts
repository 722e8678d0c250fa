import { drawsOf } from "./draws.ts";

/** Search terms that bring clicks to a target. */
export interface TargetTerms {
  readonly terms: Int32Array;
  /** Share of the clicks of each term, by week: `[week × terms + term]`. */
  readonly shares: Float64Array;
  /** Orders per click of each term, relative to the mean of all. */
  readonly rates: Float64Array;
}

/** Highest popularity of a term, relative to the least popular one. */
const MAX_POPULARITY = 50;
/** Numbers of terms of a broad, a phrase and an exact keyword: from, and how many more at most. */
const COUNTS = [[4, 5], [2, 3], [1, 1]] as const;
/** Deviations of the logarithm of shares: between keywords, and from week to week. */
const [KEYWORD_DEVIATION, WEEK_DEVIATION] = [0.5, 0.15];

/**
 * Draws the search terms of each product, and those that each target matches: popular ones more often, so that several
 * targets share them. Traffic moves between the terms of a target from week to week. How much rates differ
 * between terms is an assumption, because no study was found.
 *
 * @param deviation Standard deviation of the logarithm of the rates of terms.
 */
export function drawTerms(
  { seed, weeks }: { readonly seed: string; readonly weeks: number },
  { productOf, matchOf, deviation }: {
    readonly productOf: Int32Array;
    readonly matchOf: Int32Array;
    readonly deviation: number;
  },
): TargetTerms[] {
  const draws = drawsOf(`terms\n${seed}`);
  const alpha = draws.between(0.9, 1.3);
  let count = 0;
  const targetsOf = Map.groupBy(productOf.keys(), (at) => productOf[at]!);
  const products = new Map(
    [...targetsOf].map(([product, { length }]) => {
      const terms = Array.from({ length: Math.max(3, Math.round(length * draws.between(0.7, 1.5))) }, () => ({
        id: count++,
        popularity: Math.min(MAX_POPULARITY, (1 - draws.uniform()) ** (-1 / alpha)),
        rate: Math.exp(draws.normal(-deviation * deviation / 2, deviation)),
      }));
      return [product, { terms, all: terms.reduce((sum, { popularity }) => sum + popularity, 0) }];
    }),
  );
  return Array.from(productOf, (product, at): TargetTerms => {
    const { terms, all } = products.get(product)!;
    const [fewest, more] = COUNTS[matchOf[at]!]!;
    const own = new Set<typeof terms[number]>();
    for (let left = fewest + Math.floor(draws.uniform() * more); left > 0; left--) {
      let place = draws.uniform() * all;
      own.add(terms.find(({ popularity }) => (place -= popularity) < 0) ?? terms[0]!);
    }
    const chosen = [...own];
    const level = chosen.map(({ popularity }) => Math.log(popularity) + draws.normal(0, KEYWORD_DEVIATION));
    const shares = new Float64Array(weeks * chosen.length);
    for (let week = 0; week < weeks; week++) {
      const volumes = level.map((one, k) => Math.exp(level[k] = one + draws.normal(0, WEEK_DEVIATION)));
      const sum = volumes.reduce((total, one) => total + one, 0);
      shares.set(volumes.map((one) => one / sum), week * chosen.length);
    }
    return {
      terms: Int32Array.from(chosen, ({ id }) => id),
      shares,
      rates: Float64Array.from(chosen, ({ rate }) => rate),
    };
  });
}

/** Mean rate of a target's terms in a week. */
export function meanRate({ terms, shares, rates }: TargetTerms, week: number): number {
  let mean = 0;
  for (let k = 0; k < terms.length; k++) mean += shares[week * terms.length + k]! * rates[k]!;
  return mean;
}

/** Draws the terms that a target's clicks or orders of a week came from; `uniform` supplies one number for each. */
export function splitByTerm(
  count: number,
  { terms, shares, rates }: TargetTerms,
  { week, isOrders, uniform }: {
    readonly week: number;
    readonly isOrders: boolean;
    readonly uniform: (at: number) => number;
  },
): Uint16Array {
  const found = new Uint16Array(terms.length);
  const weights = Float64Array.from(
    rates,
    (rate, k) => shares[week * terms.length + k]! * (isOrders ? rate : 1),
  );
  const all = weights.reduce((sum, one) => sum + one, 0);
  for (let at = 0; at < count; at++) {
    let [place, k] = [uniform(at) * all, 0];
    while (k < terms.length - 1 && (place -= weights[k]!) >= 0) k++;
    found[k]!++;
  }
  return found;
}
