import type { GoalTarget } from "./model.ts";
import { darkWeeks } from "./stock_outs.ts";
import { indexOf } from "./value.ts";

/** Half-life of click volume data, in days. */
const CLICK_HALF_LIFE = 21;
/** Marginal click price divided by the bid: 1 for a second-price auction with one slot, higher with several. */
const PRIOR_MARGINAL = { mean: 1.4, deviation: 0.2 };
const PRIOR_PRICE = { mean: 0.8, deviation: 0.15 };
const [PRICE_CLICKS, LEVEL_CLICKS] = [3, 0.7];
/** Variance of the change in clicks between two weeks, in addition to counting variance. */
const EXTRA_VARIANCE = 0.05;
/**
 * Weight of a bid change that was not drawn at random. Such bids react to earlier results, which biases the response,
 * and rivals' moves affect many changes at once, so the changes are not independent.
 */
const OBSERVED_WEIGHT = 0.3;
const [LOWEST, HIGHEST] = [0.15, 2.5];

export interface Responses {
  readonly clicks: Float64Array;
  readonly price: Float64Array;
  readonly elasticity: Float64Array;
  readonly marginal: number;
  /** Standard deviation of the logarithm of `marginal`. */
  readonly marginalDeviation: number;
  readonly priceExponent: number;
  readonly changes: number;
}

/**
 * Learns how clicks respond to bids. Clicks follow a power of the bid, and the marginal click price is `marginal` ×
 * bid: 1 with one slot and second prices, more with several (Varian 2007; Edelman, Ostrovsky, Schwarz 2007). With
 * price c and price exponent h, the elasticity e satisfies c × (1 + h / e) = marginal × bid. The account-wide marginal
 * is estimated from all bid changes with a binomial likelihood and a prior.
 */
export function learnResponses(
  targets: readonly GoalTarget[],
  multipliers: Float64Array,
  { learn = true }: { learn?: boolean } = {},
): Responses {
  const past = pastOf(
    targets,
    Float64Array.from(targets, ({ bid, meanBid = bid }, at) => meanBid * multipliers[at]!),
  );
  const pairs = pairsOf(past);
  const priceExponent = learn ? learnPrice(past, pairs) : PRIOR_PRICE.mean;
  const ratio = priceRatios(targets, past, priceExponent);
  let [marginal, marginalDeviation] = [PRIOR_MARGINAL.mean, PRIOR_MARGINAL.deviation];
  let elasticity = elasticities(ratio, { marginal, priceExponent });
  let level = levels(targets, past, elasticity);
  if (learn) {
    for (let round = 0; round < 2; round++) {
      ({ marginal, marginalDeviation } = learnMarginal(past, pairs, {
        ratio,
        priceExponent,
        volume: level.volume,
      }));
      elasticity = elasticities(ratio, { marginal, priceExponent });
      level = levels(targets, past, elasticity);
    }
  }
  return {
    clicks: level.clicks,
    price: ratio.map((one, at) => one * past.now[at]!),
    elasticity,
    marginal,
    marginalDeviation,
    priceExponent,
    changes: pairs.length,
  };
}

/** Past periods in columns, grouped by target and oldest first; single precision saves memory. */
interface Past {
  readonly now: Float64Array;
  /** Start index of each target's periods; the last entry is the total. */
  readonly first: Int32Array;
  /** Logarithm of the past bid divided by the current one. */
  readonly move: Float32Array;
  readonly clicks: Float32Array;
  readonly cost: Float32Array;
  readonly days: Float32Array;
  readonly week: Uint16Array;
  readonly ages: readonly number[];
  readonly weights: Float64Array;
  /** Shared column for intermediate values; allocating more would cost large goals too much memory. */
  readonly scratch: Float32Array;
  /** 1 for a week in which the product was not shown. */
  readonly dark: Uint8Array;
}

function pastOf(targets: readonly GoalTarget[], now: Float64Array): Past {
  const found = new Set<number>();
  const first = new Int32Array(targets.length + 1);
  targets.forEach(({ periods }, at) => {
    first[at + 1] = first[at]! + periods.length;
    for (const { age } of periods) found.add(age);
  });
  const ages = [...found].sort((a, b) => a - b);
  const weekOf = new Map(ages.map((age, week) => [age, week]));
  const size = first[targets.length]!;
  const column = (): Float32Array => new Float32Array(size);
  const [move, clicks, cost, days, scratch] = [column(), column(), column(), column(), column()];
  const [week, dark] = [new Uint16Array(size), new Uint8Array(size)];
  const darkOf = darkWeeks(targets);
  targets.forEach(({ product, periods }, at) => {
    const out = darkOf.get(product);
    const isSorted = periods.every(({ age }, place) => place === 0 || periods[place - 1]!.age >= age);
    const oldestFirst = isSorted ? periods : periods.toSorted((a, b) => b.age - a.age);
    oldestFirst.forEach((period, place) => {
      const cell = first[at]! + place;
      move[cell] = Math.log(period.bid * (period.multiplier ?? 1) / now[at]!);
      clicks[cell] = period.clicks;
      cost[cell] = period.cost;
      days[cell] = period.days * period.inBudget;
      week[cell] = weekOf.get(period.age) ?? 0;
      dark[cell] = out?.has(period.age) ? 1 : 0;
    });
  });
  const weights = Float64Array.from(ages, (age) => 2 ** (-age / CLICK_HALF_LIFE));
  return { now, first, move, clicks, cost, days, week, ages, weights, scratch, dark };
}

/** Returns elasticities. A click price near the bid implies many competitors near it, and so a high elasticity. */
export function elasticities(
  ratio: Float64Array,
  auction: Auction,
): Float64Array {
  return ratio.map((one) => elasticityAt(one, auction));
}

type Auction = Pick<Responses, "marginal" | "priceExponent">;

function elasticityAt(ratio: number, { marginal, priceExponent }: Auction): number {
  return Math.min(HIGHEST, Math.max(LOWEST, priceExponent * ratio / Math.max(0.05, marginal - ratio)));
}

interface Pair {
  readonly at: number;
  readonly after: number;
  readonly move: number;
}

const MAX_PAIRS = 30_000;

function pairsOf({ now, first, move, clicks, week, ages, dark }: Past): Pair[] {
  const found: Pair[] = [];
  // With many changes, those of few clicks say nothing beside the others.
  const fewest = Math.max(3, clicks.length / MAX_PAIRS);
  for (let at = 0; at < now.length; at++) {
    for (let after = first[at]! + 1; after < first[at + 1]!; after++) {
      const step = move[after]! - move[after - 1]!;
      if (Math.abs(step) <= 0.03 || clicks[after]! + clicks[after - 1]! < fewest) continue;
      if (dark[after] === 1 || dark[after - 1] === 1) continue;
      if (ages[week[after - 1]!]! - ages[week[after]!]! > 14) continue;
      found.push({ at, after, move: step });
    }
  }
  if (found.length <= MAX_PAIRS) return found;
  const said = ({ move: step, after }: Pair): number =>
    step * step * Math.min(clicks[after]!, clicks[after - 1]!);
  return found.sort((a, b) => said(b) - said(a) || a.after - b.after).slice(0, MAX_PAIRS);
}

/** Learns the price exponent by weighted regression on bid changes, with the common trend of each week removed. */
function learnPrice({ clicks, cost, week }: Past, pairs: readonly Pair[]): number {
  const weeks = Map.groupBy(
    pairs.filter(({ after }) =>
      Math.min(clicks[after]!, clicks[after - 1]!, cost[after]!, cost[after - 1]!) > 0
    ),
    ({ after }) => week[after]!,
  );
  const precision = PRIOR_PRICE.deviation ** -2;
  let [up, down] = [precision * PRIOR_PRICE.mean, precision];
  for (const ofWeek of weeks.values()) {
    if (ofWeek.length < 3) continue;
    const seen = ofWeek.map(({ move, after }) => ({
      move,
      price: Math.log(cost[after]! / clicks[after]! * clicks[after - 1]! / cost[after - 1]!),
      weight: 1 / (0.06 * (1 / clicks[after]! + 1 / clicks[after - 1]!) + 0.01),
    }));
    const weight = seen.reduce((all, one) => all + one.weight, 0);
    const move = seen.reduce((all, one) => all + one.weight * one.move, 0) / weight;
    const price = seen.reduce((all, one) => all + one.weight * one.price, 0) / weight;
    for (const one of seen) {
      up += one.weight * (one.move - move) * (one.price - price);
      down += one.weight * (one.move - move) ** 2;
    }
  }
  return Math.min(1, Math.max(0.4, up / down));
}

/**
 * Step of the coarse search over the grid, and the log-likelihood distance from the best point beyond which a point is
 * skipped.
 */
const [COARSE, NO_CHANCE] = [4, 40];

/** Posterior mean and deviation, computed on a logarithmic grid. */
function learnMarginal(
  { clicks, days, week }: Past,
  pairs: readonly Pair[],
  { ratio, priceExponent, volume }: { ratio: Float64Array; priceExponent: number; volume: Float64Array },
): { marginal: number; marginalDeviation: number } {
  const data = pairs.map(({ at, move, after }) => {
    const [n, m] = [clicks[after - 1]!, clicks[after]!];
    const counting = 1 / Math.max(0.5, n) + 1 / Math.max(0.5, m);
    const share = (place: number): number => Math.max(0.01, days[place]! * volume[week[place]!]!);
    return {
      ratio: ratio[at]!,
      move,
      offset: Math.log(share(after) / share(after - 1)),
      before: n,
      after: m,
      weight: OBSERVED_WEIGHT * counting / (counting + EXTRA_VARIANCE),
    };
  });
  const points = Array.from({ length: 41 }, (_, at) => 0.6 * Math.exp(0.035 * at));
  const scoreAt = (marginal: number): number => {
    let score = -((Math.log(marginal / PRIOR_MARGINAL.mean) / PRIOR_MARGINAL.deviation) ** 2) / 2;
    const auction = { marginal, priceExponent };
    for (const one of data) {
      const x = elasticityAt(one.ratio, auction) * one.move + one.offset;
      score += one.weight * (one.after * x - (one.before + one.after) * Math.log1p(Math.exp(x)));
    }
    return score;
  };
  // Every fourth point finds the part of the grid that has a chance; only that part is filled in.
  const coarse = new Map(points.flatMap((one, at) => at % COARSE === 0 ? [[at, scoreAt(one)] as const] : []));
  const top = Math.max(...coarse.values());
  const hasChance = (at: number): boolean => (coarse.get(at) ?? -Infinity) > top - NO_CHANCE;
  const scores = points.map((one, at) => {
    const below = at - at % COARSE;
    return coarse.get(at) ?? (hasChance(below) || hasChance(below + COARSE) ? scoreAt(one) : -Infinity);
  });
  const best = Math.max(...scores);
  const chances = scores.map((score) => Math.exp(score - best));
  const all = chances.reduce((sum, one) => sum + one, 0);
  const mean = chances.reduce((sum, one, at) => sum + one * Math.log(points[at]!), 0) / all;
  const variance = chances.reduce((sum, one, at) => sum + one * (Math.log(points[at]!) - mean) ** 2, 0) / all;
  return { marginal: Math.exp(mean), marginalDeviation: Math.sqrt(variance + 0.08 ** 2) };
}

function priceRatios(
  targets: readonly GoalTarget[],
  { now, first, move, clicks, cost, week, weights }: Past,
  priceExponent: number,
): Float64Array {
  const campaigns = indexOf(targets.map(({ campaign }) => campaign));
  const [paid, bids] = [new Float64Array(campaigns.keys.length), new Float64Array(campaigns.keys.length)];
  const [ownPaid, ownBids] = [new Float64Array(now.length), new Float64Array(now.length)];
  let [allPaid, allBids] = [0, 0];
  for (let at = 0; at < now.length; at++) {
    for (let cell = first[at]!; cell < first[at + 1]!; cell++) {
      if (clicks[cell] === 0) continue;
      const weight = weights[week[cell]!]!;
      ownPaid[at]! += weight * cost[cell]!;
      ownBids[at]! += weight * clicks[cell]! * Math.exp(priceExponent * move[cell]!) * now[at]!;
    }
    paid[campaigns.index[at]!]! += ownPaid[at]!;
    bids[campaigns.index[at]!]! += ownBids[at]!;
    allPaid += ownPaid[at]!;
    allBids += ownBids[at]!;
  }
  const usual = allBids > 0 ? allPaid / allBids : 0.7;
  return now.map((bid, at) => {
    const campaign = campaigns.index[at]!;
    const prior = (paid[campaign]! + 10 * bid * usual) / (bids[campaign]! + 10 * bid);
    const held = PRICE_CLICKS * bid;
    return Math.min(1.5, Math.max(0.1, (ownPaid[at]! + held * prior) / (ownBids[at]! + held)));
  });
}

function levels(
  targets: readonly GoalTarget[],
  { now, first, move, clicks, days, week, ages, weights, dark, scratch: scaled }: Past,
  elasticity: Float64Array,
): { clicks: Float64Array; volume: Float64Array } {
  const groups = indexOf(targets.map(({ adGroup }) => adGroup));
  for (let at = 0; at < now.length; at++) {
    for (let cell = first[at]!; cell < first[at + 1]!; cell++) {
      scaled[cell] = dark[cell] === 1 ? 0 : days[cell]! * Math.exp(elasticity[at]! * move[cell]!);
    }
  }
  const volume = new Float64Array(ages.length).fill(1);
  const level = new Float64Array(now.length);
  for (let round = 0; round < 3; round++) {
    const [seen, shown] = [new Float64Array(now.length), new Float64Array(now.length)];
    const [groupSeen, groupShown] = [
      new Float64Array(groups.keys.length),
      new Float64Array(groups.keys.length),
    ];
    for (let at = 0; at < now.length; at++) {
      for (let cell = first[at]!; cell < first[at + 1]!; cell++) {
        if (dark[cell] === 1) continue;
        const weight = weights[week[cell]!]!;
        seen[at]! += weight * clicks[cell]!;
        shown[at]! += weight * scaled[cell]! * volume[week[cell]!]!;
      }
      groupSeen[groups.index[at]!]! += seen[at]!;
      groupShown[groups.index[at]!]! += shown[at]!;
    }
    for (let at = 0; at < now.length; at++) {
      const group = groups.index[at]!;
      const prior = Math.max(0.02, groupSeen[group]!) / Math.max(1, groupShown[group]!);
      level[at] = (seen[at]! + LEVEL_CLICKS) / (shown[at]! + LEVEL_CLICKS / prior);
    }
    const [all, expected] = [new Float64Array(ages.length), new Float64Array(ages.length)];
    for (let at = 0; at < now.length; at++) {
      for (let cell = first[at]!; cell < first[at + 1]!; cell++) {
        if (dark[cell] === 1) continue;
        all[week[cell]!]! += clicks[cell]!;
        expected[week[cell]!]! += level[at]! * scaled[cell]!;
      }
    }
    // The middle of the last four weeks is 1, so that an event among them does not count.
    volume.forEach((_, at) => volume[at] = (all[at]! + 20) / (expected[at]! + 20));
    const latest = volume.slice(0, 4).sort();
    const middle = latest.length === 0
      ? 1
      : (latest[(latest.length - 1) >> 1]! + latest[latest.length >> 1]!) / 2;
    volume.forEach((one, at) => volume[at] = one / middle);
  }
  return { clicks: level, volume };
}
