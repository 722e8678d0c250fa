import { binomialAt, normalQuantile, poissonAt } from "./draws.ts";
import type { Landscape } from "./landscape.ts";
import { splitByTerm, type TargetTerms } from "./search_terms.ts";
import { PLACEMENTS, type Settings } from "./settings.ts";

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

/** The parts of a market that determine a week. */
export interface WeekMarket {
  readonly size: { readonly targets: number; readonly dayLimit?: number };
  readonly campaigns: number;
  readonly campaignOf: Int32Array;
  readonly landscape: Landscape;
  readonly terms: readonly TargetTerms[];
  /** Coefficient of variation of an order's value. */
  readonly orderSpread: number;
  /** Fraction of a week's orders that are known on the day after the week. */
  readonly maturity: number;
  /** Sales per click, before the randomness of the week. */
  salesPerClick(at: number, k: number, week: number): number;
  orderValue(at: number): number;
  margin(at: number): number;
  /** Fraction of the week in which a target's product is in stock. */
  stock(at: number, week: number): number;
  /** Demand, price and conversion rate of a campaign's day, relative to a usual day. */
  day(day: number, campaign: number): { clicks: number; price: number; rate: number };
  /** Loss in conversion rate of a campaign's late hours. */
  lateRate(campaign: number): number;
  /** Number from 0 to 1 that every policy gets alike. */
  luck(at: number, week: number, which: number): number;
}

/**
 * Simulates a week.
 *
 * @param options.rivals Shift of a target's rivals in this week.
 * @param options.credit Unspent budget of the month by campaign; the week's is added.
 */
export function playWeek(
  market: WeekMarket,
  { week, settings: { bids, adjustments, budgets }, rivals, credit }: {
    readonly week: number;
    readonly settings: Settings;
    readonly rivals: (at: number) => number;
    readonly credit: Float64Array;
  },
): Week {
  const { targets } = market.size;
  const clicks = new Float64Array(targets * PLACEMENTS);
  const cost = new Float64Array(targets * PLACEMENTS);
  const demand = new Float64Array(market.campaigns);
  for (let at = 0; at < targets; at++) {
    const campaign = market.campaignOf[at]!;
    const stock = market.stock(at, week);
    if (stock === 0) continue;
    const shift = rivals(at);
    for (let k = 0; k < PLACEMENTS; k++) {
      const bid = bids[at]! * (1 + adjustments[campaign * PLACEMENTS + k]!);
      const found = market.landscape.at(at, k, bid, shift);
      clicks[at * PLACEMENTS + k] = found.clicks * stock / 7;
      cost[at * PLACEMENTS + k] = found.cost * stock / 7;
      demand[campaign]! += found.cost * stock / 7;
    }
  }
  const served = serveDays(market, { week, demand, budgets, credit });
  return report(market, { week, clicks, cost, served });
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
  market: WeekMarket,
  { week, demand, budgets, credit }: {
    readonly week: number;
    readonly demand: Float64Array;
    readonly budgets: Float64Array;
    readonly credit: Float64Array;
  },
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

/** Draws the reported figures from what was served. */
function report(market: WeekMarket, { week, clicks, cost, served }: {
  readonly week: number;
  readonly clicks: Float64Array;
  readonly cost: Float64Array;
  readonly served: Served;
}): Week {
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
