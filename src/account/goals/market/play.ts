import { decideGoal, type Parts } from "../decide.ts";
import type { Decision } from "../decision.ts";
import type { GoalAim, GoalInput, GoalMoney, TargetPeriod } from "../model.ts";
import { Course, MONTH_WEEKS } from "./course.ts";
import type { Market } from "./market.ts";
import { oracle } from "./oracle.ts";
import { cents, PLACEMENTS, type Settings } from "./settings.ts";
import { sumBy } from "./tree.ts";
import type { Week } from "./play_week.ts";

/** Weeks with the first settings, before the first decision. */
export const HISTORY_WEEKS = 8;
/** Days of a simulated month. */
export const MONTH_DAYS = 7 * MONTH_WEEKS;
const MAX_WEEKS = 16;

/** Reports and own settings: everything that a policy may use. */
export interface View {
  readonly market: Market;
  readonly week: number;
  readonly weeks: readonly { readonly settings: Settings; readonly result: Week }[];
  readonly settings: Settings;
  readonly money: GoalMoney | undefined;
}

/** Decides the settings of the coming week. */
export type Policy = (view: View, course: Course) => Settings;

/** Result of playing a policy, with one entry per week from the first decision on. */
export interface Played {
  readonly profit: number;
  readonly cost: number;
  readonly sales: number;
  readonly orders: number;
  /** Spend of each month. */
  readonly months: readonly number[];
  readonly views: readonly View[];
}

/** Plays a market and lets a policy decide from week 9 on. */
export function play(
  market: Market,
  policy: Policy,
  { amount }: { amount?: number | undefined } = {},
): Played {
  const course = new Course(market);
  const weeks: { settings: Settings; result: Week }[] = [];
  const views: View[] = [];
  let settings = market.first;
  let [profit, cost, sales, orders] = [0, 0, 0, 0];
  const months: number[] = [];
  for (let week = 0; week < market.size.weeks; week++) {
    if (week >= HISTORY_WEEKS) {
      const spent = week % MONTH_WEEKS === 0 ? 0 : months.at(-1) ?? 0;
      const daysLeft = 7 * (MONTH_WEEKS - week % MONTH_WEEKS);
      const money = amount === undefined
        ? undefined
        : { left: amount - spent, daysLeft, reserve: 0.005 * amount };
      const view = { market, week, weeks: [...weeks], settings, money };
      views.push(view);
      settings = policy(view, course);
    }
    const result = course.step(settings);
    weeks.push({ settings, result });
    if (week < HISTORY_WEEKS) continue;
    if (week % MONTH_WEEKS === 0) months.push(0);
    months[months.length - 1]! += result.spend;
    for (let at = 0; at < market.size.targets; at++) {
      profit += result.profit[at]!;
      cost += result.expected.cost[at]!;
      sales += result.expected.sales[at]!;
      orders += result.expected.orders[at]!;
    }
  }
  return { profit, cost, sales, orders, months, views };
}

/** Builds the optimizer's input from reports alone. */
export function goalInput(
  view: View,
  { aim, explore = 0.02 }: { aim: GoalAim; explore?: number },
): GoalInput {
  const { market, week, settings } = view;
  const past = view.weeks.slice(-MAX_WEEKS);
  const first = view.weeks.length - past.length;
  const unspent = unspentOf(view);
  const multipliers = past.map(({ settings: { adjustments }, result: { placements: { clicks } } }) =>
    Float64Array.from({ length: market.campaigns }, (_, campaign) => {
      let [sum, all] = [0, 0];
      for (let k = campaign * PLACEMENTS; k < (campaign + 1) * PLACEMENTS; k++) {
        sum += (clicks[k]! + 1) * (1 + adjustments[k]!);
        all += clicks[k]! + 1;
      }
      return sum / all;
    })
  );
  return {
    aim,
    explore,
    money: view.money,
    limits: { minBid: 0.02, maxBid: 1000, decimals: 2, raise: 0.4, cut: 0.3, minBudget: 1, maxBudget: 1e6 },
    campaigns: Array.from({ length: market.campaigns }, (_, campaign) => ({
      id: `c${campaign}`,
      budget: settings.budgets[campaign]!,
      unspent: unspent[campaign],
      placements: Array.from({ length: PLACEMENTS }, (_, k) => {
        const cell = campaign * PLACEMENTS + k;
        const sum = (of: "clicks" | "orders"): number =>
          past.reduce((all, { result: { placements } }) => all + placements[of][cell]!, 0);
        return { adjustment: settings.adjustments[cell]!, clicks: sum("clicks"), orders: sum("orders") };
      }),
    })),
    targets: Array.from({ length: market.size.targets }, (_, at) => {
      const campaign = market.campaignOf[at]!;
      return {
        id: `t${at}`,
        campaign: `c${campaign}`,
        adGroup: `g${market.adGroupOf[at]}`,
        product: `p${market.productOf[at]}`,
        match: `m${market.matchOf[at]}`,
        bid: settings.bids[at]!,
        margin: market.margin(at),
        terms: Array.from(market.terms[at]!.terms, (term, k) => {
          let [clicks, orders] = [0, 0];
          past.forEach(({ result }, place) => {
            const own = result.terms[at]!;
            clicks += own.clicks[k]!;
            orders += (first + place === week - 1 ? own.early : own.orders)[k]!;
          });
          return { term: String(term), clicks, orders };
        }),
        periods: past.map(({ settings: then, result }, place): TargetPeriod => {
          const isNewest = first + place === week - 1;
          const known = isNewest ? result.early : result.final;
          return {
            days: 7,
            age: 7 * (week - 1 - first - place) + 1,
            bid: then.bids[at]!,
            multiplier: multipliers[place]![campaign]!,
            clicks: result.final.clicks[at]!,
            cost: result.final.cost[at]!,
            orders: known.orders[at]!,
            sales: known.sales[at]!,
            maturity: isNewest ? market.maturity : 1,
            inBudget: result.inBudget[campaign]!,
          };
        }),
      };
    }),
  };
}

/** Returns the month's unspent budget by campaign, from reports; the platform may spend it later in the month. */
function unspentOf({ market, week, weeks }: View): Float64Array {
  const unspent = new Float64Array(market.campaigns);
  const ofMonth = week % MONTH_WEEKS;
  for (const { settings: { budgets }, result: { final } } of ofMonth === 0 ? [] : weeks.slice(-ofMonth)) {
    const cost = sumBy(final.cost, market.campaignOf, market.campaigns);
    unspent.forEach((_, campaign) => unspent[campaign]! += 7 * budgets[campaign]! - cost[campaign]!);
  }
  return unspent.map((one) => Math.max(0, one));
}

/** Returns the settings after a decision. */
export function applied(settings: Settings, decision: Decision): Settings {
  const bids = Float64Array.from(decision.rows, ({ next }) => next);
  const [adjustments, budgets] = [settings.adjustments.slice(), settings.budgets.slice()];
  for (const [id, own] of decision.adjustments) adjustments.set(own, Number(id.slice(1)) * PLACEMENTS);
  for (const [id, budget] of decision.budgets) budgets[Number(id.slice(1))] = budget;
  return { bids, adjustments, budgets };
}

/** Policy that uses the optimizer of the toolkit. */
export function goals(aim: GoalAim, options: { explore?: number; parts?: Parts } = {}): Policy {
  return (view) => applied(view.settings, decideGoal(goalInput(view, { aim, ...options }), options.parts));
}

/** Policy that knows the market and uses the oracle. */
export function knowing(aim: GoalAim): Policy {
  return ({ money }, course) => {
    const best = oracle(course, {
      acos: aim.kind === "sales" ? aim.acos : undefined,
      money: money && 7 * money.left / money.daysLeft,
    });
    if (money === undefined) return best;
    // With an amount, it spends it as the others must: by daily budgets.
    const cost = sumBy(course.expect(best).expected.cost, course.market.campaignOf, course.market.campaigns);
    const all = cost.reduce((sum, one) => sum + one, 0);
    const day = money.left / money.daysLeft;
    return { ...best, budgets: cost.map((one) => Math.max(0.01, one / all * day)) };
  };
}

export const noChange: Policy = ({ settings }) => settings;

/** Sums up the figures of a target over the last weeks. */
function recent(
  view: View,
  at: number,
  weeks: number,
): { clicks: number; cost: number; orders: number; sales: number } {
  const sums = { clicks: 0, cost: 0, orders: 0, sales: 0 };
  for (const { result: { final } } of view.weeks.slice(-weeks)) {
    sums.clicks += final.clicks[at]!;
    sums.cost += final.cost[at]!;
    sums.orders += final.orders[at]!;
    sums.sales += final.sales[at]!;
  }
  return sums;
}

/** Policy that sets bids by a rule, with budgets too high to limit anything. */
function rule(bid: (view: View, at: number, now: number) => number): Policy {
  return (view) => ({
    adjustments: view.settings.adjustments,
    budgets: view.money === undefined ? view.settings.budgets.map(() => 1e9) : view.settings.budgets,
    bids: view.settings.bids.map((now, at) => cents(bid(view, at, now))),
  });
}

/** Bidding rules in common use, each with a target ACOS for each target. */
export const RULES: Readonly<Record<string, (acos: (market: Market, at: number) => number) => Policy>> = {
  /**
   * Raises the bid by 10 % if the ACOS of the last four weeks is at or below the target, otherwise lowers it by 10 %.
   */
  "+10/-10 % by ACOS": (acos) =>
    rule((view, at, now) => {
      const { clicks, cost, sales } = recent(view, at, 4);
      if (clicks < 10) return now;
      return sales > 0 && cost / sales <= acos(view.market, at) ? now * 1.1 : now * 0.9;
    }),
  /** Sets the bid to target ACOS × sales per click of the last eight weeks. */
  "ACOS × value": (acos) =>
    rule((view, at, now) => {
      const { clicks, orders, sales } = recent(view, at, 8);
      if (clicks < 15 || orders === 0) return clicks >= 40 ? now * 0.7 : now;
      return Math.min(now * 1.4, Math.max(now * 0.7, acos(view.market, at) * sales / clicks));
    }),
  /**
   * Moves the bid by 20 % towards the target ACOS once there are orders and enough clicks, except close to the target.
   * Lowers bids with many clicks and no order.
   */
  "vendor thresholds": (acos) =>
    rule((view, at, now) => {
      const { clicks, cost, orders, sales } = recent(view, at, 8);
      const target = acos(view.market, at);
      if (orders === 0) {
        if (clicks >= 20) return now * 0.75;
        return clicks < 3 ? now * 1.05 : now;
      }
      if (clicks < 8) return now;
      const found = cost / sales;
      if (Math.abs(found - target) <= 0.025) return now;
      return found > target ? now * 0.8 : now * 1.2;
    }),
};
