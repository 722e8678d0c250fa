import {
  assign,
  type BidPeriod,
  drawSwitchBack,
  measureEffect,
  measureElasticity,
  measurePower,
  measureSwitchBack,
  type UnitTotals,
} from "../../src/base/statistics/mod.ts";
import { figuresOf } from "../statistics/support.ts";
import { heavyTails } from "./support/heavy_tails.ts";
import { sharedBudgetBiases, sharedBudgetCoverage } from "./support/shared_budgets.ts";
import { type BenchLine, benchLine, median } from "./bench.ts";

/** Accounts of each kind. */
const ACCOUNTS = 200;
/** Tries for each effect of which the intervals are looked at. */
const TRIES = 2000;

/** Kinds of account: keywords, clicks a day of the middle one, orders by click, what a season does to all, late sales. */
const KINDS = [
  { keywords: 300, clicks: 1, rate: 0.08, season: 1, isLate: false },
  { keywords: 700, clicks: 2, rate: 0.1, season: 1.15, isLate: false },
  { keywords: 700, clicks: 3, rate: 0.12, season: 0.9, isLate: true },
] as const;

/** Measures how wrong each way of telling an effect is on synthetic accounts, and how often intervals hold the truth. */
export function bench(): Promise<BenchLine[]> {
  return Promise.resolve([
    ...[0, 0.2].flatMap(biases),
    ...[0, 0.1, -0.2].map(coverage),
    ...heavyTails(),
    ...powers(),
    ...[0, 0.2].flatMap(sharedBudgetBiases),
    ...[0, 0.1, -0.2].flatMap(sharedBudgetCoverage),
    ...[0.3, 0.6, 1].flatMap(elasticities),
    ...[0, 0.1, -0.2].flatMap(switchBacks),
  ]);
}

interface Keyword {
  readonly id: string;
  readonly before: number;
  readonly after: (factor: number) => number;
  readonly spend: number;
  readonly isChosen: boolean;
}

/** Keywords of an account with sales of 30 days before a change and 14 days after it. */
function account(kind: typeof KINDS[number], seed: string): Keyword[] {
  const { normal, count } = figuresOf(seed);
  return Array.from({ length: kind.keywords }, (_, at) => {
    const clicks = kind.clicks * Math.exp(1.2 * normal());
    const rate = kind.rate * Math.exp(0.6 * normal());
    const [price, cpc] = [25 * Math.exp(0.3 * normal()), 0.8 * Math.exp(0.3 * normal())];
    const clicked = count(30 * clicks);
    const before = count(clicked * rate) * price;
    const spend = clicked * cpc;
    const later = kind.isLate ? 0.9 : 1;
    return {
      id: `k${at}`,
      before,
      after: (factor) => count(14 * clicks * rate * kind.season * later * factor) * price,
      spend,
      isChosen: clicked >= 25 && before > 0 && spend / before < 0.15,
    };
  });
}

/** How far each way is from the truth, in percent: the middle of all accounts. */
function biases(truth: number): BenchLine[] {
  const found: Record<string, number[]> = { before: [], others: [], held: [] };
  for (const [at, kind] of KINDS.entries()) {
    for (let number = 0; number < ACCOUNTS; number++) {
      const all = account(kind, `bias ${truth} ${at} ${number}`);
      const chosen = all.filter(({ isChosen }) => isChosen);
      if (chosen.length < 12) continue;
      const { held } = assign(chosen, { share: 0.25, seed: number });
      const isHeld = new Set(held);
      const units = all.map((one): UnitTotals & { chosen: boolean } => ({
        id: one.id,
        chosen: one.isChosen,
        before: one.before,
        after: one.after(one.isChosen && !isHeld.has(one.id) ? 1 + truth : 1),
      }));
      const growth = (wanted: (one: typeof units[number]) => boolean): number => {
        const own = units.filter(wanted);
        const sum = (name: "before" | "after"): number => own.reduce((total, one) => total + one[name], 0);
        return sum("after") / 14 / (sum("before") / 30);
      };
      const changed = growth(({ id, chosen }) => chosen && !isHeld.has(id));
      found["before"]!.push(changed - 1 - truth);
      found["others"]!.push(changed / growth(({ chosen }) => !chosen) - 1 - truth);
      const heldGrowth = growth(({ id }) => isHeld.has(id));
      if (heldGrowth > 0) found["held"]!.push(changed / heldGrowth - 1 - truth);
    }
  }
  const percent = (way: string): number => 100 * median(found[way]!);
  const name = `with an effect of ${signed(truth)}`;
  return [
    benchLine(`error of before and after, ${name}`, percent("before"), { unit: "%" }),
    benchLine(`error against those left alone, ${name}`, percent("others"), { unit: "%" }),
    benchLine(`error against 25 % held back by a draw, ${name}`, percent("held"), { unit: "%" }),
  ];
}

/** How many of the 95 % intervals hold the truth, in percent. */
function coverage(truth: number): BenchLine {
  const { normal, count } = figuresOf(`coverage ${truth}`);
  let covered = 0;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const kind = KINDS[attempt % KINDS.length]!;
    const units = Array.from(
      { length: 40 + attempt % 60 },
      (_, at) => ({ id: `k${at}`, spend: 30 * Math.exp(normal()) }),
    );
    const { held, strata } = assign(units, { share: 0.25, seed: attempt });
    const isHeld = new Set(held);
    const totals = units.map(({ id, spend }): UnitTotals => ({
      id,
      stratum: strata.get(id)!,
      before: count(spend),
      after: count(spend * kind.season * Math.exp(0.3 * normal()) * (isHeld.has(id) ? 1 : 1 + truth)),
    }));
    const { low, high } = measureEffect({
      treated: totals.filter(({ id }) => !isHeld.has(id)),
      held: totals.filter(({ id }) => isHeld.has(id)),
      seed: attempt,
      redraws: 399,
    });
    if (low <= truth && truth <= high) covered++;
  }
  return benchLine(`intervals of 95 % that hold an effect of ${signed(truth)}`, 100 * covered / TRIES, {
    unit: "%",
    baseline: 95,
  });
}

/** What is found of effects for which a chance of 80 % was foretold from the past, in percent. */
function powers(): BenchLine[] {
  let [found, tries] = [0, 0];
  for (let number = 0; number < 20; number++) {
    const { normal, count } = figuresOf(`power ${number}`);
    const means = Array.from({ length: 80 }, () => 4 * Math.exp(0.8 * normal()));
    const units = means.map((mean, at) => ({
      id: `k${at}`,
      days: Array.from({ length: 84 }, () => count(mean)),
    }));
    const { smallestEffect } = measurePower({
      units,
      effect: 0.2,
      weeks: 2,
      share: 0.25,
      seed: number,
      tries: 300,
    });
    if (smallestEffect === undefined) continue;
    for (let attempt = 0; attempt < 50; attempt++) {
      const spends = units.map(({ id }, at) => ({ id, spend: means[at]! }));
      const { held, strata } = assign(spends, { share: 0.25, seed: `${number} ${attempt}` });
      const isHeld = new Set(held);
      const totals = units.map(({ id }, at): UnitTotals => ({
        id,
        stratum: strata.get(id)!,
        before: count(28 * means[at]!),
        after: count(14 * means[at]! * (isHeld.has(id) ? 1 : 1 + smallestEffect)),
      }));
      const { low } = measureEffect({
        treated: totals.filter(({ id }) => !isHeld.has(id)),
        held: totals.filter(({ id }) => isHeld.has(id)),
        seed: attempt,
        redraws: 399,
      });
      if (low > 0) found++;
      tries++;
    }
  }
  return [
    benchLine("effects found for which the past foretold a chance of 80 %", 100 * found / tries, {
      unit: "%",
      baseline: 80,
    }),
  ];
}

/**
 * How far the response of clicks to bids is from the truth, and how many of its intervals hold it: keywords with a few
 * changes of bids each, luck of each period beyond that of single clicks, and a season in the later ones.
 */
function elasticities(truth: number): BenchLine[] {
  const { normal, count, uniform } = figuresOf(`elasticity ${truth}`);
  const errors: number[] = [];
  let covered = 0;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const kind = KINDS[attempt % KINDS.length]!;
    const periods = Array.from({ length: 30 + attempt % 60 }, (_, at) => at).flatMap((at) => {
      const level = 28 * kind.clicks * Math.exp(1.2 * normal());
      const bids = [1, ...Array.from({ length: 1 + at % 3 }, () => Math.exp(0.25 * normal()))];
      return bids.map((bid, number): BidPeriod => {
        const season = number === 0 ? 1 : kind.season;
        const clicks = count(level * season * bid ** truth * Math.exp(0.2 * normal()));
        return { id: `k${at}`, bid, days: 28, clicks, cost: clicks * bid * (0.7 + 0.1 * uniform()) };
      });
    });
    const found = measureElasticity(periods);
    if (found === undefined) continue;
    errors.push(found.clicks.value - truth);
    if (found.clicks.low <= truth && truth <= found.clicks.high) covered++;
  }
  return [
    benchLine(`error of the exponent of clicks, with one of ${truth}`, median(errors), { unit: "" }),
    benchLine(`intervals of 95 % that hold an exponent of ${truth}`, 100 * covered / errors.length, {
      unit: "%",
      baseline: 95,
    }),
  ];
}

/**
 * How far a switch-back is from the truth, and how many of its intervals hold it: 12 to 52 weeks of sales, a season that moves
 * on from week to week, and luck of each week.
 */
function switchBacks(truth: number): BenchLine[] {
  const { normal, count } = figuresOf(`switch-back ${truth}`);
  const errors: number[] = [];
  let covered = 0;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const kind = KINDS[attempt % KINDS.length]!;
    const weeks = drawSwitchBack({ from: "2026-01-05", weeks: 12 + 2 * (attempt % 21), seed: attempt });
    let season = 1;
    const totals = weeks.map(({ isOn }) => {
      season *= kind.season ** (1 / 8) * Math.exp(0.05 * normal());
      // Six days, the first left out.
      return count(6 * 20 * kind.clicks * season * Math.exp(0.1 * normal()) * (isOn ? 1 + truth : 1));
    });
    const pairs = Array.from({ length: weeks.length / 2 }, (_, pair) => {
      const [first, second] = [totals[2 * pair]!, totals[2 * pair + 1]!];
      return weeks[2 * pair]!.isOn ? { on: first, off: second } : { on: second, off: first };
    });
    const { effect, low, high } = measureSwitchBack(pairs, { seed: attempt, redraws: 399 });
    errors.push(100 * (effect - truth));
    if (low <= truth && truth <= high) covered++;
  }
  const name = `a switch-back with an effect of ${signed(truth)}`;
  return [
    benchLine(`error of ${name}`, median(errors), { unit: "%" }),
    benchLine(`intervals of 95 % that hold ${name}`, 100 * covered / TRIES, { unit: "%", baseline: 95 }),
  ];
}

function signed(share: number): string {
  return `${share < 0 ? "-" : "+"}${Math.abs(100 * share).toFixed(0)} %`;
}
