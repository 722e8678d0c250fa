import { betaQuantile } from "./beta.ts";

/** A period in which an entity's bid was constant, with its clicks and cost. */
export interface BidPeriod {
  /** Id of the entity; only periods of the same entity are compared. */
  readonly id: string;
  /** Bid during the period, above 0. */
  readonly bid: number;
  /** Number of days. */
  readonly days: number;
  /** Total clicks in the period. */
  readonly clicks: number;
  /** Total cost of the period's clicks, in any one currency. */
  readonly cost: number;
}

/**
 * Exponent of the bid with its interval. With an exponent of 0.6, raising a bid by 10 % multiplies the figure by 1.1
 * to the power of 0.6.
 */
export interface Exponent {
  /** Best estimate. */
  readonly value: number;
  /** Low end of the interval. */
  readonly low: number;
  /** High end of the interval. */
  readonly high: number;
}

/** How clicks and cost per click respond to bids. */
export interface Elasticity {
  /** Number of entities that have figures at two or more different bids. */
  readonly entities: number;
  /** Number of times these entities' bids changed. */
  readonly changes: number;
  /** Exponent of clicks per day. */
  readonly clicks: Exponent;
  /** Exponent of cost per click. */
  readonly cpc: Exponent;
  /** Exponent of spend per day: the sum of the exponents of clicks and cost per click. */
  readonly cost: Exponent;
}

const FEWEST_CLICKS = 5;

/**
 * Measures how clicks and cost per click respond to the bid, from entities whose bids changed. Uses the within
 * estimator of a panel (Wooldridge, "Econometric Analysis of Cross Section and Panel Data", 2nd edition, 10.5): it
 * regresses the logarithms of clicks per day, cost per click and cost per day on the logarithm of the bid, each minus
 * the mean of its entity, so only changes within entities count. All entities share one exponent. The variance of log
 * clicks is about 1 / clicks plus a variance between periods, which a first pass estimates by the method of moments
 * (DerSimonian and Laird 1986, Controlled Clinical Trials 7:177); weights are the inverse of the sum. The interval
 * allows for dependent periods of one entity, and for a few entities with most of the clicks: it uses the jackknife
 * over entities (CR3 of MacKinnon, Nielsen and Webb 2023, Journal of Applied Econometrics 38:671) and the t
 * distribution with one degree of freedom less than the number of entities. Periods with fewer than 5 clicks, and
 * entities with fewer than two different bids, are left out. If bids were changed because of an entity's own figures,
 * regression to the mean is counted as a response. A narrow interval does not make this an experiment.
 *
 * @returns `undefined` for fewer than two entities.
 * @throws {TypeError} for bids or days that are not above 0, and figures that are negative or not numbers.
 * @example
 * ```ts
 * import { measureElasticity } from "@platform/ads/experiments";
 *
 * const found = measureElasticity(["a", "b", "c"].flatMap((id, at) => [
 *   { id, bid: 1, days: 28, clicks: 100 + at, cost: 80 },
 *   { id, bid: 1.2, days: 28, clicks: 112, cost: 105 },
 * ]));
 * console.log(found?.changes, found!.clicks.value > 0); // 3 true
 * ```
 */
export function measureElasticity(
  periods: readonly BidPeriod[],
  { confidence = 0.95 }: { readonly confidence?: number | undefined } = {},
): Elasticity | undefined {
  for (const period of periods) checkPeriod(period);
  const used = periods.filter(({ clicks, cost }) => clicks >= FEWEST_CLICKS && cost > 0);
  const entities = [...Map.groupBy(used, ({ id }) => id).values()]
    .filter((own) => new Set(own.map(({ bid }) => bid)).size > 1);
  if (entities.length < 2) return undefined;
  const luck = ownLuck(entities);
  const weighted = entities.map((own) => own.map((one) => ({ ...one, weight: 1 / (1 / one.clicks + luck) })));
  const exponent = (figure: (period: BidPeriod) => number): Exponent => slope(weighted, figure, confidence);
  return {
    entities: entities.length,
    changes: entities.reduce((sum, { length }) => sum + length - 1, 0),
    clicks: exponent(({ clicks, days }) => clicks / days),
    cpc: exponent(({ cost, clicks }) => cost / clicks),
    cost: exponent(({ cost, days }) => cost / days),
  };
}

interface WeightedPeriod extends BidPeriod {
  readonly weight: number;
}

interface CenteredPeriod {
  readonly w: number;
  readonly x: number;
  readonly y: number;
}

function centeredIn(
  own: readonly WeightedPeriod[],
  figure: (period: BidPeriod) => number,
): CenteredPeriod[] {
  const whole = own.reduce((sum, { weight }) => sum + weight, 0);
  const mean = (of: (period: BidPeriod) => number): number =>
    own.reduce((sum, period) => sum + period.weight * Math.log(of(period)), 0) / whole;
  const [x, y] = [mean(({ bid }) => bid), mean(figure)];
  return own.map((period) => ({
    w: period.weight,
    x: Math.log(period.bid) - x,
    y: Math.log(figure(period)) - y,
  }));
}

function sums(periods: readonly CenteredPeriod[]): { readonly square: number; readonly product: number } {
  let [square, product] = [0, 0];
  for (const { w, x, y } of periods) {
    square += w * x * x;
    product += w * x * y;
  }
  return { square, product };
}

function ownLuck(entities: readonly (readonly BidPeriod[])[]): number {
  const centered = entities.map((own) =>
    centeredIn(own.map((one) => ({ ...one, weight: 1 })), ({ clicks, days }) => clicks / days)
  );
  const { square, product } = sums(centered.flat());
  let [left, chance, free] = [0, 0, -1];
  for (const [at, own] of entities.entries()) {
    for (const { x, y } of centered[at] ?? []) left += (y - product / square * x) ** 2;
    for (const { clicks } of own) chance += (1 - 1 / own.length) / clicks;
    free += own.length - 1;
  }
  return Math.max(0, (left - chance) / Math.max(1, free));
}

function slope(
  entities: readonly (readonly WeightedPeriod[])[],
  figure: (period: BidPeriod) => number,
  confidence: number,
): Exponent {
  const centered = entities.map((own) => centeredIn(own, figure));
  const { square, product } = sums(centered.flat());
  const value = product / square;
  const count = entities.length;
  let moved = 0;
  for (const own of centered) {
    const alone = sums(own);
    const without = (product - alone.product) / (square - alone.square);
    moved += (without - value) ** 2;
  }
  const error = Math.sqrt(moved * (count - 1) / count);
  const reach = studentQuantile(confidence, count - 1) * error;
  return { value, low: value - reach, high: value + reach };
}

function studentQuantile(confidence: number, freedom: number): number {
  const x = betaQuantile(1 - confidence, freedom / 2, 0.5);
  return Math.sqrt(freedom * (1 - x) / x);
}

function checkPeriod({ id, bid, days, clicks, cost }: BidPeriod): void {
  for (
    const [name, value, lowest] of [["bid", bid, 1], ["days", days, 1], ["clicks", clicks, 0], [
      "cost",
      cost,
      0,
    ]] as const
  ) {
    if (!(Number.isFinite(value) && (lowest === 0 ? value >= 0 : value > 0))) {
      throw new TypeError(`Cannot measure elasticity: ${name} of "${id}" is ${value}`);
    }
  }
}
