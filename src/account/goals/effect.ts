import { countedShare, type FigureModel, figuresAt } from "./expected_figures.ts";
import type { Estimate, GoalInput } from "./model.ts";
import { elasticities, type Responses } from "./response.ts";
import { COMMON_CV } from "./value.ts";

/** Coefficients of variation of a target's own response, and of cost because of competitors' moves. */
const [RESPONSE_CV, MARKET_CV] = [0.4, 0.12];

/**
 * Estimates the daily change in profit. Combines five uncertainties assumed to be independent: target values, next
 * week's rate, account response, individual responses, and competitors' moves.
 */
export function effectOf(
  { targets, aim }: GoalInput,
  { model, bids }: { readonly model: FigureModel; readonly bids: Float64Array },
): Estimate {
  const gain = (responses: Responses): { profit: number; own: number; value: number; moved: number } => {
    let [profit, own, value, moved] = [0, 0, 0, 0];
    const varied = { ...model, responses };
    targets.forEach((target, at) => {
      const { bid } = target;
      if (bids[at] === bid && model.placements.now[at] === model.placements.next[at]) return;
      const [before, after] = [figuresAt(varied, at, bid, false), figuresAt(varied, at, bids[at]!)];
      const brought = (after.gain - before.gain) * countedShare(target, aim);
      const cost = after.cost - before.cost;
      profit += brought - cost;
      own += (brought * model.values.cv[at]!) ** 2 + (RESPONSE_CV * cost) ** 2;
      value += brought;
      moved += Math.abs(cost);
    });
    return { profit, own, value, moved };
  };
  const { profit, own, value, moved } = gain(model.responses);
  const vary = (direction: number): number => {
    const { responses } = model;
    const marginal = responses.marginal * Math.exp(direction * responses.marginalDeviation);
    const ratio = responses.price.map((price, at) => price / (model.bids[at]! * model.placements.now[at]!));
    const elasticity = elasticities(ratio, { marginal, priceExponent: responses.priceExponent });
    return gain({ ...responses, marginal, elasticity }).profit;
  };
  const response = (vary(1) - vary(-1)) / 2;
  const deviation = Math.hypot(Math.sqrt(own), COMMON_CV * value, response, MARKET_CV * moved);
  return { value: profit, low: profit - 1.96 * deviation, high: profit + 1.96 * deviation };
}
