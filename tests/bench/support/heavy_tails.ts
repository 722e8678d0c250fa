import { assign, measureEffect, measureMoney, type UnitMoney } from "../../../src/base/statistics/mod.ts";
import { figuresOf } from "../../statistics/support.ts";
import { type BenchLine, benchLine } from "../bench.ts";

/** Accounts of each kind. */
const ACCOUNTS = 500;
/** Share of sales that is left before advertising. */
const MARGIN = 0.4;

/** Keywords of an account, clicks a day of the middle one, and the effects on sales and cost. */
const KINDS = [
  { keywords: 400, clicks: 1, sales: 0, cost: 0 },
  { keywords: 400, clicks: 1, sales: 0.2, cost: 0.2 },
  { keywords: 400, clicks: 1, sales: -0.2, cost: -0.3 },
  { keywords: 800, clicks: 1, sales: 0, cost: 0 },
  { keywords: 800, clicks: 2, sales: 0.1, cost: 0.15 },
  { keywords: 800, clicks: 2, sales: -0.2, cost: -0.3 },
  { keywords: 200, clicks: 2, sales: 0, cost: 0 },
  { keywords: 200, clicks: 2, sales: 0.2, cost: 0.2 },
] as const;

/**
 * Errors and intervals on accounts whose traffic is spread over three orders of magnitude, with keywords chosen for
 * their low ACOS: a few of them make up most of each group.
 */
export function heavyTails(): BenchLine[] {
  const errors = { sales: [] as number[], acos: [] as number[] };
  const covered = { sales: 0, acos: 0, profit: 0 };
  for (const [at, kind] of KINDS.entries()) {
    for (let number = 0; number < ACCOUNTS; number++) {
      const { units, profit } = account(kind, `heavy tails ${at} ${number}`);
      if (units === undefined) continue;
      const { treated, held } = units;
      const sales = (unit: UnitMoney) => ({ ...unit, before: unit.before.sales, after: unit.after.sales });
      if (![treated, held].every((group) => group.some(({ after }) => after.sales > 0))) continue;
      const options = { seed: number, redraws: 199 };
      const effect = measureEffect({ treated: treated.map(sales), held: held.map(sales), ...options });
      const money = measureMoney({ treated, held, margin: MARGIN, ...options });
      if (money.acos === undefined || money.profit === undefined) continue;
      const acos = (1 + kind.cost) / (1 + kind.sales) - 1;
      errors.sales.push(effect.effect - kind.sales);
      errors.acos.push(money.acos.value - acos);
      if (effect.low <= kind.sales && kind.sales <= effect.high) covered.sales++;
      if (money.acos.low <= acos && acos <= money.acos.high) covered.acos++;
      if (money.profit.low <= profit && profit <= money.profit.high) covered.profit++;
    }
  }
  const mean = (values: readonly number[]): number =>
    100 * values.reduce((sum, one) => sum + one, 0) / values.length;
  return [
    benchLine("mean error of the effect on sales, few large keywords", mean(errors.sales), { unit: "%" }),
    benchLine("mean error of the effect on ACOS, few large keywords", mean(errors.acos), { unit: "%" }),
    ...(["sales", "acos", "profit"] as const).map((name) =>
      benchLine(
        `intervals of 95 % that hold the effect on ${name}, few large keywords`,
        100 * covered[name] / errors.sales.length,
        { unit: "%", baseline: 95 },
      )
    ),
  ];
}

/** Both groups of an account, with the profit that the change brought; no groups where too few keywords are chosen. */
function account(
  { keywords, clicks, sales, cost }: typeof KINDS[number],
  seed: string,
): { units?: { treated: UnitMoney[]; held: UnitMoney[] }; profit: number } {
  const { normal, count } = figuresOf(seed);
  const chosen = Array.from({ length: keywords }, (_, at) => {
    const rate = 0.08 * Math.exp(0.6 * normal());
    const [price, cpc] = [25 * Math.exp(0.3 * normal()), 0.8 * Math.exp(0.3 * normal())];
    const usual = 30 * clicks * Math.exp(1.5 * normal());
    const clicked = count(usual);
    const before = { cost: clicked * cpc, sales: count(clicked * rate) * price };
    return { id: `k${at}`, rate, price, cpc, clicked, before, later: usual * Math.exp(0.2 * normal()) };
  }).filter(({ clicked, before }) => clicked >= 25 && before.cost < 0.25 * before.sales);
  if (chosen.length < 12) return { profit: 0 };
  const { held, strata } = assign(chosen.map(({ id, before }) => ({ id, spend: before.cost })), {
    share: 0.25,
    seed,
  });
  const isHeld = new Set(held);
  let profit = 0;
  const units = chosen.map(({ id, rate, price, cpc, before, later }): UnitMoney => {
    const [more, dearer] = isHeld.has(id) ? [1, 1] : [1 + sales, 1 + cost];
    profit += MARGIN * later * rate * price * (more - 1) - later * cpc * (dearer - 1);
    const after = { cost: count(later * dearer) * cpc, sales: count(later * rate * more) * price };
    return { id, stratum: strata.get(id), before, after };
  });
  return {
    profit,
    units: {
      treated: units.filter(({ id }) => !isHeld.has(id)),
      held: units.filter(({ id }) => isHeld.has(id)),
    },
  };
}
