import { type Draws, drawsOf } from "./draws.ts";
import { drawTerms, meanRate, type TargetTerms } from "./search_terms.ts";
import { PLACEMENTS } from "./settings.ts";
import type { AccountTree } from "./tree.ts";

/** Conversion rates, prices and margins of an account. */
export interface Rates {
  /** Price of each product. */
  readonly price: Float64Array;
  /** Margin of each product, as a fraction of its price. */
  readonly margin: Float64Array;
  /** Orders per click of each product. */
  readonly product: Float64Array;
  /** Orders per click of each target. */
  readonly target: Float64Array;
  /** Orders per click relative to the target's, by target and week: `[target × weeks + week]`. */
  readonly term: Float64Array;
  /** Orders per click relative to the target's, by campaign and placement. */
  readonly placement: Float64Array;
  /** Coefficient of variation of an order's value. */
  readonly orderSpread: number;
  /** Search terms of each target. */
  readonly terms: readonly TargetTerms[];
}

/** Draws the conversion rates, prices and margins. Search terms have their own random numbers. */
export function drawRates(
  draws: Draws,
  { size, tree, matchOf }: {
    readonly size: { readonly seed: string; readonly weeks: number };
    readonly tree: AccountTree;
    readonly matchOf: Int32Array;
  },
): Rates {
  const { productOf, campaigns, products } = tree;
  const { seed, weeks } = size;
  const targets = productOf.length;
  const accountRate = draws.between(0.07, 0.15);
  const accountMargin = draws.between(0.28, 0.45);
  const spread = lognormalSigma(draws.between(0.4, 0.6));
  const price = Float64Array.from({ length: products }, () => Math.exp(draws.normal(Math.log(28), 0.6)));
  const margin = Float64Array.from({ length: products }, () => accountMargin * draws.between(0.85, 1.15));
  const product = price.map((one) =>
    accountRate * Math.sqrt(28 / one) ** 0.8 * Math.exp(draws.normal(0, 0.3))
  );
  const matchRate = [1, draws.between(1.05, 1.25), draws.between(1.25, 1.5)];
  const orderSpread = draws.between(0.3, 0.6);
  // Part of what rates differ by lies in search terms, and the rest in targets.
  const ofTerms = drawsOf(`share of terms\n${seed}`).between(0.3, 0.7);
  const terms = drawTerms(size, { productOf, matchOf, deviation: Math.sqrt(ofTerms) * spread });
  const term = Float64Array.from(
    { length: targets * weeks },
    (_, cell) => meanRate(terms[Math.floor(cell / weeks)]!, cell % weeks),
  );
  const own = Math.sqrt(1 - ofTerms) * spread;
  const target = Float64Array.from({ length: targets }, (_, at) =>
    Math.min(
      0.6,
      product[productOf[at]!]! * matchRate[matchOf[at]!]! / 1.2 *
        Math.exp(draws.normal(-own * own / 2, own)),
    ));
  const top = draws.between(1.2, 2.2);
  const rest = draws.between(1, Math.min(1.5, top));
  const placement = Float64Array.from(
    { length: campaigns * PLACEMENTS },
    (_, at) =>
      [top, rest, 1][at % PLACEMENTS]! / (0.35 * top + 0.3 * rest + 0.35) * Math.exp(draws.normal(0, 0.1)),
  );
  return { price, margin, product, target, term, placement, orderSpread, terms };
}

/** Returns the sigma of a log-normal distribution with the given coefficient of variation. */
function lognormalSigma(cv: number): number {
  return Math.sqrt(Math.log(1 + cv * cv));
}
