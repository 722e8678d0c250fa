import { decideGoal, type Parts } from "../decide.ts";
import type { Estimate, GoalAim } from "../model.ts";
import { Course } from "./course.ts";
import { type AccountSize, Market } from "./market.ts";
import { oracle } from "./oracle.ts";
import {
  applied,
  goalInput,
  goals,
  HISTORY_WEEKS,
  knowing,
  MONTH_DAYS,
  noChange,
  play,
  type Played,
  type Policy,
  RULES,
} from "./play.ts";
import { PLACEMENTS, type Settings } from "./settings.ts";

const PROFIT: GoalAim = { kind: "profit" };

/** Results of one simulated account. Names are those of `--json`. */
export interface PlayedAccount {
  readonly seed: number;
  readonly targets: number;
  /** Mean weekly clicks of a target at its first bid. */
  readonly clicks: number;
  /** Median elasticity of clicks at the first bids. */
  readonly elasticity: number;
  /**
   * Expected profit as a fraction of the oracle's profit, for goals, common rules, and goals with one part switched
   * off.
   */
  readonly share: Readonly<Record<string, number>>;
  /** Number of intervals given for the expected effect, and how many of them contained it. */
  readonly intervals: { readonly all: number; readonly held: number };
  /** Number of targets with 30 clicks, and how many of them are below half of their best bid eight weeks later. */
  readonly unlucky: { readonly all: number; readonly low: number };
  /** Relative deviation of a sales goal's expected ACOS from its target, with the number of orders. */
  readonly acos: { readonly orders: number; readonly off: number };
  /** Spend of each month as a fraction of its amount, in a market where a day may cost up to twice its budget. */
  readonly months: readonly number[];
}

/**
 * Plays an account under goals, rules and an oracle, all with the same random outcomes; `pause` is awaited between
 * them.
 */
export async function playAccount(
  size: AccountSize,
  { seed, pause }: { readonly seed: number; readonly pause: () => Promise<void> },
): Promise<PlayedAccount> {
  const market = new Market(size);
  const best = play(market, knowing(PROFIT));
  const share: Record<string, number> = {};
  const ours = play(market, goals(PROFIT));
  share["goals"] = ours.profit / best.profit;
  const parts = (one: Parts): Policy => goals(PROFIT, { parts: one });
  const half = (of: Market, at: number): number => 0.5 * of.margin(at);
  const whole = (of: Market, at: number): number => of.margin(at);
  const others: readonly (readonly [string, Policy])[] = [
    ["no change", noChange],
    ...Object.entries(RULES).map(([name, rule]) =>
      [name, rule(name === "ACOS × value" ? whole : half)] as const
    ),
    ["without trials", goals(PROFIT, { explore: 0 })],
    ["without siblings", parts({ shrink: false })],
    ["without learned response", parts({ learn: false })],
    ["without search terms", parts({ terms: false })],
    ["without the correction for stock-outs", parts({ recover: false })],
    // With the default hold_back of 20 %, placement adjustments stay.
    ["without placements, which is the default", parts({ placements: false })],
  ];
  for (const [name, policy] of others) {
    await pause();
    share[name] = play(market, policy).profit / best.profit;
  }
  await pause();
  // An ACOS that can be met: what the best profit has.
  const acos = Math.max(0.1, best.cost / best.sales);
  const strict = play(market, goals({ kind: "sales", acos }));
  await pause();
  // A budget is at least 1 a day, so that a goal refuses less than that for each campaign.
  const months = Math.max(1, size.weeks - HISTORY_WEEKS) * 7 / MONTH_DAYS;
  const amount = Math.max(0.7 * best.cost / months, 1.2 * MONTH_DAYS * market.campaigns);
  // The month must hold where a day costs up to twice its budget, too.
  const poor = play(new Market({ ...size, dayLimit: 2 }), goals(PROFIT), { amount });
  await pause();
  return {
    seed,
    targets: size.targets,
    clicks: size.clicks,
    elasticity: medianOf(Array.from({ length: size.targets }, (_, at) => market.elasticity(at))),
    share,
    intervals: intervals(market, ours),
    unlucky: unlucky(market, ours),
    acos: { orders: strict.orders, off: strict.cost / strict.sales / acos - 1 },
    months: poor.months.map((spend) => spend / amount),
  };
}

/** Median of figures; the mean of the two middle ones if their number is even. */
export function medianOf(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Counts the plans with an interval, and those whose interval contains the true effect. */
function intervals(market: Market, played: Played): PlayedAccount["intervals"] {
  const effects = planEffects(market, played);
  const held = effects.filter(({ expected: { low, high }, brought }) => low <= brought && brought <= high);
  return { all: effects.length, held: held.length };
}

/**
 * Returns the expected daily effect of every third plan with what it brings in the coming week before luck. Budgets do
 * not limit spend before or after the plan.
 */
export function planEffects(
  market: Market,
  { views }: Played,
): { readonly expected: Estimate; readonly brought: number }[] {
  const course = new Course(market);
  const profit = (one: Settings): number =>
    course.expect({ ...one, budgets: one.budgets.map(() => 1e9) }).profit.reduce((sum, of) => sum + of, 0) /
    7;
  const effects: { expected: Estimate; brought: number }[] = [];
  for (let week = 0; week < market.size.weeks; week++) {
    const view = views[week - HISTORY_WEEKS];
    const settings = view === undefined ? market.first : view.settings;
    if (view !== undefined && week % 3 === 0) {
      const decision = decideGoal(goalInput(view, { aim: PROFIT }));
      const brought = profit(applied(view.settings, decision)) - profit(view.settings);
      if (decision.stopped === null) effects.push({ expected: decision.effect, brought });
    }
    course.step(views[week + 1 - HISTORY_WEEKS]?.settings ?? settings);
  }
  return effects;
}

/**
 * Counts the targets with 30 clicks in the history, and those of them that are below half of their best bid eight
 * weeks later.
 */
function unlucky(market: Market, { views }: Played): PlayedAccount["unlucky"] {
  const week = HISTORY_WEEKS + 8;
  const course = new Course(market);
  for (let at = 0; at < week; at++) course.step(views[at + 1 - HISTORY_WEEKS]?.settings ?? market.first);
  const best = oracle(course, {});
  const own = views[week - HISTORY_WEEKS]?.settings;
  const top = (of: typeof best, at: number): number => {
    const first = market.campaignOf[at]! * PLACEMENTS;
    const mean = (of.adjustments[first]! + of.adjustments[first + 1]! + of.adjustments[first + 2]!) /
      PLACEMENTS;
    return of.bids[at]! * (1 + mean);
  };
  let [low, all] = [0, 0];
  for (let at = 0; at < market.size.targets && own !== undefined; at++) {
    const clicks = views[0]!.weeks.reduce((sum, { result }) => sum + result.final.clicks[at]!, 0);
    if (clicks < 30) continue;
    all++;
    if (top(own, at) < 0.5 * top(best, at)) low++;
  }
  return { all, low };
}
