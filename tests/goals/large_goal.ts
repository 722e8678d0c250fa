import type { GoalInput } from "../../src/account/goals/model.ts";
import { drawsOf } from "../../src/account/goals/market/draws.ts";

/** Input of many targets with twelve weeks each, as fast as it can be drawn. */
export function largeGoal(count: number): GoalInput {
  const { uniform } = drawsOf("large goal");
  return {
    aim: { kind: "profit" },
    explore: 0.05,
    limits: { minBid: 0.02, maxBid: 1000, decimals: 2, raise: 0.4, cut: 0.3, minBudget: 1, maxBudget: 1e6 },
    money: { left: count, daysLeft: 20, reserve: 100 },
    campaigns: Array.from({ length: Math.ceil(count / 40) }, (_, at) => ({
      id: `c${at}`,
      budget: 50,
      placements: [120, 90, 60].map((orders) => ({ adjustment: 0, clicks: 900, orders })),
    })),
    targets: Array.from({ length: count }, (_, at) => {
      const [bid, clicks] = [0.3 + uniform(), (1 - uniform()) ** -0.9];
      return {
        id: `t${at}`,
        campaign: `c${Math.floor(at / 40)}`,
        adGroup: `g${Math.floor(at / 20)}`,
        product: `p${Math.floor(at / 80)}`,
        match: `m${at % 3}`,
        bid,
        margin: 0.35,
        periods: Array.from({ length: 12 }, (_, week) => {
          const seen = Math.floor(2 * clicks * uniform());
          const orders = Math.floor(0.2 * seen * uniform() + 0.1);
          return {
            days: 7,
            age: 7 * (11 - week) + 1,
            bid: bid * (0.8 + 0.4 * uniform()),
            clicks: seen,
            cost: 0.7 * bid * seen,
            orders,
            sales: 25 * orders,
            maturity: week === 11 ? 0.9 : 1,
            inBudget: 1,
          };
        }),
      };
    }),
  };
}
