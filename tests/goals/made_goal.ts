import type { GoalInput, GoalTarget, TargetPeriod } from "../../src/account/goals/model.ts";

export const LIMITS = {
  minBid: 0.02,
  maxBid: 100,
  decimals: 2,
  raise: 0.4,
  cut: 0.3,
  minBudget: 1,
  maxBudget: 1e6,
};

export function week(age: number, figures: Partial<TargetPeriod> = {}): TargetPeriod {
  return {
    days: 7,
    age,
    bid: 1,
    clicks: 20,
    cost: 14,
    orders: 2,
    sales: 60,
    maturity: 1,
    inBudget: 1,
    ...figures,
  };
}

export function target(
  id: string,
  figures: Partial<TargetPeriod> = {},
  more: Partial<GoalTarget> = {},
): GoalTarget {
  return {
    id,
    campaign: "c",
    adGroup: "g",
    product: "p",
    match: "exact",
    bid: 1,
    margin: 0.4,
    periods: [22, 15, 8, 1].map((age) => week(age, figures)),
    ...more,
  };
}

export function goal(targets: readonly GoalTarget[], more: Partial<GoalInput> = {}): GoalInput {
  return {
    targets,
    campaigns: [{ id: "c", budget: 50 }],
    aim: { kind: "profit" },
    limits: LIMITS,
    explore: 0,
    ...more,
  };
}

export const twenty = (more: Partial<GoalTarget> = {}): GoalTarget[] =>
  Array.from({ length: 20 }, (_, at) => target(`t${at}`, {}, more));
