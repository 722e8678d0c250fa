import { ok } from "../support/assert.ts";
import { effectOf } from "../../src/account/goals/effect.ts";
import { Market } from "../../src/account/goals/market/market.ts";
import { goals, play } from "../../src/account/goals/market/play.ts";
import { planEffects } from "../../src/account/goals/market/play_account.ts";
import { decideGoal } from "../../src/account/goals/decide.ts";
import type { Decision } from "../../src/account/goals/decision.ts";
import type { GoalInput, GoalTarget } from "../../src/account/goals/model.ts";
import { learnResponses } from "../../src/account/goals/response.ts";
import { estimateValues, type Values, valueVariance } from "../../src/account/goals/value.ts";

/** 24 targets with unequal luck, in ad groups and products as told by their positions. */
function targetsOf(
  places: (at: number) => Pick<GoalTarget, "campaign" | "adGroup" | "product">,
): GoalTarget[] {
  return Array.from({ length: 24 }, (_, at) => ({
    id: `t${at}`,
    ...places(at),
    match: "exact",
    bid: 1,
    margin: 0.4,
    periods: [22, 15, 8, 1].map((age) => ({
      ...{ days: 7, age, bid: 1, clicks: 20, cost: 14, maturity: 1, inBudget: 1 },
      orders: 1 + at % 3,
      sales: 30 * (1 + at % 3),
    })),
  }));
}

const inGroups = (groups: number) => (at: number) => ({
  campaign: "c",
  adGroup: `g${Math.floor(at * groups / 24)}`,
  product: "p",
});
const LIMITS = { minBid: 0.02, maxBid: 100, decimals: 2, raise: 0.4, cut: 0.3, minBudget: 1, maxBudget: 1e6 };

Deno.test("the variance of a sum of values is that of its targets, and what siblings share", () => {
  const targets = targetsOf(inGroups(2));
  const values = estimateValues(targets);
  const of = (...ids: readonly number[]): number =>
    valueVariance(values, Float64Array.from(targets, (_, at) => ids.includes(at) ? 1 : 0));
  targets.forEach((_, at) => ok(Math.abs(of(at) / values.cv[at]! ** 2 - 1) < 1e-9, `target ${at}`));
  const shared = (a: number, b: number): number => of(a, b) - of(a) - of(b);
  ok(shared(0, 1) > 1.2 * shared(0, 23) && shared(0, 23) > 0, `${shared(0, 1)}, ${shared(0, 23)}`);
});

Deno.test("the effect is less certain if its targets share values, an ad group with competitors, or a product", () => {
  const targets = targetsOf(inGroups(24));
  const values = estimateValues(targets);
  const known = {
    ...values,
    spreads: values.spreads.map((one) => ({ ...one, variance: one.variance.map(() => 0) })),
  };
  const ones = new Float64Array(targets.length).fill(1);
  const width = (more: (at: number) => Partial<GoalTarget>, of: Values = known): number => {
    const model = {
      ...{ values: of, bids: ones, placements: { now: ones, next: ones, value: ones } },
      responses: { ...learnResponses(targets, ones), marginalDeviation: 0 },
      worth: of.sales,
      gain: of.sales,
    };
    const { value, low, high } = effectOf(
      {
        ...{ campaigns: [], limits: LIMITS, explore: 0, aim: { kind: "profit" } },
        targets: targets.map((one, at) => ({ ...one, product: `p${at}`, ...more(at) })),
      },
      { model, bids: ones.map(() => 1.3) },
    );
    ok(Math.abs(high - value - (value - low)) < 1e-9);
    return high - low;
  };
  const alone = width(() => ({}));
  ok(width(() => ({ adGroup: "g" })) > 1.1 * alone);
  ok(width(() => ({ product: "p" })) > 1.1 * alone);
  ok(width(() => ({}), values) > 1.1 * alone);
});

Deno.test("intervals of the expected effect are neither too narrow nor too wide nor too hopeful, in markets of other seeds", () => {
  const off: number[] = [];
  let [hoped, came] = [0, 0];
  for (const seed of ["a", "b", "c", "d"]) {
    for (const [targets = 0, clicks = 0] of [[30, 20], [60, 1], [60, 5], [100, 3]]) {
      const market = new Market({ seed: `calibration ${seed} ${targets}`, targets, clicks, weeks: 26 });
      for (const { expected, brought } of planEffects(market, play(market, goals({ kind: "profit" })))) {
        off.push((brought - expected.value) / (expected.high - expected.value) * 1.96);
        hoped += expected.value;
        came += brought;
      }
    }
  }
  const held = off.filter((one) => Math.abs(one) <= 1.96).length / off.length;
  const typical = Math.sqrt(off.reduce((all, one) => all + one * one, 0) / off.length);
  ok(held >= 0.92 && held <= 0.98, `${off.length} plans: ${held}`);
  ok(typical > 0.8 && typical < 1.25, `${typical}`);
  ok(came > 0.6 * hoped && came < 1.4 * hoped, `${came} of ${hoped}`);
});

Deno.test("of a gain 0.7 is expected, of a loss all of it", () => {
  const targets = targetsOf(inGroups(2));
  const decided = (money?: GoalInput["money"]) =>
    decideGoal({
      ...{ targets, limits: LIMITS, explore: 0, aim: { kind: "profit" }, money },
      campaigns: [{ id: "c", budget: 100 }],
    });
  const summed = ({ rows }: Decision): number =>
    rows.reduce((all, { change: { sales, cost } }) => all + 0.4 * sales - cost, 0);
  const [gain, loss] = [decided(), decided({ left: 60, daysLeft: 10, reserve: 0 })];
  ok(summed(gain) > 0 && Math.abs(gain.effect.value / summed(gain) - 0.7) < 1e-6);
  ok(summed(loss) < 0 && Math.abs(loss.effect.value / summed(loss) - 1) < 1e-6);
});
