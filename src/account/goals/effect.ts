import { countedShare, type FigureModel, figuresAt } from "./expected_figures.ts";
import type { Estimate, GoalInput } from "./model.ts";
import { elasticities, type Responses } from "./response.ts";
import { indexOf, valueVariance } from "./value.ts";

/**
 * Coefficients of variation, measured on simulated markets that the published figures do not use.
 *
 * - `RESPONSE_CV`: of a target's change in cost, because its own response differs. Its elasticity is off by half, which
 *   mostly cancels, since clicks and cost change alike, and the price of a further click by 0.15: 0.2 to 0.3 in all.
 * - `MARKET_CV`: of the cost that moves in an ad group, because competitors enter, leave and react there.
 * - `PRODUCT_CV`: of a product's orders per click next week, because of prices, stock and other offers.
 * - `PLAN_CV`: of the whole effect, because of demand in the coming week, and of how far `OPTIMISM` is off for a plan.
 */
const [RESPONSE_CV, MARKET_CV, PRODUCT_CV, PLAN_CV] = [0.3, 0.12, 0.12, 0.4];
/**
 * Fraction of an estimated gain that does not come true: a plan picks what looks best, also by chance (Smith and
 * Winkler 2006). Measured on the same markets, where all plans together brought 0.7 of it, those of small accounts less.
 */
const OPTIMISM = 0.3;

/**
 * Estimates the daily change in profit, less than the sum of what looks best. Combines six uncertainties assumed to be independent: target values, account
 * response, individual responses, competitors of each ad group, next week's rate of each product, and the whole plan.
 */
export function effectOf(
  { targets, aim }: GoalInput,
  { model, bids }: { readonly model: FigureModel; readonly bids: Float64Array },
): Estimate {
  const changes = (responses: Responses): Changes => {
    const varied = { ...model, responses };
    const [brought, cost] = [new Float64Array(targets.length), new Float64Array(targets.length)];
    targets.forEach((target, at) => {
      const { bid } = target;
      if (bids[at] === bid && model.placements.now[at] === model.placements.next[at]) return;
      const [before, after] = [figuresAt(varied, at, bid, false), figuresAt(varied, at, bids[at]!)];
      brought[at] = (after.gain - before.gain) * countedShare(target, aim);
      cost[at] = after.cost - before.cost;
    });
    return { brought, cost, profit: sum(brought) - sum(cost) };
  };
  const { brought, cost, profit } = changes(model.responses);
  const value = profit > 0 ? (1 - OPTIMISM) * profit : profit;
  const vary = (direction: number): number => {
    const { responses } = model;
    const marginal = responses.marginal * Math.exp(direction * responses.marginalDeviation);
    const ratio = responses.price.map((price, at) => price / (model.bids[at]! * model.placements.now[at]!));
    const elasticity = elasticities(ratio, { marginal, priceExponent: responses.priceExponent });
    return changes({ ...responses, marginal, elasticity }).profit;
  };
  const deviation = Math.hypot(
    Math.sqrt(valueVariance(model.values, brought)),
    (vary(1) - vary(-1)) / 2,
    RESPONSE_CV * norm(cost),
    MARKET_CV * norm(sums(targets.map(({ adGroup }) => adGroup), cost.map(Math.abs))),
    PRODUCT_CV * norm(sums(targets.map(({ product }) => product), brought)),
    PLAN_CV * value,
  );
  return { value, low: value - 1.96 * deviation, high: value + 1.96 * deviation };
}

/** Daily changes of each target, and their sum. */
interface Changes {
  readonly brought: Float64Array;
  readonly cost: Float64Array;
  readonly profit: number;
}

/** Sums of the amounts of each group. */
function sums(groups: readonly string[], amounts: Float64Array): Float64Array {
  const { index, keys } = indexOf(groups);
  const all = new Float64Array(keys.length);
  amounts.forEach((amount, at) => all[index[at]!]! += amount);
  return all;
}

function norm(amounts: Float64Array): number {
  return Math.sqrt(amounts.reduce((all, one) => all + one * one, 0));
}

function sum(amounts: Float64Array): number {
  return amounts.reduce((all, one) => all + one, 0);
}
