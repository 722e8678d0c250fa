import type { BindingBound, Decision, DecisionRow, KeptReason, StopReason } from "./decision.ts";
import { effectOf } from "./effect.ts";
import { countedShare, type FigureModel, figuresAt, figureSums } from "./expected_figures.ts";
import type { Estimate, GoalInput } from "./model.ts";
import { allowedADay, budgetsWithin, mostSpend } from "./month_money.ts";
import { campaignPlaces, decidePlacements } from "./placements.ts";
import { WAITING_LOCKS, withQuietLocked } from "./quiet_groups.ts";
import { learnResponses } from "./response.ts";
import { termsRatio } from "./terms.ts";
import { estimateValues, type Values } from "./value.ts";

/**
 * A bid change counts as noise if it is below `NOISE` times the uncertainty of the estimate, or below `MIN_MOVE` as a
 * fraction of the bid.
 */
const [NOISE, MIN_MOVE] = [0.2, 0.03];

/** Lowest and highest bid of each target in a plan. */
export interface Bounds {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

export function boundsOf({ targets, limits }: GoalInput, isStopped: boolean): Bounds {
  const { minBid, maxBid, raise, cut } = limits;
  const moved = (factor: number): Float64Array =>
    Float64Array.from(
      targets,
      ({ bid, locked }) =>
        isStopped || locked !== undefined ? bid : Math.min(maxBid, Math.max(minBid, bid * factor)),
    );
  return { low: moved(1 - cut), high: moved(1 + raise) };
}

/** Returns the bound that keeps a bid from its free value; `null` if none does. */
function boundOf(
  { limits }: GoalInput,
  { bounds, at, free }: { readonly bounds: Bounds; readonly at: number; readonly free: number },
): BindingBound {
  if (free > bounds.high[at]!) return bounds.high[at]! >= limits.maxBid ? "maximum" : "raise";
  if (free < bounds.low[at]!) return bounds.low[at]! <= limits.minBid ? "minimum" : "cut";
  return null;
}

/** A bid that the goal wants for the target at a position. */
interface WantedBid {
  readonly bounds: Bounds;
  readonly at: number;
  readonly bid: number;
}

/** Keeps the current bid if the change is smaller than its uncertainty. */
function settledBid(
  input: GoalInput,
  { values, ...wanted }: WantedBid & { readonly values: Values },
): number {
  return isNoise(input, { values, ...wanted }) ? input.targets[wanted.at]!.bid : roundedBid(input, wanted);
}

function isNoise(
  { targets, limits }: GoalInput,
  { values, at, bid }: Pick<WantedBid, "at" | "bid"> & { readonly values: Values },
): boolean {
  const now = targets[at]!.bid;
  const move = Math.abs(Math.log(bid / now));
  const isAllowed = now >= limits.minBid && now <= limits.maxBid;
  return isAllowed && (move < MIN_MOVE || move < NOISE * values.cv[at]!);
}

/** Rounds a bid to the currency's decimals, within its bounds where they leave room for a rounded one. */
function roundedBid({ targets, limits }: GoalInput, { bounds, at, bid }: WantedBid): number {
  const [now, low, high] = [targets[at]!.bid, bounds.low[at]!, bounds.high[at]!];
  const unit = 10 ** limits.decimals;
  const near = Math.round(bid * unit) / unit;
  if (near > high + 1e-9) return Math.max(Math.floor(high * unit + 1e-6) / unit, Math.min(now, high));
  if (near < low - 1e-9) return Math.min(Math.ceil(low * unit - 1e-6) / unit, Math.max(now, low));
  return near;
}

/** Explains why a bid stays. */
function keptReason(
  input: GoalInput,
  { values, stopped, at, bid }: Pick<WantedBid, "at" | "bid"> & {
    readonly values: Values;
    readonly stopped: StopReason | null;
  },
): KeptReason {
  const target = input.targets[at]!;
  if (stopped !== null) return stopped;
  if (target.locked !== undefined) return "locked";
  return bid !== target.bid && isNoise(input, { values, at, bid }) ? "noise" : "rounding";
}

const NEEDED_ORDERS = 15;
/**
 * Fraction of the amount, and of the spend that a target ACOS or cost per order allows, that is planned. Picking the
 * best of many estimates overestimates the result (Smith and Winkler 2006), so a plan without slack would usually miss
 * its target.
 */
const SLACK = 0.98;
/** Scales that are tried, down to the least. */
const [SCALES, LEAST_SCALE] = [24, 0.02];
/** Coefficient of variation from which a value counts as known. */
const SURE_CV = 0.3;

export interface Parts {
  readonly shrink?: boolean | undefined;
  readonly recover?: boolean | undefined;
  readonly terms?: boolean | undefined;
  readonly learn?: boolean | undefined;
  readonly placements?: boolean | undefined;
}

/**
 * Decides bids, placement adjustments and daily budgets of a goal. Each bid is scale × worth / (marginal ×
 * multiplier), within its bounds. This is the first-order condition of a concave allocation (Lagrange), so a single
 * scale applies to all targets and is found by bisection. Pure: the same input gives the same decision.
 *
 * An amount holds for the steps of this plan. A target ACOS or cost per order holds once bids have fallen as far as
 * they should: what steps and cooling keep too high for now is not made up for by cutting bids that are right already.
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
  const worth = Float64Array.from(targets, (target, at) => gain[at]! * countedShare(target, aim));
  const bidsNow = Float64Array.from(targets, ({ bid }) => bid);
  const model = { bids: bidsNow, values, responses, placements, worth, gain };

  const share = aim.kind === "sales" ? aim.acos : 1;
  const bounds = boundsOf(input, stopped !== null);
  const waiting = targets.map((one) =>
    WAITING_LOCKS.includes(one.locked ?? "") ? { ...one, locked: undefined } : one
  );
  const { low } = boundsOf({ ...input, limits: { ...limits, cut: 1 }, targets: waiting }, stopped !== null);
  const fallen = { low, high: bounds.high };
  const free = (scale: number, at: number): number =>
    scale * worth[at]! * placements.value[at]! / (responses.marginal * placements.next[at]!);
  const bidsAt = (scale: number, into = new Float64Array(targets.length), within = bounds): Float64Array => {
    for (let at = 0; at < into.length; at++) {
      into[at] = Math.min(within.high[at]!, Math.max(within.low[at]!, free(scale, at)));
    }
    return into;
  };
  const tried = new Float64Array(targets.length);
  const scaleOf = (excess: (bids: Float64Array) => number, within = bounds): FoundScale =>
    largest(
      (scale) => excess(bidsAt(scale, tried, within)),
      aim.kind === "profit" ? 1 : Math.max(3, 4 * share),
    );
  const scaleWithin = (amount: number): number => {
    const { scale: payable } = scaleOf((bids) => figureSums(model, bids).cost / (SLACK * amount));
    if (aim.kind === "profit") return payable;
    // Trials cost money that brings little at first: the target is kept with them.
    const missed = ({ cost, gain }: { cost: number; gain: number }): number =>
      cost * (1 + explore) / (SLACK * share * gain);
    const all = scaleOf((bids) => missed(figureSums(model, bids)), fallen);
    if (all.fits) return Math.min(payable, all.scale);
    // Where bids that must stay cost too much, the others meet the target by themselves, for no more than they cost now.
    const isFree = (at: number): boolean => fallen.low[at]! < fallen.high[at]!;
    const now = figureSums(model, bidsNow, false, isFree).cost;
    const meeting = scaleOf((bids) => missed(figureSums(model, bids, true, isFree)), fallen);
    const keeping = scaleOf((bids) => figureSums(model, bids, true, isFree).cost / now);
    return Math.min(payable, meeting.scale, keeping.scale);
  };
  const scale = scaleWithin(allowed);
  const wanted = bidsAt(scale);
  const decided = Float64Array.from(wanted, (bid, at) => settledBid(input, { values, bounds, at, bid }));
  const trials = stopped === null
    ? drawTrials(input, { model, bounds, decided, most: SLACK * allowed })
    : new Map<number, number>();
  const rows = targets.map((target, at): DecisionRow => {
    const isTrial = trials.has(at);
    const next = trials.get(at) ?? decided[at]!;
    const [before, after] = [figuresAt(model, at, target.bid, false), figuresAt(model, at, next)];
    const isMoved = next !== target.bid;
    return {
      id: target.id,
      bid: target.bid,
      next,
      free: free(scale, at),
      bound: isMoved && !isTrial ? boundOf(input, { bounds, at, free: free(scale, at) }) : null,
      kept: isMoved ? null : keptReason(input, { values, stopped, at, bid: wanted[at]! }),
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
  const { gain: _, ...expected } = figureSums(model, bids);
  const { cost, sales, orders } = figureSums(model, bidsNow, false);
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

interface FoundScale {
  readonly scale: number;
  readonly fits: boolean;
}

/**
 * Finds the largest scale whose excess is at most 1; if there is none, the one with the least. Far below the present
 * bids, costs are estimated to fall more slowly than sales, so that an excess may rise on both sides.
 */
function largest(excess: (scale: number) => number, most: number): FoundScale {
  const step = Math.log(most / LEAST_SCALE) / SCALES;
  const scaleAt = (place: number): number => most * Math.exp(-step * place);
  let [least, best] = [Infinity, SCALES];
  for (let place = 0; place <= SCALES; place++) {
    const found = excess(scaleAt(place));
    if (found <= least) [least, best] = [found, place];
    if (!(found <= 1)) continue;
    if (place === 0) return { scale: most, fits: true };
    let [low, high] = [place, place - 1];
    for (let round = 0; round < 20; round++) {
      const middle = (low + high) / 2;
      if (excess(scaleAt(middle)) <= 1) low = middle;
      else high = middle;
    }
    return { scale: scaleAt(low), fits: true };
  }
  let [low, high] = [Math.min(SCALES, best + 1), Math.max(0, best - 1)];
  for (let round = 0; round < 20; round++) {
    const [lower, higher] = [low + (high - low) / 3, high - (high - low) / 3];
    if (excess(scaleAt(lower)) <= excess(scaleAt(higher))) high = higher;
    else low = lower;
  }
  return { scale: scaleAt(low), fits: false };
}

/** Returns the reason to stop. If sales stop everywhere, conversion tracking may be broken. */
function stopReason({ orders, latest }: Values, isAmountTooSmall: boolean): StopReason | null {
  if (isAmountTooSmall) return "amount_too_small";
  if (orders < NEEDED_ORDERS) return "too_few_data";
  return latest.expected >= 10 && latest.seen < 0.2 * latest.expected ? "sales_stopped" : null;
}

function interval(value: number, cv: number): Estimate {
  const sigma = Math.sqrt(Math.log1p(cv * cv));
  const middle = value / Math.exp(sigma * sigma / 2);
  return { value, low: middle * Math.exp(-1.96 * sigma), high: middle * Math.exp(1.96 * sigma) };
}

function clicksMissing({ cv, rate }: Values, at: number): number {
  const orders = SURE_CV ** -2 - cv[at]! ** -2;
  return orders > 0 && rate[at]! > 0 ? Math.ceil(orders / rate[at]!) : 0;
}

/** Coefficient of variation of a value from which a target may get a trial. */
const TRIAL_CV = 0.4;

/**
 * Raises the bids of targets that look poor on few clicks, those with the most uncertainty for their cost first, until
 * the trial share of spend is used. Without this, a target with bad luck would never get the clicks to recover.
 *
 * @returns The raised bids, by position of the target.
 */
function drawTrials(
  input: GoalInput,
  { model, bounds, decided, most }: {
    readonly model: FigureModel;
    readonly bounds: Bounds;
    readonly decided: Float64Array;
    /** Maximum cost per day, trials included. */
    readonly most: number;
  },
): ReadonlyMap<number, number> {
  const { values, worth, responses } = model;
  const spend = figureSums(model, decided).cost;
  let left = Math.min(input.explore * spend, most - spend);
  const candidates = input.targets.flatMap(({ locked }, at) => {
    const cv = values.cv[at]!;
    // Only what fell below its siblings by few clicks: the others are already bid for by what siblings let expect.
    const expected = values.parent[at]! * termsRatio(values.terms?.[at] ?? []);
    const isLow = values.rate[at]! < 0.9 * expected;
    if (locked !== undefined || cv < TRIAL_CV || !isLow) return [];
    const bid = Math.min(bounds.high[at]!, decided[at]! * Math.exp(0.7 * cv));
    const next = roundedBid(input, { bounds, at, bid });
    if (next <= decided[at]!) return [];
    const cost = figuresAt(model, at, next).cost - figuresAt(model, at, decided[at]!).cost;
    return cost > 0 ? [{ at, next, cost, merit: cv * cv * worth[at]! / responses.price[at]! }] : [];
  }).sort((a, b) => b.merit - a.merit || a.at - b.at);
  const trials = new Map<number, number>();
  for (const { at, next, cost } of candidates) {
    if (cost > left) continue;
    left -= cost;
    trials.set(at, next);
  }
  return trials;
}
