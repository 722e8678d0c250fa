import { equal, match, ok } from "../support/assert.ts";
import { decideGoal } from "../../src/account/goals/decide.ts";
import { rowReason } from "../../src/account/goals/goal_reasons.ts";
import { parseGoals } from "../../src/account/goals/goals_file.ts";
import type { GoalInput, GoalTarget } from "../../src/account/goals/model.ts";

const LIMITS = { minBid: 0.02, maxBid: 100, decimals: 2, raise: 0.4, cut: 0.9, minBudget: 1, maxBudget: 1e6 };

function target(id: string, sales: number, orders = sales / 30): GoalTarget {
  const week = { days: 7, bid: 1, clicks: 20, cost: 14, orders, sales, maturity: 1, inBudget: 1 };
  return {
    ...{ id, campaign: "c", adGroup: "g", product: "p", match: "exact", bid: 1, margin: 0.4 },
    periods: [22, 15, 8, 1].map((age) => ({ ...week, age })),
  };
}

/** Twenty siblings at an ACOS of 47 %, and one at 16 %. */
const targets = [...Array.from({ length: 20 }, (_, at) => target(`t${at}`, 30)), target("lucky", 90)];

function reasons(input: GoalInput, text: string): Map<string, string> {
  const goal = parseGoals(`version: 1\ngoals:\n  all: { ${text} }\n`, "goals.yaml").goals[0]!;
  const decision = decideGoal(input);
  return new Map(decision.rows.map((row, at) => [
    row.id,
    rowReason({ row, target: input.targets[at]! }, { goal, input, decision }),
  ]));
}

Deno.test("a bid that is cut although its ACOS is under the target says why, and what it would be without", () => {
  const input: GoalInput = {
    ...{ targets, campaigns: [{ id: "c", budget: 50 }], aim: { kind: "sales", acos: 0.4 }, limits: LIMITS },
    ...{ explore: 0, money: { left: 200, daysLeft: 10, reserve: 0 } },
  };
  const decision = decideGoal(input);
  const row = decision.rows.at(-1)!;
  ok(row.next < row.bid);
  const found = reasons(input, "aim: sales, acos: 40%, limits: { month: 200 }");
  const text = found.get("lucky") ?? "";
  match(
    text,
    /cut although its ACOS of 15\.6 % is under 40\.0 %: one more click costs (\d+\.\d\d) at the present bid/,
  );
  const numbers = (pattern: RegExp): number[] => (pattern.exec(text) ?? []).slice(1).map(Number);
  const [cost, may] = numbers(
    /one more click costs ([\d.]+) at the present bid and may cost ([\d.]+), [\d.]+ % of its worth/,
  );
  ok(
    Math.abs(cost! - decision.marginal) < 0.006 && Math.abs(may! - decision.scale * row.worth.value) < 0.006,
  );
  ok(cost! > may!, "that is why it is cut");
  const [raw, taken, best] = numbers(
    /80 clicks count [\d.]+ %, so that ([\d.]+) of sales a click are taken as ([\d.]+); as reported, the best bid would be ([\d.]+)/,
  );
  equal(raw, 4.5);
  ok(
    Math.abs(taken! - row.salesPerClick) < 0.006 &&
      Math.abs(best! - row.free * 4.5 / row.salesPerClick) < 0.006,
  );
  const { money: _, ...open } = input;
  const without = decideGoal(open).rows.at(-1)!.free;
  const [said] = numbers(/without limits\.month, it would be ([\d.]+)/);
  ok(Math.abs(said! - without) < 0.006 && without > 1.05 * row.free);
  equal(decision.scaleWithoutAmount, decideGoal(open).scale);
  ok(!(found.get("t0") ?? "").includes("although"), "one above its target needs no such reason");
});

Deno.test("after a stock-out, the reason says which share of the usual orders a click is expected to bring", () => {
  const ages = [71, 64, 57, 50, 43, 36, 29, 22, 15, 8, 1];
  const recovering = targets.map((one) => ({
    ...one,
    periods: ages.map((age) => ({
      ...one.periods[0]!,
      age,
      ...(age === 22 ? { clicks: 0, orders: 0, sales: 0 } : {}),
    })),
  }));
  const input: GoalInput = {
    ...{ targets: recovering, campaigns: [{ id: "c", budget: 50 }], aim: { kind: "profit" }, limits: LIMITS },
    explore: 0,
  };
  const text = "aim: profit, margin: 40%";
  match(
    reasons(input, text).get("lucky") ?? "",
    /^all: a click is worth [\d.]+ \([\d. to]+\), at \d\d % of the usual orders a click after a stock-out; /,
  );
  ok(!(reasons({ ...input, targets }, text).get("lucky") ?? "").includes("stock-out"));
});

Deno.test("orders and profit give the same reason in their own figures", () => {
  const base = { targets, campaigns: [{ id: "c", budget: 50 }], limits: LIMITS, explore: 0 };
  const money = { left: 60, daysLeft: 10, reserve: 0 };
  const orders = reasons(
    { ...base, money, aim: { kind: "orders", cost: 6 } },
    "aim: orders, cost_per_order: 6",
  );
  match(
    orders.get("lucky") ?? "",
    /cut although an order cost 4\.67, under 6\.00: .*15\.0 % orders a click are taken as/,
  );
  const profit = reasons({ ...base, money, aim: { kind: "profit" } }, "aim: profit, margin: 40%");
  match(profit.get("lucky") ?? "", /cut although its ACOS of 15\.6 % is under 40\.0 %: /);
});

Deno.test("a bid that was inherited is told, because the plan shows none before", () => {
  const input: GoalInput = {
    ...{
      targets,
      campaigns: [{ id: "c", budget: 50 }],
      aim: { kind: "sales", acos: 0.4 },
      limits: LIMITS,
      explore: 0,
    },
  };
  const goal = parseGoals("version: 1\ngoals:\n  all: { aim: sales, acos: 40% }\n", "goals.yaml").goals[0]!;
  const decision = decideGoal(input);
  const given = { row: decision.rows[0]!, target: targets[0]! };
  const said = (isInherited: boolean): string =>
    rowReason({ ...given, entity: { isInherited } }, { goal, input, decision });
  match(said(true), / at \d\.\d\d, with the bid of its ad group, 1\.00; /);
  ok(!said(false).includes("ad group"));
});
