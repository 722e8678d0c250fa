import { type AuctionTable, auctionTable, gridPlace, readTable } from "./auction.ts";
import { drawTerms, meanRate, splitByTerm, type TargetTerms } from "./search_terms.ts";
import { binomialAt, type Draws, drawsOf, keyedUniform, normalQuantile, poissonAt } from "./draws.ts";

/** Number of targets, traffic and weeks of an account, and the seed for everything drawn at random. */
export interface AccountSize {
  readonly seed: string;
  readonly targets: number;
  /** Mean weekly clicks of a target at its first bid. */
  readonly clicks: number;
  readonly weeks: number;
  /** Highest cost of a campaign on one day, as a multiple of its daily budget. @default 1.25 */
  readonly dayLimit?: number;
}

/** Settings of the account that a policy chooses. */
export interface Settings {
  /** Bid of each target. */
  readonly bids: Float64Array;
  /** Placement adjustments as fractions: three for each campaign (top, rest, product pages). */
  readonly adjustments: Float64Array;
  /** Daily budget of each campaign. */
  readonly budgets: Float64Array;
}

/** Figures of one week by target. */
export interface WeekFigures {
  readonly clicks: Float64Array;
  readonly cost: Float64Array;
  readonly orders: Float64Array;
  readonly sales: Float64Array;
}

/** Results of a week. */
export interface Week {
  /** Expected figures, without randomness in clicks and orders. */
  readonly expected: WeekFigures;
  /** Profit before luck. */
  readonly profit: Float64Array;
  /** Reported figures once every sale is known. */
  readonly final: WeekFigures;
  /** Orders and sales known on the day after the week. */
  readonly early: Pick<WeekFigures, "orders" | "sales">;
  /** Clicks, orders and sales by campaign and placement. */
  readonly placements: {
    readonly clicks: Float64Array;
    readonly orders: Float64Array;
    readonly sales: Float64Array;
  };
  /** Fraction of the week in which each campaign was in budget, as the platform reports it. */
  readonly inBudget: Float64Array;
  readonly spend: number;
  /** Reported clicks and orders of each target by its search terms. */
  readonly terms: readonly {
    readonly clicks: Uint16Array;
    readonly orders: Uint16Array;
    /** Orders known on the day after the week. */
    readonly early: Uint16Array;
  }[];
}

export const PLACEMENTS = 3;
const KINDS_OF_RIVALS = 6;
/** Weeks of a simulated month. */
export const MONTH_WEEKS = 4;

/** A simulated account in a market with randomly drawn rivals. Uses none of the optimizer's formulas. */
export class Market {
  readonly campaignOf: Int32Array;
  readonly adGroupOf: Int32Array;
  readonly productOf: Int32Array;
  readonly matchOf: Int32Array;
  readonly campaigns: number;
  readonly adGroups: number;
  readonly products: number;
  readonly margins: Float64Array;
  readonly first: Settings;
  /** Fraction of a week's orders that are known on the day after the week. */
  readonly maturity: number;
  readonly productOfCampaign: Int32Array;
  readonly event: number;
  readonly #hash: number;
  readonly #tables: AuctionTable[] = [];
  readonly #kind: Int32Array;
  readonly #center: Float64Array;
  readonly #volume: Float64Array;
  readonly #rate: Float64Array;
  readonly #termRate: Float64Array;
  readonly #placementRate: Float64Array;
  readonly #price: Float64Array;
  readonly terms: readonly TargetTerms[];
  readonly #orderSpread: number;
  readonly #reaction: Float64Array;
  readonly #shift: Float32Array;
  readonly #stock: Float64Array;
  readonly #productRate: Float64Array;
  readonly #day: Float64Array;
  readonly #dayPrice: Float64Array;
  readonly #dayRate: Float64Array;
  readonly #lateRate: Float64Array;

  constructor(readonly size: AccountSize) {
    const { targets, weeks } = size;
    const draws = drawsOf(`market\n${size.seed}`);
    this.#hash = Math.floor(draws.uniform() * 0xffffffff);
    for (let kind = 0; kind < KINDS_OF_RIVALS; kind++) {
      const second = draws.between(0.55, 0.75);
      this.#tables.push(auctionTable({
        count: draws.between(5, 30) / 5,
        sigma: draws.between(0.4, 0.8),
        slots: [1, second, second * draws.between(0.5, 0.8)],
        reserve: draws.between(0.05, 0.2),
      }));
    }
    const tree = drawTree(draws, targets);
    this.campaignOf = tree.campaignOf;
    this.adGroupOf = tree.adGroupOf;
    this.productOf = tree.productOf;
    this.productOfCampaign = tree.productOfCampaign;
    this.campaigns = tree.productOfCampaign.length;
    this.adGroups = tree.adGroups;
    this.products = tree.products;
    this.matchOf = Int32Array.from({ length: targets }, () => Math.floor(draws.uniform() * 3));

    const accountRate = draws.between(0.07, 0.15);
    const accountMargin = draws.between(0.28, 0.45);
    const spread = lognormalSigma(draws.between(0.4, 0.6));
    this.#price = Float64Array.from(
      { length: this.products },
      () => Math.exp(draws.normal(Math.log(28), 0.6)),
    );
    this.margins = Float64Array.from(
      { length: this.products },
      () => accountMargin * draws.between(0.85, 1.15),
    );
    const productRate = Array.from(
      this.#price,
      (price) => accountRate * Math.sqrt(28 / price) ** 0.8 * Math.exp(draws.normal(0, 0.3)),
    );
    const matchRate = [1, draws.between(1.05, 1.25), draws.between(1.25, 1.5)];
    this.#orderSpread = draws.between(0.3, 0.6);
    // Part of what rates differ by lies in search terms, and the rest in targets.
    const ofTerms = drawsOf(`share of terms\n${size.seed}`).between(0.3, 0.7);
    this.terms = drawTerms(size, {
      ...{ productOf: this.productOf, matchOf: this.matchOf, deviation: Math.sqrt(ofTerms) * spread },
    });
    this.#termRate = Float64Array.from(
      { length: targets * weeks },
      (_, cell) => meanRate(this.terms[Math.floor(cell / weeks)]!, cell % weeks),
    );
    const own = Math.sqrt(1 - ofTerms) * spread;
    this.#rate = Float64Array.from({ length: targets }, (_, at) =>
      Math.min(
        0.6,
        productRate[this.productOf[at]!]! * matchRate[this.matchOf[at]!]! / 1.2 *
          Math.exp(draws.normal(-own * own / 2, own)),
      ));
    const top = draws.between(1.2, 2.2);
    const rest = draws.between(1, Math.min(1.5, top));
    this.#placementRate = Float64Array.from(
      { length: this.campaigns * PLACEMENTS },
      (_, at) =>
        [top, rest, 1][at % PLACEMENTS]! / (0.35 * top + 0.3 * rest + 0.35) * Math.exp(draws.normal(0, 0.1)),
    );

    const alpha = draws.between(0.9, 1.3);
    const heavy = Float64Array.from(
      { length: targets },
      () => Math.min(300, (1 - draws.uniform()) ** (-1 / alpha)),
    );
    const mean = heavy.reduce((sum, one) => sum + one, 0) / targets;
    const bids = Float64Array.from({ length: targets }, (_, at) => {
      const product = this.productOf[at]!;
      const value = productRate[product]! * this.#price[product]! * this.margins[product]!;
      return cents(value * Math.exp(draws.normal(-0.3, 0.5)));
    });
    const adjustments = new Float64Array(this.campaigns * PLACEMENTS);
    for (let at = 0; at < adjustments.length; at += PLACEMENTS) {
      if (draws.uniform() < 0.4) adjustments[at] = Math.round(draws.between(10, 50)) / 100;
    }
    this.#kind = Int32Array.from({ length: targets }, () => Math.floor(draws.uniform() * KINDS_OF_RIVALS));
    this.#center = new Float64Array(targets * PLACEMENTS);
    this.#volume = new Float64Array(targets * PLACEMENTS);
    const shares = [draws.between(0.25, 0.45), draws.between(0.2, 0.35), 0];
    shares[2] = 1 - shares[0]! - shares[1]!;
    for (let at = 0; at < targets; at++) {
      const place = draws.normal(-0.15, 0.45);
      for (let k = 0; k < PLACEMENTS; k++) {
        const x = place - [0.2, 0, -0.1][k]! + draws.normal(0, 0.15);
        this.#center[at * PLACEMENTS + k] = Math.log(bids[at]!) - x;
        const table = this.#tables[this.#kind[at]!]!;
        this.#volume[at * PLACEMENTS + k] = size.clicks * heavy[at]! / mean * shares[k]! /
          Math.max(0.02, readTable(table.clicks, gridPlace(x)));
      }
    }
    this.#reaction = Float64Array.from(
      { length: targets },
      () => draws.uniform() < 0.4 ? 0 : draws.between(0.05, 0.25),
    );
    this.#shift = this.#drawShifts(draws, weeks);
    this.#stock = new Float64Array(this.products * weeks).fill(1);
    this.#productRate = new Float64Array(this.products * weeks).fill(1);
    this.#drawProducts(draws, weeks);
    this.event = Math.floor(draws.between(10, Math.max(11, weeks - 4)));
    this.#day = new Float64Array(weeks * 7);
    this.#dayPrice = new Float64Array(weeks * 7).fill(1);
    this.#dayRate = new Float64Array(weeks * 7).fill(1);
    this.#drawDays(draws, weeks);
    this.#lateRate = Float64Array.from({ length: this.campaigns }, () => draws.between(-0.15, 0.15));
    const day0 = draws.between(0.65, 0.8);
    const known = (age: number): number => 1 - (1 - day0) * 2 ** (-age / 1.5);
    this.maturity = [0, 1, 2, 3, 4, 5, 6].reduce((sum, age) => sum + known(age), 0) / 7;
    this.first = { bids, adjustments, budgets: new Float64Array(this.campaigns).fill(1e9) };
    const { week } = new Course(this).step(this.first);
    const costs = sumBy(week.expected.cost, this.campaignOf, this.campaigns);
    // A quarter of the campaigns begin with a budget that runs out in the day.
    costs.forEach((cost, at) => {
      const factor = draws.uniform() < 0.25 ? draws.between(0.6, 0.95) : draws.between(1.5, 3);
      this.first.budgets[at] = Math.max(1, cents(cost / 7 * factor));
    });
  }

  /**
   * Draws how the strength of rivals shifts by target and week: rivals that enter and leave, and a slow random walk.
   */
  #drawShifts(draws: Draws, weeks: number): Float32Array {
    const { targets } = this.size;
    const shift = new Float32Array(targets * weeks);
    const newRival = new Float64Array(this.adGroups * weeks);
    for (let group = 0; group < this.adGroups; group++) {
      for (let week = 0; week < weeks; week++) {
        if (draws.uniform() >= 1 / 26) continue;
        const strength = Math.log(draws.between(1.1, 1.3));
        const end = Math.min(weeks, week + 2 + Math.floor(draws.uniform() * 7));
        for (let at = week; at < end; at++) newRival[group * weeks + at]! += strength;
      }
    }
    for (let at = 0; at < targets; at++) {
      let walk = 0;
      for (let week = 0; week < weeks; week++) {
        walk = 0.97 * walk + draws.normal(0, 0.04);
        shift[at * weeks + week] = walk + newRival[this.adGroupOf[at]! * weeks + week]!;
      }
    }
    return shift;
  }

  /** Draws stock-outs with a slow recovery, and price changes. */
  #drawProducts(draws: Draws, weeks: number): void {
    for (let product = 0; product < this.products; product++) {
      let level = 1;
      for (let week = 0; week < weeks; week++) {
        const at = product * weeks + week;
        const price = draws.uniform();
        if (price < 0.01) level *= draws.between(0.75, 0.9);
        else if (price < 0.02) level = Math.min(1.2, level * draws.between(1.1, 1.25));
        this.#productRate[at]! *= level * Math.exp(draws.normal(0, 0.02));
        if (draws.uniform() >= 0.02) continue;
        let days = draws.between(3, 30);
        for (let out = week; out < weeks && days > 0; out++, days -= 7) {
          this.#stock[product * weeks + out] = Math.max(0, 1 - days / 7);
          if (days <= 7) {
            for (let back = 1; back <= 4 && out + back < weeks; back++) {
              this.#productRate[product * weeks + out + back]! *= 0.6 + 0.1 * (back - 1);
            }
          }
        }
      }
    }
  }

  /** Draws weekday effects, a season, and an event of two days. */
  #drawDays(draws: Draws, weeks: number): void {
    const weekday = Array.from({ length: 7 }, () => draws.between(0.9, 1.1));
    const [height, phase] = [draws.between(0.05, 0.2), draws.between(0, 52)];
    const rateHeight = draws.between(0, 0.06);
    for (let day = 0; day < weeks * 7; day++) {
      const wave = Math.sin(2 * Math.PI * (day / 7 + phase) / 52);
      this.#day[day] = weekday[day % 7]! * (1 + height * wave);
      this.#dayRate[day] = 1 + rateHeight * wave;
    }
    const start = this.event * 7 + 2;
    for (
      const [offset, clicks, price, rate] of [
        [-2, 1.2, 1.05, 0.85],
        [-1, 1.3, 1.05, 0.82],
        [0, 3.3, draws.between(1.35, 1.58), 1.12],
        [1, 2.7, draws.between(1.23, 1.4), 1.1],
        [2, 0.8, 1, 0.95],
      ] as const
    ) {
      this.#day[start + offset]! *= clicks;
      this.#dayPrice[start + offset] = price;
      this.#dayRate[start + offset]! *= rate;
    }
  }

  /**
   * Expected clicks and cost of a target in one placement in a usual week, at the bid that applies in this placement.
   */
  landscape(at: number, k: number, bid: number, shift: number): { clicks: number; cost: number } {
    const cell = at * PLACEMENTS + k;
    const center = this.#center[cell]! + shift;
    const table = this.#tables[this.#kind[at]!]!;
    const place = gridPlace(Math.log(bid) - center);
    const clicks = this.#volume[cell]! * readTable(table.clicks, place);
    return { clicks, cost: clicks * Math.min(bid, Math.exp(center) * readTable(table.price, place)) };
  }

  /** Elasticity of a target's clicks at its first bid. */
  elasticity(at: number): number {
    const clicks = (factor: number): number =>
      [0, 1, 2].reduce((sum, k) => sum + this.landscape(at, k, this.first.bids[at]! * factor, 0).clicks, 0);
    return Math.log(clicks(1.05) / clicks(0.95)) / Math.log(1.05 / 0.95);
  }

  /** Sales per click, before the randomness of the week. */
  salesPerClick(at: number, k: number, week: number): number {
    const product = this.productOf[at]!;
    return this.#rate[at]! * this.#termRate[at * this.size.weeks + week]! *
      this.#placementRate[this.campaignOf[at]! * PLACEMENTS + k]! *
      this.#productRate[product * this.size.weeks + week]! * this.#price[product]!;
  }

  orderValue(at: number): number {
    return this.#price[this.productOf[at]!]!;
  }

  margin(at: number): number {
    return this.margins[this.productOf[at]!]!;
  }

  shift(at: number, week: number): number {
    return this.#shift[at * this.size.weeks + week]!;
  }

  reaction(at: number): number {
    return this.#reaction[at]!;
  }

  stock(at: number, week: number): number {
    return this.#stock[this.productOf[at]! * this.size.weeks + week]!;
  }

  /**
   * Demand, price and conversion rate of a day relative to a usual day, with random variation in the campaign's
   * demand.
   */
  day(day: number, campaign: number): { clicks: number; price: number; rate: number } {
    const luck = Math.exp(0.15 * normalQuantile(keyedUniform(this.#hash, campaign, day, 91)) - 0.01125);
    return { clicks: this.#day[day]! * luck, price: this.#dayPrice[day]!, rate: this.#dayRate[day]! };
  }

  lateRate(campaign: number): number {
    return this.#lateRate[campaign]!;
  }

  luck(at: number, week: number, which: number): number {
    return keyedUniform(this.#hash, at, week, which);
  }

  get orderSpread(): number {
    return this.#orderSpread;
  }
}

/** One run through the weeks. Rivals react only to the bids of this run. */
export class Course {
  week = 0;
  readonly #react: Float64Array;
  readonly #credit: Float64Array;

  constructor(readonly market: Market) {
    this.#react = new Float64Array(market.size.targets);
    this.#credit = new Float64Array(market.campaigns);
  }

  /** Shift of a target's rivals in the coming week. */
  rivals(at: number): number {
    return this.market.shift(at, this.week) + this.#react[at]!;
  }

  /** Simulates the coming week. */
  step(settings: Settings): { week: Week } {
    const week = this.#play(settings, this.#credit);
    const { market } = this;
    for (let at = 0; at < market.size.targets; at++) {
      const goal = market.reaction(at) * Math.log(settings.bids[at]! / market.first.bids[at]!);
      this.#react[at]! += 0.5 * (goal - this.#react[at]!);
    }
    this.week++;
    if (this.week % MONTH_WEEKS === 0) this.#credit.fill(0);
    return { week };
  }

  /** Returns the expected profit and figures of the coming week under the given settings, without applying them. */
  expect(settings: Settings): Week {
    return this.#play(settings, this.#credit.slice());
  }

  #play({ bids, adjustments, budgets }: Settings, credit: Float64Array): Week {
    const { market, week } = this;
    const { targets } = market.size;
    const clicks = new Float64Array(targets * PLACEMENTS);
    const cost = new Float64Array(targets * PLACEMENTS);
    const demand = new Float64Array(market.campaigns);
    for (let at = 0; at < targets; at++) {
      const campaign = market.campaignOf[at]!;
      const stock = market.stock(at, week);
      if (stock === 0) continue;
      const shift = this.rivals(at);
      for (let k = 0; k < PLACEMENTS; k++) {
        const bid = bids[at]! * (1 + adjustments[campaign * PLACEMENTS + k]!);
        const found = market.landscape(at, k, bid, shift);
        clicks[at * PLACEMENTS + k] = found.clicks * stock / 7;
        cost[at * PLACEMENTS + k] = found.cost * stock / 7;
        demand[campaign]! += found.cost * stock / 7;
      }
    }
    const served = serveDays(this, { demand, budgets, credit });
    return this.#report({ clicks, cost, served });
  }

  #report({ clicks, cost, served }: {
    clicks: Float64Array;
    cost: Float64Array;
    served: Served;
  }): Week {
    const { market, week } = this;
    const { targets } = market.size;
    const empty = (): WeekFigures => ({
      clicks: new Float64Array(targets),
      cost: new Float64Array(targets),
      orders: new Float64Array(targets),
      sales: new Float64Array(targets),
    });
    const [expected, final] = [empty(), empty()];
    const early = { orders: new Float64Array(targets), sales: new Float64Array(targets) };
    const profit = new Float64Array(targets);
    const places = market.campaigns * PLACEMENTS;
    const placements = {
      clicks: new Float64Array(places),
      orders: new Float64Array(places),
      sales: new Float64Array(places),
    };
    let spend = 0;
    for (let at = 0; at < targets; at++) {
      const campaign = market.campaignOf[at]!;
      const value = market.orderValue(at);
      for (let k = 0; k < PLACEMENTS; k++) {
        const cell = at * PLACEMENTS + k;
        const n = clicks[cell]! * served.clicks[campaign]!;
        if (n === 0) continue;
        const c = cost[cell]! * served.cost[campaign]!;
        const rate = market.salesPerClick(at, k, week) / value * served.orders[campaign]! /
          served.clicks[campaign]!;
        expected.clicks[at]! += n;
        expected.cost[at]! += c;
        expected.orders[at]! += n * rate;
        expected.sales[at]! += n * rate * value;
        const seen = poissonAt(n, market.luck(at, week, k));
        if (seen === 0) continue;
        const orders = poissonAt(seen * rate, market.luck(at, week, 10 + k));
        const known = binomialAt(orders, market.maturity, market.luck(at, week, 20 + k));
        const wobble = (count: number, cv: number, which: number): number =>
          Math.max(0.3, 1 + cv / Math.sqrt(count) * normalQuantile(market.luck(at, week, which)));
        const each = orders === 0 ? 0 : value * wobble(orders, market.orderSpread, 30 + k);
        const paid = c / n * seen * wobble(seen, 0.25, 40 + k);
        final.clicks[at]! += seen;
        final.cost[at]! += paid;
        final.orders[at]! += orders;
        final.sales[at]! += orders * each;
        early.orders[at]! += known;
        early.sales[at]! += known * each;
        const cellOfCampaign = campaign * PLACEMENTS + k;
        placements.clicks[cellOfCampaign]! += seen;
        placements.orders[cellOfCampaign]! += orders;
        placements.sales[cellOfCampaign]! += orders * each;
      }
      profit[at] = expected.sales[at]! * market.margin(at) - expected.cost[at]!;
      spend += expected.cost[at]!;
    }
    const terms = market.terms.map((own, at) => {
      const split = (count: number, isOrders: boolean): Uint16Array =>
        splitByTerm(count, own, {
          ...{ week, isOrders },
          uniform: (n) => market.luck(at, week, (isOrders ? 100_000 : 1_000) + n),
        });
      return {
        clicks: split(final.clicks[at]!, false),
        orders: split(final.orders[at]!, true),
        early: split(early.orders[at]!, true),
      };
    });
    return { expected, profit, final, early, placements, inBudget: served.inBudget, spend, terms };
  }
}

interface Served {
  /** Clicks, cost and orders of each campaign that its budget allowed, in units of a usual day. */
  readonly clicks: Float64Array;
  readonly cost: Float64Array;
  readonly orders: Float64Array;
  readonly inBudget: Float64Array;
}

/**
 * Simulates the days of a week: the budget is spent as clicks arrive, and the campaign stops showing when it is used
 * up.
 */
function serveDays(
  { market, week }: Course,
  { demand, budgets, credit }: { demand: Float64Array; budgets: Float64Array; credit: Float64Array },
): Served {
  const of = (): Float64Array => new Float64Array(market.campaigns);
  const served = { clicks: of(), cost: of(), orders: of(), inBudget: of() };
  for (let campaign = 0; campaign < market.campaigns; campaign++) {
    const budget = budgets[campaign]!;
    const late = market.lateRate(campaign);
    for (let day = 0; day < 7; day++) {
      const { clicks, price, rate } = market.day(week * 7 + day, campaign);
      const wanted = demand[campaign]! * clicks * price;
      const money = Math.min((market.size.dayLimit ?? 1.25) * budget, budget + credit[campaign]!);
      const share = wanted <= money ? 1 : Math.max(0, money / wanted);
      credit[campaign]! += budget - wanted * share;
      served.clicks[campaign]! += clicks * share;
      served.cost[campaign]! += clicks * price * share;
      // Orders of a click differ by the hour: an early end of the day takes the late ones away.
      served.orders[campaign]! += clicks * rate * share * (1 - late * (1 - share));
      served.inBudget[campaign]! += share / 7;
    }
    const noise = 1 + 0.05 * normalQuantile(market.luck(campaign, week, 77));
    if (served.inBudget[campaign]! < 0.999) {
      served.inBudget[campaign] = Math.min(1, served.inBudget[campaign]! * noise);
    }
  }
  return served;
}

function drawTree(draws: Draws, targets: number): {
  campaignOf: Int32Array;
  adGroupOf: Int32Array;
  productOf: Int32Array;
  productOfCampaign: Int32Array;
  adGroups: number;
  products: number;
} {
  const campaignOf = new Int32Array(targets);
  const adGroupOf = new Int32Array(targets);
  const productOf = new Int32Array(targets);
  const productOfCampaign: number[] = [];
  let [at, adGroups, products] = [0, 0, 0];
  const perGroup = targets < 100 ? 4 : 12;
  while (at < targets) {
    for (let campaigns = 1 + Math.floor(draws.uniform() * 3); campaigns > 0 && at < targets; campaigns--) {
      for (let groups = 1 + Math.floor(draws.uniform() * 2); groups > 0 && at < targets; groups--) {
        const end = Math.min(targets, at + Math.max(1, Math.round(perGroup * draws.between(0.3, 1.7))));
        for (; at < end; at++) {
          campaignOf[at] = productOfCampaign.length;
          adGroupOf[at] = adGroups;
          productOf[at] = products;
        }
        adGroups++;
      }
      productOfCampaign.push(products);
    }
    products++;
  }
  return {
    campaignOf,
    adGroupOf,
    productOf,
    productOfCampaign: Int32Array.from(productOfCampaign),
    adGroups,
    products,
  };
}

/** Sums the values of targets by group. */
export function sumBy(values: Float64Array, groupOf: Int32Array, groups: number): Float64Array {
  const sums = new Float64Array(groups);
  values.forEach((value, at) => sums[groupOf[at]!]! += value);
  return sums;
}

/** Returns the sigma of a log-normal distribution with the given coefficient of variation. */
function lognormalSigma(cv: number): number {
  return Math.sqrt(Math.log(1 + cv * cv));
}

/** Rounds an amount to whole cents, at least 0.02. */
export function cents(amount: number): number {
  return Math.max(0.02, Math.round(amount * 100) / 100);
}
