import type { Estimate, GoalInput, GoalLimits } from "./model.ts";
import { allowedADay, budgetsWithin, mostSpend } from "./month_money.ts";
import { campaignPlaces, decidePlacements } from "./placements.ts";
import { withQuietLocked } from "./quiet_groups.ts";
import { elasticities, learnResponses, type Responses } from "./response.ts";
import { type KnownTerm, termsRatio } from "./terms.ts";
import { COMMON_CV, estimateValues, type Values } from "./value.ts";

const NEEDED_ORDERS = 15;
/**
 * A bid change counts as noise if it is below `NOISE` times the uncertainty of the estimate, or below `MIN_MOVE` as a
 * fraction of the bid.
 */
const [NOISE, MIN_MOVE] = [0.2, 0.03];
/**
 * Fraction of the amount, and of the spend that a target ACOS or cost per order allows, that is planned. Picking the
 * best of many estimates overestimates the result (Smith and Winkler 2006), so a plan without slack would usually miss
 * its target.
 */
const SLACK = 0.98;
const TRIAL_CV = 0.4;
const SURE_CV = 0.3;

export interface Parts {
  readonly shrink?: boolean | undefined;
  readonly recover?: boolean | undefined;
  readonly terms?: boolean | undefined;
  readonly learn?: boolean | undefined;
  readonly placements?: boolean | undefined;
}

export type BindingBound = "raise" | "cut" | "minimum" | "maximum" | null;

export type KeptReason = StopReason | "noise" | "rounding" | "locked";

/** `amount_too_small`: even the lowest budgets exceed the amount. `harmful`: the held-back group does better. */
export type StopReason = "too_few_data" | "sales_stopped" | "amount_too_small" | "harmful";

export interface DecisionRow {
  readonly id: string;
  readonly bid: number;
  readonly next: number;
  readonly free: number;
  readonly bound: BindingBound;
  readonly kept: KeptReason | null;
  readonly locked: string | null;
  readonly isTrial: boolean;
  readonly worth: Estimate;
  /** Share of sales caused by advertising; 1 unless set in the goal. */
  readonly incremental: number;
  readonly rate: number;
  readonly parentRate: number;
  readonly ownWeight: number;
  /** Share of the usual orders per click, in `rate`: below 1 in the weeks after a stock-out. */
  readonly recovery: number;
  /** Search terms of the target, if stored. */
  readonly terms: readonly KnownTerm[];
  readonly salesPerClick: number;
  /** Per day, at the current bid. */
  readonly clicks: number;
  readonly price: number;
  readonly elasticity: number;
  readonly multiplier: number;
  readonly change: {
    readonly clicks: number;
    readonly cost: number;
    readonly sales: number;
    readonly orders: number;
  };
  /** Clicks still needed to know the value within 30 %; 0 if it is already known. */
  readonly clicksMissing: number;
}

export interface Decision {
  readonly rows: readonly DecisionRow[];
  readonly adjustments: ReadonlyMap<string, readonly number[]>;
  /** Number of campaigns whose adjustments stay because targets with half or more of their clicks wait. */
  readonly placementsWaiting: number;
  /**
   * Orders per click of each placement relative to the account's average, by campaign id, for campaigns whose
   * adjustments change.
   */
  readonly placementValues: ReadonlyMap<string, readonly number[]>;
  readonly budgets: ReadonlyMap<string, number>;
  /** Fraction of a click's worth that is paid for the marginal click. */
  readonly scale: number;
  /** Value of `scale` without the monthly amount; equal to `scale` if the amount limits no bid. */
  readonly scaleWithoutAmount: number;
  readonly priceOfMoney: number;
  readonly expected: {
    readonly cost: number;
    readonly sales: number;
    readonly orders: number;
    readonly acos: number;
  };
  readonly before: { readonly cost: number; readonly sales: number; readonly orders: number };
  /** Maximum spend until the end of the month; `undefined` if there is no monthly amount. */
  readonly most: number | undefined;
  readonly effect: Estimate;
  readonly marginal: number;
  readonly marginalDeviation: number;
  readonly changesLearned: number;
  readonly stopped: StopReason | null;
  readonly ordersMissing: number;
}

/**
 * Decides bids, placement adjustments and daily budgets of a goal. Each bid is scale × worth / (marginal ×
 * multiplier), within its bounds. This is the first-order condition of a concave allocation (Lagrange), so a single
 * scale applies to all targets and is found by bisection. Pure: the same input gives the same decision.
 */
export function decideGoal(given: GoalInput, parts: Parts = {}): Decision {
  const input = { ...given, targets: withQuietLocked(given.targets) };
  const { targets, campaigns, aim, limits, money, explore } = input;
  const places = campaignPlaces(targets, campaigns);
  const values = estimateValues(targets, parts);
  const allowed = allowedADay(money);
  const stopped = input.isHarmful
    ? "harmful"
    : stopReason(values, allowed < campaigns.length * limits.minBudget);
  const placements = decidePlacements(targets, campaigns, {
    decide: stopped === null && (parts.placements ?? true),
  });
  const responses = learnResponses(targets, placements.now, { learn: parts.learn ?? true });
  const gain = aim.kind === "orders" ? values.rate.map((rate) => rate * aim.cost) : values.sales;
  const worth = Float64Array.from(
    targets,
    ({ margin, incremental = 1 }, at) => gain[at]! * incremental * (aim.kind === "profit" ? margin : 1),
  );
  const bidsNow = Float64Array.from(targets, ({ bid }) => bid);
  const model = { bids: bidsNow, values, responses, placements, worth, gain };

  const share = aim.kind === "sales" ? aim.acos : 1;
  const bounds = boundsOf(input, stopped !== null);
  const free = (scale: number, at: number): number =>
    scale * worth[at]! * placements.value[at]! / (responses.marginal * placements.next[at]!);
  const bidsAt = (scale: number, into = new Float64Array(targets.length)): Float64Array => {
    for (let at = 0; at < into.length; at++) {
      into[at] = Math.min(bounds.high[at]!, Math.max(bounds.low[at]!, free(scale, at)));
    }
    return into;
  };
  const tried = new Float64Array(targets.length);
  const scaleWithin = (amount: number): number =>
    largest((scale) => {
      const { cost, gain } = sums(model, bidsAt(scale, tried));
      // Trials cost money that brings little at first: the target is kept with them.
      return cost <= SLACK * amount &&
        (aim.kind === "profit" || cost * (1 + explore) <= SLACK * share * gain);
    }, aim.kind === "profit" ? 1 : Math.max(3, 4 * share));
  const scale = scaleWithin(allowed);
  const wanted = bidsAt(scale);
  const decided = Float64Array.from(wanted, (bid, at) => settle(input, { model, bounds, at, bid }).bid);
  const trials = stopped === null
    ? drawTrials(input, { model, bounds, decided, allowed })
    : new Set<number>();
  const rows = targets.map((target, at): DecisionRow => {
    const settled = settle(input, { model, bounds, at, bid: wanted[at]! });
    const isTrial = trials.has(at);
    const next = isTrial ? decided[at]! : settled.bid;
    const [before, after] = [figuresAt(model, at, target.bid, false), figuresAt(model, at, next)];
    const isMoved = next !== target.bid;
    return {
      id: target.id,
      bid: target.bid,
      next,
      free: free(scale, at),
      bound: isMoved && !isTrial ? boundOf(free(scale, at), { limits, bounds, at }) : null,
      kept: isMoved
        ? null
        : keptReason(input, { at, stopped, wanted: wanted[at]!, isNoise: settled.isNoise }),
      locked: target.locked ?? null,
      isTrial,
      worth: interval(worth[at]!, values.cv[at]!),
      incremental: target.incremental ?? 1,
      rate: values.rate[at]!,
      parentRate: values.parent[at]!,
      ownWeight: values.own[at]!,
      recovery: values.recovery[at]!,
      terms: values.terms?.[at] ?? [],
      salesPerClick: values.sales[at]!,
      clicks: responses.clicks[at]!,
      price: responses.price[at]!,
      elasticity: responses.elasticity[at]!,
      multiplier: placements.next[at]!,
      change: {
        clicks: after.clicks - before.clicks,
        cost: after.cost - before.cost,
        sales: after.sales - before.sales,
        orders: after.orders - before.orders,
      },
      clicksMissing: clicksMissing(values, at),
    };
  });
  const bids = Float64Array.from(rows, ({ next }) => next);
  const { gain: _, ...expected } = sums(model, bids);
  const { cost, sales, orders } = sums(model, bidsNow, false);
  const [costs, highest] = [new Float64Array(campaigns.length), new Float64Array(campaigns.length)];
  bids.forEach((bid, at) => {
    const place = places[at]!;
    costs[place]! += figuresAt(model, at, bid).cost;
    highest[place] = Math.max(highest[place]!, bid);
  });
  const moved = campaigns.flatMap(({ id }, at) => {
    const [next, values = []] = [placements.adjustments[at], placements.values[at]];
    return next === undefined ? [] : [{ id, next, values }];
  });
  const budgets = budgetsWithin(input, { costs, bids: highest, isStopped: stopped !== null });
  return {
    rows,
    adjustments: new Map(moved.map(({ id, next }) => [id, next])),
    placementsWaiting: placements.waiting,
    placementValues: new Map(moved.map(({ id, values }) => [id, values])),
    budgets,
    scale,
    scaleWithoutAmount: money === undefined ? scale : scaleWithin(Infinity),
    priceOfMoney: aim.kind === "profit" ? 1 / scale - 1 : 1 / scale,
    expected: { ...expected, acos: expected.sales > 0 ? expected.cost / expected.sales : NaN },
    before: { cost, sales, orders },
    most: money && mostSpend(campaigns, money, (one) => budgets.get(one.id) ?? one.budget),
    effect: effectOf(input, { model, bids }),
    marginal: responses.marginal,
    marginalDeviation: responses.marginalDeviation,
    changesLearned: responses.changes,
    stopped,
    ordersMissing: Math.max(0, Math.ceil(NEEDED_ORDERS - values.orders)),
  };
}

interface Model {
  readonly bids: Float64Array;
  readonly values: Values;
  readonly responses: Responses;
  readonly placements: {
    readonly now: Float64Array;
    readonly next: Float64Array;
    readonly value: Float64Array;
  };
  readonly worth: Float64Array;
  readonly gain: Float64Array;
}

interface Bounds {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/**
 * Daily expectations at a bid: clicks follow a power law, and each further click costs `marginal` × bid. `isNext` is
 * false for the current placement adjustments.
 */
function figuresAt(
  { bids, values, responses, placements, gain }: Model,
  at: number,
  bid: number,
  isNext = true,
): { clicks: number } & Sums {
  const now = bids[at]! * placements.now[at]!;
  const ratio = bid * (isNext ? placements.next[at]! : placements.now[at]!) / now;
  const e = responses.elasticity[at]!;
  const before = responses.clicks[at]!;
  const clicks = before * ratio ** e;
  const more = responses.marginal * now * before * e / (1 + e) * (ratio ** (1 + e) - 1);
  const cost = Math.max(
    0.2 * before * responses.price[at]! * ratio ** (1 + e),
    before * responses.price[at]! + more,
  );
  const valued = clicks * (isNext ? placements.value[at]! : 1);
  return {
    clicks,
    cost,
    sales: valued * values.sales[at]!,
    orders: valued * values.rate[at]!,
    gain: valued * gain[at]!,
  };
}

interface Sums {
  cost: number;
  sales: number;
  orders: number;
  gain: number;
}

function sums(model: Model, bids: Float64Array, isNext = true): Sums {
  const all: Sums = { cost: 0, sales: 0, orders: 0, gain: 0 };
  for (let at = 0; at < bids.length; at++) {
    const one = figuresAt(model, at, bids[at]!, isNext);
    all.cost += one.cost;
    all.sales += one.sales;
    all.orders += one.orders;
    all.gain += one.gain;
  }
  return all;
}

/** Finds the largest scale that fits, by bisection on the logarithm; returns the smallest scale if none fits. */
function largest(fits: (scale: number) => boolean, most: number): number {
  if (fits(most)) return most;
  let [low, high] = [Math.log(0.02), Math.log(most)];
  for (let round = 0; round < 30; round++) {
    const middle = (low + high) / 2;
    if (fits(Math.exp(middle))) low = middle;
    else high = middle;
  }
  return Math.exp(low);
}

/** Returns the reason to stop. If sales stop everywhere, conversion tracking may be broken. */
function stopReason({ orders, latest }: Values, isAmountTooSmall: boolean): StopReason | null {
  if (isAmountTooSmall) return "amount_too_small";
  if (orders < NEEDED_ORDERS) return "too_few_data";
  return latest.expected >= 10 && latest.seen < 0.2 * latest.expected ? "sales_stopped" : null;
}

function boundsOf({ targets, limits }: GoalInput, isStopped: boolean): Bounds {
  const { minBid, maxBid, raise, cut } = limits;
  const isStill = (at: number): boolean => isStopped || targets[at]!.locked !== undefined;
  return {
    low: Float64Array.from(
      targets,
      ({ bid }, at) => isStill(at) ? bid : Math.min(maxBid, Math.max(minBid, bid * (1 - cut))),
    ),
    high: Float64Array.from(
      targets,
      ({ bid }, at) => isStill(at) ? bid : Math.min(maxBid, Math.max(minBid, bid * (1 + raise))),
    ),
  };
}

/** Keeps the current bid if the change is smaller than its uncertainty. */
function settle(
  { limits }: GoalInput,
  { model, bounds, at, bid }: { model: Model; bounds: Bounds; at: number; bid: number },
): { bid: number; isNoise: boolean } {
  const now = model.bids[at]!;
  const move = Math.abs(Math.log(bid / now));
  const isAllowed = now >= limits.minBid && now <= limits.maxBid;
  const isNoise = isAllowed && (move < MIN_MOVE || move < NOISE * model.values.cv[at]!);
  return {
    bid: isNoise ? now : rounded(bid, { limits, low: bounds.low[at]!, high: bounds.high[at]!, now }),
    isNoise,
  };
}

function rounded(
  bid: number,
  { limits, low, high, now }: { limits: GoalLimits; low: number; high: number; now: number },
): number {
  const unit = 10 ** limits.decimals;
  const near = Math.round(bid * unit) / unit;
  if (near > high + 1e-9) return Math.max(Math.floor(high * unit + 1e-6) / unit, Math.min(now, high));
  if (near < low - 1e-9) return Math.min(Math.ceil(low * unit - 1e-6) / unit, Math.max(now, low));
  return near;
}

function boundOf(
  free: number,
  { limits, bounds, at }: { limits: GoalLimits; bounds: Bounds; at: number },
): BindingBound {
  if (free > bounds.high[at]!) return bounds.high[at]! >= limits.maxBid ? "maximum" : "raise";
  if (free < bounds.low[at]!) return bounds.low[at]! <= limits.minBid ? "minimum" : "cut";
  return null;
}

function keptReason(
  { targets }: GoalInput,
  { at, stopped, wanted, isNoise }: {
    at: number;
    stopped: StopReason | null;
    wanted: number;
    isNoise: boolean;
  },
): KeptReason {
  if (stopped !== null) return stopped;
  if (targets[at]!.locked !== undefined) return "locked";
  return isNoise && wanted !== targets[at]!.bid ? "noise" : "rounding";
}

/**
 * Raises the bids of targets that look poor on few clicks, those with the most uncertainty for their cost first, until
 * the trial share of spend is used. Without this, a target with bad luck would never get the clicks to recover.
 */
function drawTrials(
  { targets, limits, explore }: GoalInput,
  { model, bounds, decided, allowed }: {
    model: Model;
    bounds: Bounds;
    decided: Float64Array;
    allowed: number;
  },
): ReadonlySet<number> {
  const chosen = new Set<number>();
  const spend = sums(model, decided).cost;
  let left = Math.min(explore * spend, SLACK * allowed - spend);
  const candidates = targets.flatMap(({ locked }, at) => {
    const cv = model.values.cv[at]!;
    // Only what fell below its siblings by few clicks: the others are already bid for by what siblings let expect.
    const expected = model.values.parent[at]! * termsRatio(model.values.terms?.[at] ?? []);
    const isLow = model.values.rate[at]! < 0.9 * expected;
    if (locked !== undefined || cv < TRIAL_CV || !isLow) return [];
    const bid = Math.min(bounds.high[at]!, decided[at]! * Math.exp(0.7 * cv));
    const next = rounded(bid, { limits, low: bounds.low[at]!, high: bounds.high[at]!, now: model.bids[at]! });
    if (next <= decided[at]!) return [];
    const cost = figuresAt(model, at, next).cost - figuresAt(model, at, decided[at]!).cost;
    return cost > 0
      ? [{ at, next, cost, merit: cv * cv * model.worth[at]! / model.responses.price[at]! }]
      : [];
  }).sort((a, b) => b.merit - a.merit || a.at - b.at);
  for (const { at, next, cost } of candidates) {
    if (cost > left) continue;
    left -= cost;
    decided[at] = next;
    chosen.add(at);
  }
  return chosen;
}

/**
 * Estimates the daily change in profit. Combines five uncertainties assumed to be independent: target values, next
 * week's rate, account response, individual responses, and competitors' moves.
 */
function effectOf(
  { targets, aim }: GoalInput,
  { model, bids }: { model: Model; bids: Float64Array },
): Estimate {
  const gain = (responses: Responses): { profit: number; own: number; value: number; moved: number } => {
    let [profit, own, value, moved] = [0, 0, 0, 0];
    const varied = { ...model, responses };
    targets.forEach(({ bid, margin, incremental = 1 }, at) => {
      if (bids[at] === bid && model.placements.now[at] === model.placements.next[at]) return;
      const [before, after] = [figuresAt(varied, at, bid, false), figuresAt(varied, at, bids[at]!)];
      const brought = (after.gain - before.gain) * incremental * (aim.kind === "profit" ? margin : 1);
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

const [RESPONSE_CV, MARKET_CV] = [0.4, 0.12];

function interval(value: number, cv: number): Estimate {
  const sigma = Math.sqrt(Math.log1p(cv * cv));
  const middle = value / Math.exp(sigma * sigma / 2);
  return { value, low: middle * Math.exp(-1.96 * sigma), high: middle * Math.exp(1.96 * sigma) };
}

function clicksMissing({ cv, rate }: Values, at: number): number {
  const orders = SURE_CV ** -2 - cv[at]! ** -2;
  return orders > 0 && rate[at]! > 0 ? Math.ceil(orders / rate[at]!) : 0;
}
